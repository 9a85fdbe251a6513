import { z } from 'zod';
import { encodeHeader } from '../../domain/ethereum/encode.js';
import { NotProvable, type RpcBlock } from '../../domain/ethereum/rpc-values.js';
import { type BoundedFetch, boundedFetch } from '../bounded-fetch.js';
import { isRefusal, NodeFailed } from './faults.js';
import { openJsonRpc, type Patience } from './json-rpc.js';
import {
  blockTransactions,
  blockWithHeader,
  count,
  data,
  type EthereumBlock,
  type EthereumReceipt,
  type EthereumTransaction,
  hash,
  quantity,
  receipt,
} from './shapes.js';

export { NodeFailed } from './faults.js';
export type { EthereumBlock, EthereumLog, EthereumReceipt } from './shapes.js';

/** A block by its number, by its hash, or by its place in the chain. */
type BlockAt = number | `0x${string}` | 'latest' | 'finalized';

interface CallRequest {
  readonly from?: string;
  /** Null creates a contract of which `data` is the code. */
  readonly to: string | null;
  readonly data: string;
}

/**
 * A node of Ethereum. It may lie, lag, or be another node behind the same address with each call. The forms of its answers are
 * checked here, and that the header of a block has the hash of the block; whether they are true is for the caller to find out.
 * Every method throws NodeFailed.
 */
export interface EthereumNode {
  chainId(): Promise<number>;
  /** Null when the node does not have the block. */
  block(at: BlockAt): Promise<EthereumBlock | null>;
  /** The transactions of a block with their senders; null when the node does not have the block. */
  transactions(number: number): Promise<readonly EthereumTransaction[] | null>;
  /** Null when no block holds the transaction, as far as the node knows. */
  receipt(txHash: string): Promise<EthereumReceipt | null>;
  /** The block as the node answers it, with every member of its header; null when the node does not have it. */
  header(blockHash: string): Promise<unknown>;
  /** The receipts of all transactions of a block as the node answers them. */
  receipts(blockHash: string): Promise<readonly unknown[]>;
  /** `0x` where there is no contract. */
  code(address: string): Promise<string>;
  /** The answer of a contract to a call that changes nothing. */
  call(request: CallRequest): Promise<string>;
  balance(address: string): Promise<bigint>;
  /** The number of transactions of an account until a block: the nonce of its next one. */
  transactionCount(address: string, at: number | 'latest' | 'pending'): Promise<number>;
  /** The price of a unit of gas above the base fee that is paid at present, in wei; 1 gwei where the node does not name one. */
  priorityFee(): Promise<bigint>;
  estimateGas(request: CallRequest): Promise<bigint>;
  /** Hands a signed transaction to the node. The same bytes may be sent again. */
  send(raw: string): Promise<void>;
}

/** How long a start waits for a node, in milliseconds. What it would have looked at is looked at before each transaction too. */
const startMs = 2000;

/** A node for the questions of a start, which has one time limit for all of them together. */
export function openNodeForStart(rpcUrl: string, ask: BoundedFetch = boundedFetch, limitMs = startMs): EthereumNode {
  const end = performance.now() + limitMs;
  return openNode(rpcUrl, () => Math.max(1, Math.round(end - performance.now())), ask);
}

/** More than the transactions or the receipts of the largest blocks of the main chain. */
const wholeBlockBytes = 32 * 1024 * 1024;
const defaultTimeoutMs = 10_000;
const usualPriorityFee = 10n ** 9n;

export function openNode(
  rpcUrl: string,
  patience: Patience = defaultTimeoutMs,
  ask: BoundedFetch = boundedFetch,
): EthereumNode {
  const call = openJsonRpc(rpcUrl, patience, ask);
  const requestOf = ({ from, to, data: input }: CallRequest) => ({
    ...(from === undefined ? {} : { from }),
    ...(to === null ? {} : { to }),
    data: input,
  });
  return {
    chainId: () => call('eth_chainId', [], count),
    async block(at) {
      const found = await call(methodFor(at), [shown(at), false], blockWithHeader.nullable());
      if (found === null) return null;
      if (!isAt(found.block, at)) throw otherBlock();
      requireHash(found.header);
      return found.block;
    },
    async transactions(number) {
      const whole = blockTransactions.nullable();
      const found = await call('eth_getBlockByNumber', [shown(number), true], whole, wholeBlockBytes);
      if (found === null || found.number === number) return found?.transactions ?? null;
      throw otherBlock();
    },
    async receipt(txHash) {
      const found = await call('eth_getTransactionReceipt', [txHash], receipt.nullable());
      if (found === null || found.txHash === txHash.toLowerCase()) return found;
      throw new NodeFailed('unavailable', 'it answered a request for a receipt with another receipt');
    },
    header: (blockHash) => call('eth_getBlockByHash', [blockHash, false], z.unknown()),
    receipts: (blockHash) => call('eth_getBlockReceipts', [blockHash], z.array(z.unknown()), wholeBlockBytes),
    code: (address) => call('eth_getCode', [address, 'latest'], data),
    call: (request) => call('eth_call', [requestOf(request), 'latest'], data),
    balance: (address) => call('eth_getBalance', [address, 'latest'], quantity),
    transactionCount: (address, at) => call('eth_getTransactionCount', [address, shown(at)], count),
    async priorityFee() {
      try {
        return await call('eth_maxPriorityFeePerGas', [], quantity);
      } catch (error) {
        if (error instanceof NodeFailed && isRefusal(error.fault)) return usualPriorityFee;
        throw error;
      }
    },
    estimateGas: (request) => call('eth_estimateGas', [requestOf(request)], quantity),
    async send(raw) {
      await call('eth_sendRawTransaction', [raw], hash);
    },
  };
}

const otherBlock = () => new NodeFailed('unavailable', 'it answered a request for a block with another block');

/** A block of which one member was changed has another hash. @throws NodeFailed */
function requireHash(header: RpcBlock): void {
  try {
    encodeHeader(header);
  } catch (error) {
    if (!(error instanceof NotProvable)) throw error;
    throw new NodeFailed(
      'unavailable',
      `the header of its block ${header.number} does not have the hash that it names: it is wrong, or its chain has a field in ` +
        'its headers that this version does not know',
    );
  }
}

const methodFor = (at: BlockAt) =>
  typeof at === 'string' && at.startsWith('0x') ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';

const shown = (at: BlockAt | 'pending') => (typeof at === 'number' ? `0x${at.toString(16)}` : at);

function isAt({ number, hash: of }: EthereumBlock, at: BlockAt): boolean {
  if (typeof at === 'number') return number === at;
  return !at.startsWith('0x') || of === at.toLowerCase();
}
