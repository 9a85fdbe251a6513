import type { EthereumSigner } from '../../adapters/ethereum/account.js';
import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import type { World } from '../../base/world.js';
import type { Database, Transaction } from '../../database/database.js';
import type { Lease } from '../lease.js';
import type { Confirmations, IsDone } from './look.js';
import type { StoredTransaction } from './rows.js';

/** A call of a contract that the service wants to pay for. */
export interface Wanted {
  /** The thing that the call is for. It is paid for once. */
  readonly reference: string;
  readonly recipient: string;
  readonly data: string;
}

/** The work for which an account sends transactions. */
export interface Purpose {
  /** As rows, leases and messages name it. */
  readonly name: string;
  /** More gas than any of its transactions takes. */
  readonly mostGas: bigint;
  /** The least gas that its transactions may use, even when a node estimates less. */
  readonly leastGas: bigint;
  readonly isDone: IsDone;
  /** The end of a sentence: why nothing may be sent at all. Null when nothing is known of that kind. @throws NodeFailed */
  obstacle(): Promise<string | null>;
  /** The next call; null while nothing is due. The last transaction of the purpose is in a final block, or there is none. */
  next(last: StoredTransaction | null): Promise<Wanted | null>;
  /** Writes to the ledger what has become of a transaction. It may be repeated. */
  record(row: StoredTransaction): Promise<void>;
}

export interface SenderSetting {
  readonly chainId: number;
  readonly maxFeeWei: bigint;
  readonly maxTipWei: bigint;
  readonly maxSpendWeiPerDay: bigint;
  readonly confirmations: Confirmations;
}

export interface SenderParts {
  readonly database: Database;
  readonly node: EthereumNode;
  readonly signer: EthereumSigner;
  readonly lease: Lease;
  readonly world: Pick<World, 'now'>;
  readonly setting: SenderSetting;
}

/** The outcome of a step of a sender. */
export interface Outcome {
  /** Whether the next step can be done at once. */
  readonly more: boolean;
  /** The end of a sentence: why transactions wait. */
  readonly problem: string | null;
  /** Whether something waits for the chain, so that it is worth looking again soon. */
  readonly isWaiting: boolean;
}

export const idle: Outcome = { more: false, problem: null, isWaiting: false };
export const waiting = (problem: string | null): Outcome => ({ more: false, problem, isWaiting: true });
export const moved: Outcome = { more: true, problem: null, isWaiting: true };

/** Another process has the lease now. Nothing was written. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  override message = 'another process has taken over the sending of transactions';
}

/** @throws NodeFailed */
export async function requireChain(node: EthereumNode, { chainId }: Pick<SenderSetting, 'chainId'>): Promise<void> {
  const answered = await node.chainId();
  if (answered === chainId) return;
  throw new NodeFailed('refused', `it is of chain ${answered}, and ETH_CHAIN_ID is ${chainId}`);
}

/** Changes rows while this process has the lease. @throws LeaseLost */
export function owned<T>({ database, lease }: SenderParts, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    if (!(await lease.keep(tx))) throw new LeaseLost();
    return work(tx);
  });
}
