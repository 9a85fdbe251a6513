import { signingAccount } from '../identity/ethereum.js';

/** An agent in an identity registry of ERC-8004. */
export interface Erc8004Agent {
  readonly chainId: number;
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  readonly registry: string;
  /** The number of the agent there, in decimal digits. */
  readonly agentId: string;
}

/** As ERC-8004 names registries: the namespace of the chain, its id, and the address. */
export const registryName = ({ chainId, registry }: Omit<Erc8004Agent, 'agentId'>): string =>
  `eip155:${chainId}:${registry}`;

/** The text that the owner or the wallet of an agent signs to link it to an identity. */
export const linkText = (agnId: string, agent: Erc8004Agent): string =>
  `counterfoil erc8004 link ${agnId} ${registryName(agent)}:${agent.agentId}`;

/** The account that signed the link under EIP-191, as `0x` and 40 lowercase hex digits; null when none did. */
export function linkSigner(agnId: string, agent: Erc8004Agent, signature: string): string | null {
  const bytes = Buffer.from(signature.replace(/^0x/, ''), 'hex');
  return signingAccount(Buffer.from(linkText(agnId, agent)), bytes)?.replace('eip155:', '') ?? null;
}
