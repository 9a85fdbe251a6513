import { accountProjection } from '../../projections/account/projection.js';
import { type KnownKey, keyBySecretHash } from '../../projections/account/queries.js';
import { BoundedCache } from '../base/bounded-cache.js';
import type { Database } from '../database/database.js';
import type { Project } from '../ledger/apply.js';
import type { Config } from '../settings/config.js';

/** Finds keys by the hashes of their secrets. */
export interface KnownKeys {
  /** @param begun is called when the look-up begins: a later request must not share its answer */
  find(secretHash: string, begun: () => void): Promise<KnownKey | undefined>;
  /** The same projection, in which changes of keys are followed. */
  following(project: Project): Project;
}

/** The keys of a store: only the ledger in a database of this process follows what changes them. */
export function knownKeysOf(
  { databaseUrl, eventStore }: Pick<Config, 'databaseUrl' | 'eventStore'>,
  database: Pick<Database, 'read'>,
): KnownKeys {
  const stored = keysOfDatabase(database);
  return databaseUrl === undefined && eventStore === undefined ? keysInMemory(stored) : stored;
}

/** Asks the database for each request: another process may have revoked a key a moment ago. */
const keysOfDatabase = (database: Pick<Database, 'read'>): KnownKeys => ({
  find: (secretHash, begun) =>
    database.read((tx) => {
      begun();
      return keyBySecretHash(tx, secretHash);
    }),
  following: (project) => project,
});

/** Keys that are kept in memory at most. */
const mostKeys = 10_000;

/**
 * Keeps the keys of a database that only this process uses in memory until any key or workspace changes, so that a request needs no
 * transaction for its key. The transaction of a change forgets them before it commits, and the database runs one transaction at a
 * time: what is kept later was read after it, so a revoked key is refused from the answer to its revocation on.
 */
export function keysInMemory({ find }: Pick<KnownKeys, 'find'>): KnownKeys {
  const changing = new Set(accountProjection.fold.kinds);
  let kept = new BoundedCache<KnownKey>(mostKeys);
  return {
    async find(secretHash, begun) {
      const known = kept.get(secretHash);
      if (known) {
        begun();
        return known;
      }
      const into = kept;
      const key = await find(secretHash, begun);
      // Into what was there before the look-up: an answer that is overtaken by a change is forgotten with it.
      if (key) into.set(secretHash, key);
      return key;
    },
    following: (project) => async (tx, recorded) => {
      await project(tx, recorded);
      if (recorded.some(({ entry }) => changing.has(entry.kind))) kept = new BoundedCache(mostKeys);
    },
  };
}
