import type { Transaction } from '../../src/database/database.js';
import type { SearchCache, Term } from './cache.js';
import type { Compared } from './comparison.js';
import type { Filter } from './passing.js';
import { bytesOfMemory, type RankedMemory } from './place.js';
import { bytesOfList } from './posting-list.js';
import { namespaceStates, type Reach } from './states.js';

const empty = ({ base, newest }: Reach): Compared => ({
  base,
  newest,
  passes: new Map(),
  visible: new Set(),
  hidden: new Set(),
  wide: new Map(),
  narrow: new Map(),
  names: new Map(),
  similar: new Map(),
  bytesOfTerms: 0,
});

/**
 * The earlier comparisons of these namespaces, without those that have nothing in the index. Of a filter without a key nothing is
 * known, and nothing will be kept. A caller that adds something calls `keep` afterwards.
 */
export async function comparedIn(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: Iterable<string>,
  filter: Filter,
): Promise<Map<string, Compared>> {
  const states = await namespaceStates(tx, cache, [...new Set(namespaceIds)]);
  return new Map(
    states.map((now) => {
      const known = filter.key === undefined ? undefined : cache.compared.get(keyOf(now.id, filter.key));
      return [now.id, known?.base === now.base ? continued(known, now) : empty(now)];
    }),
  );
}

/**
 * What is still right after documents were only added: which memories pass, and the words that they have. Without it, a search after
 * a write read all of its candidates once more, which took 6 of 25 ms among 10,000 memories.
 */
function continued(known: Compared, now: Reach): Compared {
  if (known.newest >= now.newest) return known;
  return { ...empty(now), passes: known.passes, visible: known.visible };
}

/** Notes whether a memory passes. One that cannot be found behind all others may still be added. */
export function addPassing({ passes, newest }: Compared, seq: number, memory: RankedMemory | null): void {
  if (memory !== null || seq <= newest) passes.set(seq, memory);
}

const keyOf = (namespaceId: string, key: string): string => `${namespaceId} ${key}`;

/** Keeps what is known now for later searches. */
export function keep(cache: SearchCache, known: ReadonlyMap<string, Compared>, { key }: Filter): void {
  if (key === undefined) return;
  for (const [namespaceId, compared] of known) {
    const bytes = 2 * key.length + bytesOf(compared);
    const kept = bytes > cache.mostCompared ? empty(compared) : compared;
    cache.compared.set(keyOf(namespaceId, key), kept, Math.min(bytes, cache.mostCompared));
  }
}

/** The bytes of an entry of a map, of a segment, and of a term with its names. */
const bytesEach = { entry: 60, segment: 300, term: 600 };

export function addSimilar(compared: Compared, key: string, terms: readonly Term[]): void {
  if (compared.similar.has(key)) return;
  compared.similar.set(key, terms);
  for (const { list } of terms) compared.bytesOfTerms += bytesEach.term + bytesOfList(list);
}

function bytesOf({ passes, visible, hidden, wide, narrow, names, similar, bytesOfTerms }: Compared): number {
  const entries = passes.size + visible.size + hidden.size + names.size + similar.size;
  return (
    500 +
    bytesEach.entry * entries +
    bytesOfMemory * passes.size +
    bytesEach.segment * (wide.size + narrow.size) +
    bytesOfTerms
  );
}
