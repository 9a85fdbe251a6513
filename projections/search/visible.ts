import type { Transaction } from '../../src/database/database.js';
import { postingBits } from './blocks.js';
import type { SearchCache, Term } from './cache.js';
import { comparedIn, keep } from './compared.js';
import { type Filter, type MayPass, passingOf } from './passing.js';
import { passingDocuments } from './passing-documents.js';
import { type Place, placeKey } from './place.js';
import { offsetsIn } from './posting-list.js';

/** How many memories of each term are looked up at first, the newest ones. Nearly always one of them passes. */
const firstLooked = 2;

/** A term that no memory is known to have that passes, and its memories that were not looked up yet. */
interface Open {
  readonly term: Term;
  /** Those of blocks that were read, the newest first. */
  readonly places: readonly Place[];
  /** The blocks that were not read, the newest first. */
  readonly blocks: readonly number[];
}

/** Those of these terms that a memory has that passes the filter. Of frequent terms only a few blocks are read. */
export async function visibleTerms(
  tx: Transaction,
  cache: SearchCache,
  terms: readonly Term[],
  filter: Filter,
): Promise<Set<Term>> {
  if (terms.length === 0) return new Set();
  const namespaceIds = new Set(terms.map((term) => term.namespace_id));
  const known = await comparedIn(tx, cache, namespaceIds, filter);
  const isIn = (which: 'visible' | 'hidden', { namespace_id, term }: Term) =>
    known.get(namespace_id)?.[which].has(term) ?? false;
  const visible = new Set(terms.filter((term) => isIn('visible', term)));
  const unknown = terms.filter((term) => !visible.has(term) && !isIn('hidden', term));
  if (unknown.length === 0) return visible;
  for (const term of await lookedUp(tx, cache, unknown, filter)) visible.add(term);
  // Reading has kept what it has read, so this is looked up again.
  const now = await comparedIn(tx, cache, namespaceIds, filter);
  for (const term of unknown) now.get(term.namespace_id)?.[visible.has(term) ? 'visible' : 'hidden'].add(term.term);
  keep(cache, now, filter);
  return visible;
}

async function lookedUp(
  tx: Transaction,
  cache: SearchCache,
  terms: readonly Term[],
  filter: Filter,
): Promise<Set<Term>> {
  const visible = new Set<Term>();
  const passing = await passingOf(tx, cache, scopeOf(terms), filter);
  let open: readonly Open[] = terms.map(unread);
  let mayCompare = true;
  for (let size = firstLooked; open.length > 0; size *= 4) {
    const read = open.map((one) => withPlaces(one, size, passing.mayPass()));
    const pages = read.map(({ places }) => places.slice(0, size));
    const found = new Set((await passingDocuments(tx, cache, pages.flat(), filter)).map(placeKey));
    for (const [i, { term }] of read.entries()) {
      if (pages[i]?.some((place) => found.has(placeKey(place)))) visible.add(term);
    }
    open = read
      .map((one) => ({ ...one, places: one.places.slice(size) }))
      .filter(({ term, places, blocks }) => !visible.has(term) && places.length + blocks.length > 0);
    // Comparing all memories once is quicker than looking up many of them, and then it is known which may pass.
    if (mayCompare && passing.worthComparing(size * open.length, Number.POSITIVE_INFINITY)) {
      mayCompare = false;
      await passing.compareAll();
      open = open.map(({ term }) => unread(term));
    }
  }
  return visible;
}

const unread = (term: Term): Open => ({ term, places: [], blocks: [...term.list.blocks].reverse() });

/** Adds the newest blocks of each term, as many as hold `size` of its memories: every one holds one at least. */
function withPlaces({ term, places, blocks }: Open, size: number, mayPass: MayPass | undefined): Open {
  const next = blocks.slice(0, Math.max(0, size - places.length));
  const added = next.flatMap((block) =>
    Array.from(offsetsIn(term.list, block), (offset) => block * 2 ** postingBits + offset)
      .filter((seq) => mayPass?.has(seq) ?? true)
      .map((seq) => ({ namespaceId: term.namespace_id, seq }))
      .reverse(),
  );
  return { term, places: [...places, ...added], blocks: blocks.slice(next.length) };
}

function scopeOf(terms: readonly Term[]) {
  const documents = new Map(terms.map((term) => [term.namespace_id, term.documents]));
  return { namespaceIds: [...documents.keys()], documents: [...documents.values()].reduce((sum, one) => sum + one, 0) };
}
