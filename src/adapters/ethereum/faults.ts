/**
 * Why a node has not done what it was asked to do. `unavailable` is over when the node answers again; each other fault is its answer.
 */
type NodeFault =
  /** It cannot be reached, is late, limits the rate of requests, or answers something that cannot be read. */
  | 'unavailable'
  | 'nonce too low'
  | 'already known'
  /** The fees are too low for the block, or for a replacement. */
  | 'underpriced'
  | 'insufficient funds'
  /** The call or the transaction would fail in the contract. */
  | 'reverted'
  /** It does not know this method of JSON-RPC. */
  | 'unknown method'
  /** Another answer that says no. */
  | 'refused';

/** Whether a node has said no to a question as such, so that asking again does not help. */
export const isRefusal = (fault: NodeFault): boolean => fault === 'refused' || fault === 'unknown method';

/** Thrown by every method of a node. The message is the end of a sentence, and holds nothing of the node's address. */
export class NodeFailed extends Error {
  override name = 'NodeFailed';

  constructor(
    readonly fault: NodeFault,
    message: string,
    /** How long the node asked to be left alone, in milliseconds; null where it did not ask. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** The texts of go-ethereum, Nethermind, Besu, Erigon, Reth and anvil: there are no codes for these answers. */
const texts: readonly (readonly [RegExp, NodeFault])[] = [
  [
    /\brate\b|limit (exceeded|reached)|too many|quota|capacity|throttl|timed? ?out|busy|unavailable|syncing/i,
    'unavailable',
  ],
  [/nonce.{0,12}(too low|lower|already)|OldNonce|NonceTooLow/i, 'nonce too low'],
  [/already known|known transaction|already imported|AlreadyKnown|already exists/i, 'already known'],
  [/underpriced|fee.{0,30}(less|lower|too low|below)|FeeTooLow|price too low/i, 'underpriced'],
  [/insufficient (funds|balance)|InsufficientFunds|upfront cost/i, 'insufficient funds'],
  [/revert|out of gas|invalid opcode/i, 'reverted'],
];

/** Codes of JSON-RPC and EIP-1474 that concern the node and not the request. */
const unavailableCodes = [-32_603, -32_005, -32_002, -32_001, 429];
const revertedCode = 3;
const unknownMethodCode = -32_601;

/** The meaning of an error of JSON-RPC. */
export function faultOf(code: number, message: string): NodeFault {
  if (code === unknownMethodCode) return 'unknown method';
  const [, named] = texts.find(([pattern]) => pattern.test(message)) ?? [];
  if (named !== undefined) return named;
  if (code === revertedCode) return 'reverted';
  return unavailableCodes.includes(code) ? 'unavailable' : 'refused';
}
