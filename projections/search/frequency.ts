import type { Transaction } from '../../src/database/database.js';
import { postingBits } from './blocks.js';
import type { SearchCache, Term } from './cache.js';
import type { Place } from './place.js';
import { readPostings } from './postings.js';

/** The number of documents that have any of the terms of each list; the terms of a list are of one namespace. */
export async function frequencyOfAny(
  tx: Transaction,
  cache: SearchCache,
  lists: readonly (readonly Term[])[],
): Promise<number[]> {
  // Most words have one token in a namespace, whose frequency is known.
  const several = lists.filter((terms) => terms.length > 1);
  const read = several.length === 0 ? undefined : await readPostings(tx, cache, several.flat());
  return lists.map((terms) => {
    if (terms.length < 2 || !read) return terms[0]?.frequency ?? 0;
    let count = 0;
    for (const block of new Set(terms.flatMap(({ blocks }) => blocks))) {
      const has = new Uint8Array(2 ** postingBits);
      for (const term of terms) for (const offset of read(term, block)?.offsets ?? []) has[offset] = 1;
      count += has.reduce((sum, one) => sum + one, 0);
    }
    return count;
  });
}

/** How often each of these terms is in the texts at these places. It reads the blocks of these places only. */
export async function frequenciesAt(
  tx: Transaction,
  cache: SearchCache,
  terms: readonly Term[],
  places: readonly Place[],
): Promise<(term: Term, place: Place) => number> {
  const wanted = new Set(places.map(blockKey));
  const read = await readPostings(
    tx,
    cache,
    terms.map((term) => withinBlocks(term, wanted)),
  );
  const decoded = new Map<string, ReadonlyMap<number, number>>();
  const inBlock = (term: Term, block: number): ReadonlyMap<number, number> => {
    const key = `${term.term} ${block}`;
    const known = decoded.get(key);
    if (known) return known;
    const postings = term.blocks.includes(block) ? read(term, block) : undefined;
    const frequencies = new Map(
      Array.from(postings?.offsets ?? [], (offset, i) => [offset, postings?.frequencies[i] ?? 0]),
    );
    decoded.set(key, frequencies);
    return frequencies;
  };
  return (term, { namespaceId, seq }) =>
    namespaceId === term.namespace_id ? (inBlock(term, blockOf(seq)).get(seq % 2 ** postingBits) ?? 0) : 0;
}

const blockOf = (seq: number): number => Math.floor(seq / 2 ** postingBits);
const blockKey = ({ namespaceId, seq }: Place): string => `${namespaceId} ${blockOf(seq)}`;

function withinBlocks(term: Term, wanted: ReadonlySet<string>): Term {
  const kept = term.blocks.flatMap((block, i) =>
    wanted.has(`${term.namespace_id} ${block}`) ? [{ block, version: term.versions[i] ?? '' }] : [],
  );
  return { ...term, blocks: kept.map(({ block }) => block), versions: kept.map(({ version }) => version) };
}
