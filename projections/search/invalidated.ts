import type { Row, Transaction, Value } from '../../src/database/database.js';
import type { TokenClass } from '../../src/domain/tokens/query.js';
import { memoryRows } from '../memory/rows.js';
import type { SearchCache } from './cache.js';
import { frequenciesAt } from './frequency.js';
import type { Filter } from './passing.js';
import type { StoredPlace } from './place.js';
import { everyWord, type QueryWord } from './query-words.js';
import { namespaceStates } from './states.js';
import type { TokenIn } from './terms.js';

/** The most invalidated memories that are compared with a query, the newest ones. */
const compared = 200;

interface Asked {
  readonly namespaceIds: readonly string[];
  readonly classes: readonly TokenClass[];
  /** As `queryTokens` returns them. */
  readonly tokens: ReadonlyMap<string, readonly TokenIn[]>;
  /** The filter of the search, which invalidated memories pass too. */
  readonly filter: Filter;
  /** From 0 to 1: the share of the words of the query that a memory must have to count. A rare word is a larger share. */
  readonly least: number;
}

/**
 * How many invalidated memories a search leaves out that have the words of its query themselves, of the newest 200. Only the posting
 * lists of their own blocks are read, and nothing if there are none.
 */
export async function invalidatedMatches(tx: Transaction, cache: SearchCache, asked: Asked): Promise<number> {
  const memories = await newestInvalidated(tx, cache, asked);
  if (memories.length === 0) return 0;
  const words = everyWord(asked.classes, asked.tokens);
  const frequenciesOf = frequenciesAt(
    words.flatMap(({ terms }) => terms),
    [memories],
  );
  const shareOf = ({ id, namespaceId }: StoredPlace) => {
    const own = words.filter((word) => word.namespaceId === namespaceId);
    const has = ({ terms }: QueryWord) =>
      Math.max(0, ...terms.map((term) => (frequenciesOf(term).has(id) ? term.share : 0)));
    return sumOf(own, (word) => weightOf(word) * has(word)) / sumOf(own, weightOf);
  };
  return memories.filter((memory) => shareOf(memory) >= asked.least).length;
}

const weightOf = ({ share, idf }: QueryWord): number => share * idf;

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0);

/** They are read again after other changes of the namespaces than new memories. One that is not in the index has no words there and is never counted. */
async function newestInvalidated(tx: Transaction, cache: SearchCache, asked: Asked): Promise<readonly StoredPlace[]> {
  const { namespaceIds, filter } = asked;
  const states = await namespaceStates(tx, cache, namespaceIds);
  const key = `${states.map(({ id }) => id).join(' ')} ${filter.key}`;
  // A new memory is not invalidated.
  const base = states.map((one) => one.base).join(';');
  const known = cache.invalidated.get(key);
  if (known?.base === base) return known.memories;
  const memories = await readInvalidated(tx, asked);
  if (filter.key !== undefined) {
    const bytes = 2 * (key.length + base.length) + bytesOfPlace * memories.length;
    cache.invalidated.set(key, { base, memories }, bytes);
  }
  return memories;
}

/** The bytes of a memory in the cache. */
const bytesOfPlace = 200;

function readInvalidated(tx: Transaction, { namespaceIds, filter }: Asked): Promise<(Row & StoredPlace)[]> {
  const params: Value[] = [namespaceIds];
  const condition = filter((value) => `$${params.push(value)}`);
  return tx.query(
    `select m.id::text, m.namespace_id::text as "namespaceId", m.seq from ${memoryRows} m
      where m.namespace_id = any($1::uuid[]) and m.invalidated and (${condition}) order by m.seq desc limit ${compared}`,
    params,
  );
}
