import type { Transaction } from '../database/database.js';
import type { Entering } from './ledger.js';
import { settledLock } from './settled.js';

/**
 * The queue of those who write to one chain, in this process and in others on the same server. Each waits before it reads the state that it
 * decides on, so no one decides in vain. Without it two processes on one chain made half as many writes as one, and four a third.
 *
 * **The order of locks.** Every append takes them in this order, so no two wait for each other in a circle:
 * 1. the chain's place at the head of the queue, an advisory lock. One that appends to several chains waits in the order of the numbers
 *    of their locks, or takes those that are free and waits for none,
 * 2. the settled time, shared; one statement moves it under the exclusive lock, and takes no other of these locks,
 * 3. the row of the chain in `chains`,
 * 4. the rows of read models and jobs that the entries change.
 * All end with the transaction. An append that repeats an earlier one in doubt, and the engines whose log is not the database, begin
 * with the second lock; at the row of the chain they meet the one from the queue, and the later of the two writes nothing.
 *
 * Nothing outside of the database is waited for at the head of the queue. When a process ends there, the server ends the transaction
 * with the connection; when it stops answering, after the limit for transactions without a statement (see `requestTimeouts`).
 */
const heads = 4_201_704;

/**
 * Enters the queues of chains, and keeps the settled time where it is, until the transaction ends. Only later statements are sure to see
 * the appends before. Two chains may share a number, and then have one queue.
 * @returns the chains whose queues were entered
 */
export async function enterQueues(tx: Transaction, entering: Entering): Promise<ReadonlySet<string>> {
  if ('ifFree' in entering) return enterFree(tx, entering.ifFree);
  await waitInQueues(tx, entering.waitFor);
  return new Set(entering.waitFor);
}

/** Leaves out the chains in whose queues another transaction is. */
async function enterFree(tx: Transaction, chains: readonly string[]): Promise<ReadonlySet<string>> {
  const [row] = await tx.query<{ entered: string[] }>(
    // The functions of a list are called from left to right.
    `select array(select c from unnest($1::text[]) c where pg_try_advisory_xact_lock(${heads}, hashtext(c))) as entered,
            pg_advisory_xact_lock_shared(${settledLock})`,
    [chains],
  );
  return new Set(row?.entered);
}

/** How long one that waits for several chains waits for each, in milliseconds: meanwhile it may be at the head of some of them. */
const patienceMs = 1000;

/** Waits in each queue until this transaction is at its head. Those who wait get there in the order in which they came. */
export async function waitInQueues(tx: Transaction, chains: readonly string[]): Promise<void> {
  // What is sent after this call comes after the locks, so nothing is waited for before them.
  if (chains.length > 1) tx.query(`set local lock_timeout = ${patienceMs}`).catch(() => undefined);
  await tx.query(
    `select (select count(pg_advisory_xact_lock(${heads}, number))
               from (select distinct hashtext(c) as number from unnest($1::text[]) c order by number) numbers),
            pg_advisory_xact_lock_shared(${settledLock})`,
    [chains],
  );
}
