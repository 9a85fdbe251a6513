import { accountProjection } from '../../projections/account/projection.js';
import { type KnownKey, keysBySecretHash } from '../../projections/account/queries.js';
import { agentKeysBySecretHash, type KnownAgentKey } from '../../projections/agents/keys.js';
import { agentsProjection } from '../../projections/agents/projection.js';
import { BoundedCache } from '../base/bounded-cache.js';
import { yieldToOthers } from '../base/steps.js';
import type { Database, Reader } from '../database/database.js';
import type { Project } from '../ledger/apply.js';
import type { Config } from '../settings/config.js';

/** Finds a key by the hash of its secret. @param begun is called when the look-up begins: a later request must not share its answer */
type Find<K> = (secretHash: string, begun: () => void) => Promise<K | undefined>;

/** How the keys of callers are found. */
export interface KnownKeys {
  readonly find: Find<KnownKey>;
  readonly findAgentKey: Find<KnownAgentKey>;
  /** The same projection, in which changes of keys are followed. */
  following(project: Project): Project;
}

/** The keys of a store: only the ledger in a database of this process follows what changes them. */
export function knownKeysOf(
  { databaseUrl, eventStore }: Pick<Config, 'databaseUrl' | 'eventStore'>,
  database: Pick<Database, 'readEach'>,
): KnownKeys {
  const stored = keysOfDatabase(database);
  return databaseUrl === undefined && eventStore === undefined ? keysInMemory(stored) : stored;
}

/**
 * Asks the database for each request: another process may have revoked a key a moment ago. A look-up begins when all requests that
 * have arrived so far are read, so that they share it: after an append many callers are answered at once, and most of them send their
 * next request at once.
 */
export function keysOfDatabase(database: Pick<Database, 'readEach'>): KnownKeys {
  return {
    find: lookingUp(database, keysBySecretHash),
    findAgentKey: lookingUp(database, agentKeysBySecretHash),
    following: (project) => project,
  };
}

function lookingUp<K>(
  database: Pick<Database, 'readEach'>,
  query: (tx: Reader, secretHashes: readonly string[]) => Promise<ReadonlyMap<string, K>>,
): Find<K> {
  interface LookUp {
    readonly asked: { readonly secretHash: string; begun(): void }[];
    readonly found: Promise<ReadonlyMap<string, K>>;
  }
  let next: LookUp | undefined;

  function prepare(): LookUp {
    const asked: LookUp['asked'] = [];
    const look = async () => {
      await yieldToOthers();
      next = undefined;
      return database.readEach((tx) => {
        for (const { begun } of asked) begun();
        return query(
          tx,
          asked.map(({ secretHash }) => secretHash),
        );
      });
    };
    return { asked, found: look() };
  }

  return async (secretHash, begun) => {
    next ??= prepare();
    next.asked.push({ secretHash, begun });
    return (await next.found).get(secretHash);
  };
}

/**
 * Keeps the keys of a database that only this process uses in memory until any key, agent or workspace changes, so that a request
 * needs no transaction for its key. The transaction of a change forgets them before it commits, and the database runs one transaction
 * at a time: what is kept later was read after it, so a revoked key is refused from the answer to its revocation on.
 */
export function keysInMemory(stored: Pick<KnownKeys, 'find' | 'findAgentKey'>): KnownKeys {
  const changing = new Set([accountProjection, agentsProjection].flatMap(({ fold }) => fold.kinds));
  const keys = inMemory(stored.find);
  const agentKeys = inMemory(stored.findAgentKey);
  return {
    find: keys.find,
    findAgentKey: agentKeys.find,
    following: (project) => async (tx, recorded) => {
      await project(tx, recorded);
      if (!recorded.some(({ entry }) => changing.has(entry.kind))) return;
      keys.forget();
      agentKeys.forget();
    },
  };
}

/** Keys that are kept in memory at most, of each kind. */
const mostKeys = 10_000;

function inMemory<K>(find: Find<K>): { readonly find: Find<K>; forget(): void } {
  let kept = new BoundedCache<K>(mostKeys);
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
    forget() {
      kept = new BoundedCache(mostKeys);
    },
  };
}
