import type { Database, Transaction } from '../../src/database/database.js';

/** The fate of one call: it fails and nothing was done, or it was done and its answer got lost. */
export type Flavour = 'failed' | 'failed but persisted';

/** Which calls fail, counted from 1: the first of them and how many in a row. */
export interface Plan {
  readonly from: number;
  readonly count: number;
  readonly flavour: Flavour;
}

export interface Faulty {
  readonly database: Database;
  /** Starts counting again. With a null plan nothing fails. */
  arm(plan: Plan | null): void;
  calls(): number;
}

class Broken extends Error {
  override name = 'Broken';
}

/** A database each of whose calls can be made to fail: opening a transaction, every statement, every commit. */
export function faultyDatabase(real: Database): Faulty {
  let plan: Plan | null = null;
  let count = 0;

  async function call<T>(work: () => Promise<T>): Promise<T> {
    count += 1;
    const hit = plan !== null && count >= plan.from && count < plan.from + plan.count;
    if (!hit) return work();
    if (plan?.flavour === 'failed but persisted') await work();
    throw new Broken(`call ${count} was made to fail`);
  }

  /** The last call of a transaction is its commit: it fails before the commit is sent, or after it was done. */
  async function inTransaction<T>(
    open: (work: (tx: Transaction) => Promise<T>) => Promise<T>,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    await call(async () => undefined);
    let lost: Error | undefined;
    const result = await open(async (tx) => {
      const answer = await work({
        query: (sql, params) => call(() => tx.query(sql, params)),
        select: (sql, params) => call(() => tx.select(sql, params)),
        write: (sql, params) => call(() => tx.write(sql, params)),
      });
      const commits = plan?.flavour === 'failed but persisted';
      await call(async () => undefined).catch((error: Error) => {
        if (!commits) throw error;
        lost = error;
      });
      return answer;
    });
    if (lost) throw lost;
    return result;
  }

  return {
    database: {
      ...real,
      transaction: (work) => inTransaction(real.transaction, work),
      read: (work) => inTransaction(real.read, work),
      readEach: (work) => inTransaction(real.readEach, work),
    },
    arm(next) {
      plan = next;
      count = 0;
    },
    calls: () => count,
  };
}
