import { groupedBy } from '../../src/base/groups.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { postingBits, termOf } from './blocks.js';
import { bucketOf } from './buckets.js';
import type { SearchCache } from './cache.js';
import type { MayPass } from './passing.js';
import type { Place } from './place.js';
import { offsetsIn } from './posting-list.js';
import { type FoundWord, findWords, type Word } from './postings.js';
import type { CompiledQuery, ListedCandidates, WebQuery } from './search-index.js';
import { possible, type WordQuery, withFewest, wordsOf } from './tsquery.js';

const blockSize = 2 ** postingBits;
/**
 * The number of blocks, of 256 memories each, whose lists are read together: at first, and at most. The first number is
 * small because most callers read only the first page.
 */
const [firstBlocks, mostBlocks] = [16, 256];
/** Where all parts must match, only the lists of the rarest ones are read, because few memories have all of these. */
const mostParts = 6;

/** The query in one namespace, with the words that say which memories may match. */
interface NamespaceQuery {
  readonly namespaceId: string;
  /** The query without the words whose lists are not read. */
  readonly query: WordQuery;
  /** The words of the query that are in the namespace. */
  readonly terms: ReadonlyMap<string, FoundWord>;
}

/**
 * Finds the memories that the query of a list may match, newest first, from the posting lists of its words.
 * Blocks are read only when the caller requests their memories.
 *
 * A GIN index over the words did this before. It keeps every word, even those of deleted memories. For a word that half of the
 * memories hold, it had to collect all of them before the first page could be sorted: 2 s at 200,000 memories.
 */
export async function webCandidates(
  tx: Transaction,
  cache: SearchCache,
  { compiled, beforeSeq }: WebQuery,
): Promise<ListedCandidates> {
  const queries = await readQueries(tx, cache, compiled);
  if (queries.length === 0) return { last: 0, next: async () => [] };
  const last = await lastSeq(tx, queries, beforeSeq);
  const blocks = blocksOf(queries, Math.floor(last / blockSize));
  let size = firstBlocks;
  let places: readonly Place[] = [];
  let known: MayPass | undefined;
  return {
    last,
    async next(count, mayPass) {
      const passing = (read: readonly Place[]) => (mayPass ? read.filter(({ seq }) => mayPass.has(seq)) : read);
      if (mayPass !== known) places = passing(places);
      known = mayPass;
      while (places.length === 0 && blocks.length > 0) {
        const range = { blocks: blocksThatMay(mayPass, blocks.splice(0, size)), beforeSeq };
        places = passing(await placesIn(tx, queries, range));
        size = Math.min(2 * size, mostBlocks);
      }
      const some = places.slice(0, count);
      places = places.slice(count);
      return some;
    },
  };
}

/** The blocks that hold a memory that may pass the filter. */
function blocksThatMay(known: MayPass | undefined, blocks: readonly number[]): readonly number[] {
  if (!known) return blocks;
  const few = known.few && new Set(known.few.map((seq) => Math.floor(seq / blockSize)));
  return blocks.filter((block) => {
    if (few) return few.has(block);
    for (let seq = block * blockSize; seq < (block + 1) * blockSize; seq++) if (known.has(seq)) return true;
    return false;
  });
}

async function readQueries(
  tx: Transaction,
  cache: SearchCache,
  compiled: readonly CompiledQuery[],
): Promise<NamespaceQuery[]> {
  const queries = compiled.map(({ namespaceId, query }) => ({
    namespaceId,
    query,
    lexemes: [...new Set(wordsOf(query))],
  }));
  const terms = await readTerms(tx, cache, queries);
  return queries.map(({ namespaceId, query }) => {
    const known = new Map(terms.get(namespaceId)?.map(({ lexeme, found }) => [lexeme, found]));
    const rarest = withFewest(query, mostParts, (lexeme) => known.get(lexeme)?.frequency ?? 0);
    const words = new Set(wordsOf(rarest));
    return { namespaceId, query: rarest, terms: new Map([...known].filter(([word]) => words.has(word))) };
  });
}

interface LexemeRow extends Word, Row {
  readonly namespace_id: string;
  readonly lexeme: string;
}

async function readTerms(
  tx: Transaction,
  cache: SearchCache,
  queries: readonly { readonly namespaceId: string; readonly lexemes: readonly string[] }[],
): Promise<Map<string, { lexeme: string; found: FoundWord }[]>> {
  const pairs = queries.flatMap(({ namespaceId, lexemes }) => lexemes.map((lexeme) => ({ namespaceId, lexeme })));
  const words = await tx.query<LexemeRow>(
    `select namespace_id::text, lexeme, term::text, ${bucketOf('term', 'namespace_id')}::text as bucket
       from (select r.namespace_id, r.lexeme, ${termOf('r.lexeme', 'r.namespace_id')} as term
               from unnest($1::uuid[], $2::text[]) r(namespace_id, lexeme)) w`,
    [pairs.map((pair) => pair.namespaceId), pairs.map((pair) => pair.lexeme)],
  );
  const found = await findWords(tx, cache, words);
  const rows = words.flatMap(({ namespace_id, lexeme, term }) => {
    const one = found.get(term);
    return one ? [{ namespace_id, lexeme, found: one }] : [];
  });
  return groupedBy(rows, (row) => row.namespace_id);
}

/** The blocks in which a memory may match, newest first, from the blocks that each word has. */
function blocksOf(queries: readonly NamespaceQuery[], last: number): number[] {
  const flags = queries.map(({ query, terms }) =>
    possible(query, (lexeme) => {
      const has = new Uint8Array(last + 1);
      for (const block of terms.get(lexeme)?.list.blocks ?? []) if (block <= last) has[block] = 1;
      return has;
    }),
  );
  return Array.from({ length: last + 1 }, (_, i) => last - i).filter((block) =>
    flags.some((has) => has === null || has[block] === 1),
  );
}

/** The highest number that a document in the result can have. */
async function lastSeq(tx: Transaction, queries: readonly NamespaceQuery[], beforeSeq: number | null): Promise<number> {
  if (beforeSeq !== null) return beforeSeq - 1;
  const [row] = await tx.query<{ last: number }>(
    `select coalesce(max(d.seq), 0) as last from unnest($1::uuid[]) n(id) cross join lateral (
       select seq from search_documents where namespace_id = n.id order by seq desc limit 1) d`,
    [queries.map((one) => one.namespaceId)],
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
  queries: readonly NamespaceQuery[],
  { blocks, beforeSeq }: Range,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const { namespaceId, query, terms } of queries) {
    for (const block of blocks) {
      const flags = possible(query, (lexeme) => flagsOf(terms.get(lexeme), block));
      if (flags === null) places.push(...(await documentsOf(tx, namespaceId, block)));
      for (const [i, flag] of flags?.entries() ?? []) {
        if (flag === 1) places.push({ namespaceId, seq: block * blockSize + i });
      }
    }
  }
  return places.filter(({ seq }) => beforeSeq === null || seq < beforeSeq).sort((a, b) => b.seq - a.seq);
}

function flagsOf(term: FoundWord | undefined, block: number): Uint8Array {
  const flags = new Uint8Array(blockSize);
  if (term) for (const offset of offsetsIn(term.list, block)) flags[offset] = 1;
  return flags;
}

async function documentsOf(tx: Transaction, namespaceId: string, block: number): Promise<Place[]> {
  const rows = await tx.query<{ seq: number }>(
    'select seq from search_documents where namespace_id = $1 and seq >= $2 and seq < $3',
    [namespaceId, block * blockSize, (block + 1) * blockSize],
  );
  return rows.map(({ seq }) => ({ namespaceId, seq }));
}
