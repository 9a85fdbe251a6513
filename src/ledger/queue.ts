import type { Transaction } from '../database/database.js';
import { settledLock } from './settled.js';

/**
 * The queue of those who write to one chain, in this process and in others on the same server. Each waits before it reads the state that it
 * decides on, so no one decides in vain. Without it two processes on one chain made half as many writes as one, and four a third.
 *
 * **The order of locks.** Every append takes them in this order, so no two wait for each other in a circle:
 * 1. the chain's place at the head of the queue, an advisory lock of which a transaction has one at most,
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
 * Waits until this transaction is at the head of the queue of a chain, and keeps the settled time where it is, until the transaction
 * ends. Those who wait get there in the order in which they came. Only later statements are sure to see the appends before. Two chains
 * may share a number, and then wait for each other.
 */
export async function waitInQueue(tx: Transaction, chain: string): Promise<void> {
  // The functions of a list are called from left to right.
  await tx.query(`select pg_advisory_xact_lock(${heads}, hashtext($1)), pg_advisory_xact_lock_shared(${settledLock})`, [
    chain,
  ]);
}
