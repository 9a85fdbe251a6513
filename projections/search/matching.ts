import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { postingBits, postingWidth, termOf } from './blocks.js';
import { type SearchCache, versionOf } from './cache.js';
import { everything, type Filter, type Passing, passingOf } from './passing.js';
import { type Postings, readPostings } from './postings.js';
import { documentsAt, type Place } from './scope.js';
import { possible, readWordQuery, type WordQuery, withFewest, wordsOf } from './tsquery.js';

/** A memory in the order of writing. */
export interface Match extends Row {
  memoryId: string;
  seq: number;
}

const blockSize = 2 ** postingBits;
/** Blocks whose lists are read at once, of 2,048 memories each: few to begin with, as most lists end on their first page. */
const [firstBlocks, mostBlocks] = [2, 32];
/** Documents compared with the query in one statement. */
const [firstCompared, mostCompared] = [64, 1024];
/** Of words that must all be there only the lists of the rarest are read: few memories are left by then. */
const mostWords = 6;

/** Matches that the list does not show, before all memories are compared with its filter. */
const patience = 2000;

/** Which of the memories that match are wanted. */
export interface WordList {
  /** Leaves out, where it is known, what need not be compared with the query. */
  readonly filter: Filter;
  /** Those of these matches that the list shows, in the same order; of them all pass the filter. */
  shown(found: readonly Match[]): Promise<readonly Match[]>;
}

interface Term extends Row {
  namespace_id: string;
  lexeme: string;
  term: string;
  /** In how many memories it is. */
  frequency: number;
  blocks: number[];
  versions: string[];
}

/** One namespace and what the query is by its text configuration. */
interface Asked {
  readonly namespaceId: string;
  readonly tsquery: string;
  /** What tells which memories may match: the query without the words that are not looked up. */
  readonly query: WordQuery;
  /** Its words that are in the namespace. */
  readonly terms: ReadonlyMap<string, Term>;
}

/**
 * The memories of these namespaces that a web-style query matches, newest first, a few at a time: those after which nothing
 * is asked for cost nothing. The lists of documents by word say which may match; only these are compared.
 *
 * A GIN index over the words did this before. It never lets go of a word, also of memories that were deleted, and for a word
 * that half of the memories hold it had to gather all of them before the first page could be sorted: 2 s at 200,000.
 */
export async function* matchingMemories(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  q: string,
  beforeSeq: number | null,
  list: WordList = { filter: everything, shown: async (found) => found },
): AsyncGenerator<readonly Match[]> {
  const asked = await readQuery(tx, namespaceIds, q);
  if (asked.length === 0) return;
  const last = await lastSeq(tx, asked, beforeSeq);
  const passing = await passingOf(tx, cache, { namespaceIds, documents: last }, list.filter);
  let wasted = 0;
  const blocks = blocksOf(asked, Math.floor(last / blockSize));
  let size = firstBlocks;
  let compared = firstCompared;
  for (let first = 0; first < blocks.length; first += size, size = Math.min(2 * size, mostBlocks)) {
    const range = { blocks: blocksThatMay(passing, blocks.slice(first, first + size)), beforeSeq };
    let places = mayPass(passing, await placesIn(tx, cache, asked, range));
    while (places.length > 0) {
      const found = await compare(tx, asked, places.slice(0, compared));
      places = places.slice(compared);
      compared = Math.min(2 * compared, mostCompared);
      const shown = found.length === 0 ? found : await list.shown(found);
      if (shown.length > 0) yield shown;
      wasted += found.length - shown.length;
      if (wasted === 0 || !passing.worthComparing(wasted, patience)) continue;
      await passing.compareAll();
      places = mayPass(passing, places);
      wasted = 0;
    }
  }
}

const mayPass = (passing: Passing, places: readonly Place[]): readonly Place[] => {
  const known = passing.mayPass();
  return known ? places.filter(({ seq }) => known.has(seq)) : places;
};

/** Those of the blocks that hold anything that may pass. */
function blocksThatMay(passing: Passing, blocks: readonly number[]): readonly number[] {
  const known = passing.mayPass();
  if (!known) return blocks;
  const few = known.few && new Set(known.few.map((seq) => Math.floor(seq / blockSize)));
  return blocks.filter((block) => {
    if (few) return few.has(block);
    for (let seq = block * blockSize; seq < (block + 1) * blockSize; seq++) if (known.has(seq)) return true;
    return false;
  });
}

async function readQuery(tx: Transaction, namespaceIds: readonly string[], q: string): Promise<Asked[]> {
  const rows = await tx.query<{ id: string; tsquery: string }>(
    `select n.id::text, websearch_to_tsquery(n.text_config::regconfig, $2)::text as tsquery
       from namespaces n where n.id = any($1::uuid[]) order by n.id`,
    [namespaceIds, q],
  );
  const asked = rows.flatMap(({ id: namespaceId, tsquery }) => {
    const query = readWordQuery(tsquery);
    return query ? [{ namespaceId, tsquery, query, lexemes: [...new Set(wordsOf(query))] }] : [];
  });
  const terms = await readTerms(tx, asked);
  return asked.map(({ namespaceId, tsquery, query }) => {
    const known = new Map(terms.get(namespaceId)?.map((term) => [term.lexeme, term]));
    const rarest = withFewest(query, mostWords, (lexeme) => known.get(lexeme)?.frequency ?? 0);
    const words = new Set(wordsOf(rarest));
    return { namespaceId, tsquery, query: rarest, terms: new Map([...known].filter(([word]) => words.has(word))) };
  });
}

