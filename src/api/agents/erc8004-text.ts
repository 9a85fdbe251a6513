import type { Erc8004 } from '../../commands/erc8004-consent.js';
import { linkText } from '../../domain/erc8004/link.js';

/** The text that the owner or the wallet of an agent of ERC-8004 signs for a link, with the registry that is set here. */
export const erc8004TextToSign = (
  agnId: string,
  agentId: string,
  { chainId, registry }: Pick<Erc8004, 'chainId' | 'registry'>,
): string => linkText(agnId, { chainId, registry, agentId });
