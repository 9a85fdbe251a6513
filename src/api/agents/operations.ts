import type { Operation } from '../operation.js';
import { agentLinkOperation, agentListOperation, agentUnlinkOperation } from './agents.js';
import { erc8004GetOperation, erc8004LinkOperation, erc8004UnlinkOperation } from './erc8004.js';

export const agentOperations: readonly Operation[] = [
  agentListOperation,
  agentLinkOperation,
  agentUnlinkOperation,
  erc8004GetOperation,
  erc8004LinkOperation,
  erc8004UnlinkOperation,
];