async function readTerms(
  tx: Transaction,
  asked: readonly { readonly namespaceId: string; readonly lexemes: readonly string[] }[],
): Promise<Map<string, Term[]>> {
  const pairs = asked.flatMap(({ namespaceId, lexemes }) => lexemes.map((lexeme) => ({ namespaceId, lexeme })));
  const rows = await tx.query<Term>(
    `select w.namespace_id::text, w.lexeme, w.term::text, p.frequency, p.blocks, p.versions
       from (select r.namespace_id, r.lexeme, ${termOf('r.lexeme', 'r.namespace_id')} as term
               from unnest($1::uuid[], $2::text[]) r(namespace_id, lexeme)) w
      cross join lateral (select array_agg(b.block) as blocks, array_agg(${versionOf('b')}) as versions,
                                 (sum(octet_length(b.entries)) / ${postingWidth})::bigint as frequency
                            from search_postings b where b.term = w.term) p
      where p.blocks is not null`,
    [pairs.map((pair) => pair.namespaceId), pairs.map((pair) => pair.lexeme)],
  );
  return grouped(rows, (row) => row.namespace_id);
}

/** The blocks in which anything may match, newest first, by which blocks the words have. */
function blocksOf(asked: readonly Asked[], last: number): number[] {
  const flags = asked.map(({ query, terms }) =>
    possible(query, (lexeme) => {
      const has = new Uint8Array(last + 1);
      for (const block of terms.get(lexeme)?.blocks ?? []) if (block <= last) has[block] = 1;
      return has;
    }),
  );
  return Array.from({ length: last + 1 }, (_, i) => last - i).filter((block) =>
    flags.some((has) => has === null || has[block] === 1),
  );
}

/** Where to begin: nothing that is asked for stands behind it. */
async function lastSeq(tx: Transaction, asked: readonly Asked[], beforeSeq: number | null): Promise<number> {
  if (beforeSeq !== null) return beforeSeq - 1;
  const [row] = await tx.query<{ last: number }>(
    `select coalesce(max(d.seq), 0) as last from unnest($1::uuid[]) n(id) cross join lateral (
       select seq from search_documents where namespace_id = n.id order by seq desc limit 1) d`,
    [asked.map((one) => one.namespaceId)],
  );
  return row?.last ?? 0;
}

interface Range {
  readonly blocks: readonly number[];
  readonly beforeSeq: number | null;
}

/** The documents in these blocks that may match, newest first. */
async function placesIn(
  tx: Transaction,
  cache: SearchCache,
  asked: readonly Asked[],
  { blocks, beforeSeq }: Range,
): Promise<Place[]> {
  const wanted = new Set(blocks);
  const read = await readPostings(
    tx,
    cache,
    asked.flatMap(({ terms }) => Array.from(terms.values(), (term) => within(term, wanted))),
  );
  const places: Place[] = [];
  for (const { namespaceId, query, terms } of asked) {
    for (const block of blocks) {
      const flags = possible(query, (lexeme) => flagsOf(terms.get(lexeme), block, read));
      if (flags === null) places.push(...(await documentsOf(tx, namespaceId, block)));
      for (const [i, flag] of flags?.entries() ?? []) {
        if (flag === 1) places.push({ namespaceId, seq: block * blockSize + i });
      }
    }
  }
  return places.filter(({ seq }) => beforeSeq === null || seq < beforeSeq).sort((a, b) => b.seq - a.seq);
}

function within(term: Term, wanted: ReadonlySet<number>): Term {
  const kept = term.blocks.flatMap((block, i) => (wanted.has(block) ? [i] : []));
  return {
    ...term,
    blocks: kept.map((i) => term.blocks[i] ?? 0),
    versions: kept.map((i) => term.versions[i] ?? ''),
  };
}

function flagsOf(
  term: Term | undefined,
  block: number,
  read: (term: Pick<Term, 'term'>, block: number) => Postings | undefined,
): Uint8Array {
  const flags = new Uint8Array(blockSize);
  for (const offset of (term && read(term, block)?.offsets) ?? []) flags[offset] = 1;
  return flags;
}

async function documentsOf(tx: Transaction, namespaceId: string, block: number): Promise<Place[]> {
  const rows = await tx.query<{ seq: number }>(
    'select seq from search_documents where namespace_id = $1 and seq >= $2 and seq < $3',
    [namespaceId, block * blockSize, (block + 1) * blockSize],
  );
  return rows.map(({ seq }) => ({ namespaceId, seq }));
}

/** Those that match. One statement for each form of the query, which is the same in most namespaces. */
async function compare(tx: Transaction, asked: readonly Asked[], places: readonly Place[]): Promise<Match[]> {
  const queryOf = new Map(asked.map((one) => [one.namespaceId, one.tsquery]));
  const groups = [...grouped(places, (place) => queryOf.get(place.namespaceId) ?? '')];
  const found = await Promise.all(
    groups.map(([tsquery, those]) =>
      tx.query<Match>(
        `select d.memory_id::text as "memoryId", d.seq from ${documentsAt}
          where exists (select 1 from search_texts t where t.memory_id = d.memory_id and t.words @@ $3::tsquery)`,
        [those.map((one) => one.namespaceId), those.map((one) => one.seq), tsquery],
      ),
    ),
  );
  return found.flat().sort((a, b) => b.seq - a.seq);
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}
