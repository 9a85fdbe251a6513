import { anyChain } from '../../../projections/log/queries.js';
import { type Database, StoreFull } from '../../adapters/database/database.js';

/** How long a question about readiness waits at most. A database that has not answered by then counts as away. */
const patienceMs = 2000;

/**
 * Names of what is missing before a write can be taken. However many ask, and however long the database is silent, it is
 * asked by one of them at a time.
 */
export function createReadiness(transaction: Database['transaction'], isStopping: () => boolean) {
  let pending: Promise<readonly string[]> | undefined;

  /** In a transaction that might write, because a store whose disk is full still reads. */
  function look(): Promise<readonly string[]> {
    pending ??= transaction(anyChain)
      .then(
        () => [],
        (error) => (error instanceof StoreFull ? [error.message] : away),
      )
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  return async function missing(): Promise<readonly string[]> {
    if (isStopping()) return ['the service is stopping'];
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(() => resolve(away), patienceMs);
    });
    return Promise.race([look(), late]).finally(() => clearTimeout(timer));
  };
}

const away: readonly string[] = ['the database does not answer'];
