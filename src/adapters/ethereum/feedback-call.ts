import { Interface } from 'ethers';
import type { EthereumLog } from './shapes.js';

const abi = new Interface([
  'function giveFeedback(uint256 agentId,int128 value,uint8 valueDecimals,string tag1,string tag2,string endpoint,string feedbackURI,bytes32 feedbackHash)',
  'event NewFeedback(uint256 indexed agentId,address indexed clientAddress,uint64 feedbackIndex,int128 value,uint8 valueDecimals,string indexed indexedTag1,string tag1,string tag2,string endpoint,string feedbackURI,bytes32 feedbackHash)',
]);

interface FeedbackArguments {
  readonly agentId: string;
  readonly value: number;
  readonly valueDecimals: number;
  readonly tag1: string;
  readonly tag2: string;
  readonly uri: string;
  /** `0x` and 64 hex digits. */
  readonly hash: string;
}

/** The data of the transaction that gives feedback to a reputation registry of ERC-8004. */
export function feedbackCall({ agentId, value, valueDecimals, tag1, tag2, uri, hash }: FeedbackArguments): string {
  return abi.encodeFunctionData('giveFeedback', [agentId, value, valueDecimals, tag1, tag2, '', uri, hash]);
}

/** Whether a log is the event of the feedback that this call of this account gives. Addresses are in lowercase. */
export function isFeedbackLog({ address, topics, data }: EthereumLog, registry: string, client: string, call: string) {
  if (address !== registry) return false;
  const event = abi.parseLog({ topics: [...topics], data });
  const given = abi.decodeFunctionData('giveFeedback', call);
  if (event?.name !== 'NewFeedback') return false;
  const { agentId, clientAddress, feedbackHash } = event.args;
  return `${clientAddress}`.toLowerCase() === client && agentId === given[0] && feedbackHash === given[7];
}
