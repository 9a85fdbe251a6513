import type { Transaction } from '../../src/database/database.js';
import { postingBits } from './blocks.js';
import { documentsWith } from './bm25.js';
import type { SearchCache, Term } from './cache.js';
import { type Filter, passingOf } from './passing.js';
import type { Place } from './place.js';
import { readPostings } from './postings.js';

/** How many memories of each term are looked up at first, the newest ones. Nearly always one of them passes. */
const firstLooked = 2;

/** Those of these terms that a memory has that passes the filter. */
export async function visibleTerms(
  tx: Transaction,
  cache: SearchCache,
  terms: readonly Term[],
  filter: Filter,
): Promise<Set<Term>> {
  const visible = new Set<Term>();
  let open = terms.map((term) => ({ term, from: 0 }));
  let mayCompare = true;
  for (let size = firstLooked; open.length > 0; size *= 4) {
    const passing = await passingOf(tx, cache, scopeOf(terms), filter);
    const known = passing.mayPass();
    const read = await readPostings(
      tx,
      cache,
      open.map(({ term }) => term),
    );
    const looked = open.map((one) => ({
      ...one,
      places: newest(one.term, read).filter(({ seq }) => known?.has(seq) ?? true),
    }));
    const pages = looked.map(({ places, from }) => places.slice(from, from + size));
    const found = new Set((await documentsWith(tx, pages.flat(), [], filter)).map(keyOf));
    for (const [i, { term }] of looked.entries()) {
      if (pages[i]?.some((place) => found.has(keyOf(place)))) visible.add(term);
    }
    open = looked
      .filter(({ term, places, from }) => !visible.has(term) && from + size < places.length)
      .map(({ term, from }) => ({ term, from: from + size }));
    // Comparing all memories once is quicker than looking up many of them, and then it is known which may pass.
    if (mayCompare && passing.worthComparing(size * open.length, Number.POSITIVE_INFINITY)) {
      mayCompare = false;
      await passing.compareAll();
      open = open.map(({ term }) => ({ term, from: 0 }));
    }
  }
  return visible;
}

const keyOf = ({ namespaceId, seq }: Place): string => `${namespaceId} ${seq}`;

function scopeOf(terms: readonly Term[]) {
  const documents = new Map(terms.map((term) => [term.namespace_id, term.documents]));
  return { namespaceIds: [...documents.keys()], documents: [...documents.values()].reduce((sum, one) => sum + one, 0) };
}

/** The places of a term, the newest first. */
function newest(term: Term, read: Awaited<ReturnType<typeof readPostings>>): Place[] {
  return term.blocks
    .toSorted((a, b) => b - a)
    .flatMap((block) =>
      Array.from(read(term, block)?.offsets ?? [], (offset) => ({
        namespaceId: term.namespace_id,
        seq: block * 2 ** postingBits + offset,
      })).reverse(),
    );
}
