import type { Transaction } from './adapters/database/database.js';

/** Who asks whether the service is ready wants to know it now: what has not answered by then is away. */
const patienceMs = 2000;

/**
 * Names of what is missing before a write can be taken. However many ask, and however long the database is silent, it is
 * asked by one of them at a time.
 */
export function createReadiness(read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>) {
  let underWay: Promise<boolean> | undefined;

  function answers(): Promise<boolean> {
    underWay ??= read((tx) => tx.query('select 1 from chains limit 1'))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  }

  return async function missing(): Promise<readonly string[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    const ready = await Promise.race([answers(), late]).finally(() => clearTimeout(timer));
    return ready ? [] : ['the database does not answer'];
  };
}
