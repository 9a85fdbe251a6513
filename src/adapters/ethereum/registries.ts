import { Interface } from 'ethers';
import { registrationBytes } from '../../domain/erc8004/registration-file.js';
import { type EthereumNode, NodeFailed } from './node.js';

/** The version of both registries that this service works with. They may be replaced by their owner at any time. */
const version = '2.0.0';

const abi = new Interface([
  'function getVersion() view returns (string)',
  'function getIdentityRegistry() view returns (address)',
  'function ownerOf(uint256 agentId) view returns (address)',
  'function getAgentWallet(uint256 agentId) view returns (address)',
  'function tokenURI(uint256 agentId) view returns (string)',
  'function getApproved(uint256 agentId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);

/** An agent as the identity registry knows it now. Accounts are `0x` and 40 lowercase hex digits. */
export interface RegisteredAgent {
  readonly owner: string;
  /** Null when the agent has none: a transfer removes it. */
  readonly wallet: string | null;
}

/** The registries of ERC-8004 of the settings. Every method throws NodeFailed. */
export interface AgentRegistries {
  readonly chainId: number;
  readonly identity: string;
  readonly reputation: string;
  /** The fault of the settings, as a sentence; null when the registries are those that the service works with. */
  fault(): Promise<string | null>;
  /** Null when the registry has no agent with this number. */
  agent(agentId: string): Promise<RegisteredAgent | null>;
  /** Where the registration file of an agent is; null when the address is longer than the largest file. */
  agentUri(agentId: string): Promise<string | null>;
  /** Whether the account may act for the agent. The reputation registry takes no feedback from such an account. */
  actsFor(account: string, agentId: string, owner: string): Promise<boolean>;
}

interface RegistrySettings {
  readonly chainId: number;
  readonly identity: string;
  readonly reputation: string;
}

const noAccount = `0x${'0'.repeat(40)}`;

export function openRegistries(
  node: EthereumNode,
  { chainId, identity, reputation }: RegistrySettings,
): AgentRegistries {
  const answerOf = async (to: string, name: string, values: readonly string[]): Promise<string> =>
    node.call({ to, data: abi.encodeFunctionData(name, values) });
  const ask = async (to: string, name: string, ...values: readonly string[]): Promise<string> =>
    decoded(name, await answerOf(to, name, values));
  const askIdentity = (name: string, ...values: readonly string[]) => ask(identity, name, ...values);
  const account = async (to: string, name: string, ...values: readonly string[]) =>
    (await ask(to, name, ...values)).toLowerCase();

  /** The fault of one registry, as a sentence; null when there is none. */
  async function faultOf(setting: string, address: string): Promise<string | null> {
    if ((await node.code(address)) === '0x') {
      return `${setting} is wrong: there is no contract at ${address} on chain ${chainId}.`;
    }
    const found = await orNull(ask(address, 'getVersion'));
    if (found === version) return null;
    const shown = found === null ? 'no version' : `version ${JSON.stringify(found.slice(0, 40))}`;
    return `${setting} is wrong: the contract at ${address} has ${shown}, and this service works with registries of ERC-8004 of version ${version}.`;
  }

  return {
    chainId,
    identity,
    reputation,
    async fault() {
      const found = await node.chainId();
      if (found !== chainId) {
        return `ETH_CHAIN_ID is wrong: it is ${chainId}, and the node of ETH_RPC_URL is on chain ${found}.`;
      }
      const fault = (await faultOf('ERC8004_IDENTITY', identity)) ?? (await faultOf('ERC8004_REPUTATION', reputation));
      if (fault !== null) return fault;
      const target = await orNull(account(reputation, 'getIdentityRegistry'));
      if (target === identity) return null;
      return `ERC8004_REPUTATION is wrong: the registry at ${reputation} is for agents of ${target ?? 'no registry'}, and ERC8004_IDENTITY is ${identity}.`;
    },
    async agent(agentId) {
      const owner = await orNull(account(identity, 'ownerOf', agentId));
      if (owner === null || owner === noAccount) return null;
      const wallet = await orNull(account(identity, 'getAgentWallet', agentId));
      return { owner, wallet: wallet === noAccount ? null : wallet };
    },
    async agentUri(agentId) {
      const answer = await answerOf(identity, 'tokenURI', [agentId]);
      // Two digits a byte, and the words for place and length.
      return answer.length > 2 * registrationBytes + 200 ? null : decoded('tokenURI', answer);
    },
    async actsFor(who, agentId, owner) {
      if (who === owner || (await account(identity, 'getApproved', agentId)) === who) return true;
      return (await askIdentity('isApprovedForAll', owner, who)) === 'true';
    },
  };
}

function decoded(name: string, answer: string): string {
  try {
    return String(abi.decodeFunctionResult(name, answer)[0]);
  } catch {
    throw new NodeFailed('reverted', `the contract answered ${name} with something else`);
  }
}

/** Null where the contract does not answer. */
async function orNull(answer: Promise<string>): Promise<string | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NodeFailed && error.fault === 'reverted') return null;
    throw error;
  }
}
