import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { postingBits, postingWidth, termOf } from './blocks.js';
import { bestPassing, byScores, documentsAt, type Filter } from './scope.js';
import type { Scored, Scores } from './top.js';

export interface Bm25 {
  /** How soon more occurrences of a word stop to matter. */
  readonly k1: number;
  /** How much long documents are held back, 0 to 1. */
  readonly b: number;
}

export interface KeywordQuery extends Bm25 {
  /** What to search, with the query's words as the text configuration of each namespace gives them. */
  readonly scopes: readonly { readonly namespaceId: string; readonly lexemes: readonly string[] }[];
  readonly filter: Filter;
  readonly limit: number;
  /**
   * Postings read at most, besides those of the rarest word. 200,000 is a good bound: looking up the words that were not
   * read costs more than reading them (100,000 memories: 53 ms at 20,000 against 42 without a bound, p50, busy machine).
   */
  readonly budget: number;
}

export interface KeywordHit {
  readonly memoryId: string;
  readonly bm25: number;
}

/** A word of the query in one namespace; without `entries` it is too frequent to be read for every document. */
interface Term extends Record<string, unknown> {
  namespace_id: string;
  lexeme: string;
  frequency: number;
  documents: number;
  length: number;
  blocks: number[] | null;
  sizes: number[] | null;
  entries: string | null;
}

interface Found extends Record<string, unknown> {
  memory_id: string;
  namespace_id: string;
  seq: number;
  length: number;
  lexemes?: string[];
  frequencies?: number[];
}

/** The words that a text search configuration makes of a text, without stop words, each once, in order. */
export async function lexemes(tx: Transaction, config: string, text: string): Promise<string[]> {
  const [row] = await tx.query<{ words: string[] }>(
    'select tsvector_to_array(to_tsvector($1::text::regconfig, $2)) as words',
    [config, text],
  );
  return row?.words ?? [];
}

/**
 * Memories that hold any word of the query, by BM25 (Robertson and Zaragoza 2009) with the statistics of the namespace
 * each is in, and the idf ln(1 + (N − n + ½) / (n + ½)) that is never negative. Best first.
 *
 * Words are taken rarest first until the budget is spent. The others can only add to a document found by then, and are
 * looked up in the words of the best of them.
 *
 * 100,000 memories of 16 words, queries of 3 to 10, PGlite, with four other processes on two cores: 28 ms (p50), 36 ms (p95),
 * two fifths
 * for reading 23,000 postings (p50; p95 63,000), two fifths for looking the 250 best up. The best ten were those of
 * the exhaustive ranking in 100% of places at a budget of 50,000, 99.9% at 20,000. Rejected, one row for each posting, added
 * up in SQL: 121 ms (p50) for all, 39 ms (p95) when stopped after 10,000 postings, with 99.5% of the places.
 */
export async function keywordCandidates(tx: Transaction, query: KeywordQuery): Promise<KeywordHit[]> {
  const terms = await readTerms(tx, query);
  const unread = terms.filter((term) => term.entries === null);
  const hits = await bestPassing(
    tx,
    byScores(sumScores(terms, query)),
    query.filter,
    query.limit,
    Math.ceil(1.25 * query.limit),
    async (ranked) => {
      const scores = new Map(ranked.map((one) => [`${one.namespaceId} ${one.seq}`, one.score]));
      const rows = await lookUp(tx, ranked, [...new Set(unread.map((term) => term.lexeme))], query.filter);
      return rows.map((row) => ({
        memoryId: row.memory_id,
        bm25: (scores.get(`${row.namespace_id} ${row.seq}`) ?? 0) + scoreOfUnread(row, unread, query),
      }));
    },
  );
  return hits.sort((x, y) => y.bm25 - x.bm25 || (x.memoryId < y.memoryId ? -1 : 1)).slice(0, query.limit);
}

const readTerms = (tx: Transaction, { scopes, budget }: KeywordQuery): Promise<Term[]> =>
  tx.query<Term>(
    `with wanted as (
       select w.namespace_id, w.lexeme, n.documents, n.length, ${termOf('w.lexeme', 'w.namespace_id')} as term
         from unnest($1::uuid[], $2::text[]) w(namespace_id, lexeme) join search_namespaces n using (namespace_id)),
     sized as (
       select w.namespace_id, w.lexeme, w.documents, w.length, w.term,
              (sum(octet_length(p.entries)) / ${postingWidth})::bigint as frequency
         from wanted w join search_postings p using (term) group by 1, 2, 3, 4, 5),
     spent as (
       select *, sum(frequency) over rarest as postings, row_number() over rarest as place
         from sized window rarest as (order by frequency, term rows unbounded preceding))
     select s.namespace_id::text, s.lexeme, s.frequency, s.documents, s.length, p.blocks, p.sizes, p.entries
       from spent s left join lateral (
         select array_agg(block order by block) as blocks, array_agg(octet_length(entries) order by block) as sizes,
                encode(string_agg(entries, ''::bytea order by block), 'base64') as entries
           from search_postings where term = s.term) p on s.postings <= $3::bigint or s.place = 1`,
    [
      scopes.flatMap((scope) => scope.lexemes.map(() => scope.namespaceId)),
      scopes.flatMap((scope) => scope.lexemes),
      budget,
    ],
  );

const weightOf = (term: Term, k1: number): number =>
  Math.log(1 + (term.documents - term.frequency + 0.5) / (term.frequency + 0.5)) * (k1 + 1);

/** What one word adds to a document: w · f / (f + base + slope · length). */
function curve(term: Term, { k1, b }: Bm25): { weight: number; base: number; slope: number } {
  return {
    weight: weightOf(term, k1),
    base: k1 * (1 - b),
    slope: (k1 * b * term.documents) / Math.max(1, term.length),
  };
}

function sumScores(terms: readonly Term[], bm25: Bm25): Scores[] {
  const sums = new Map<string, Map<number, Float64Array>>();
  for (const term of terms) {
    if (term.entries === null) continue;
    const blocks = sums.get(term.namespace_id) ?? new Map<number, Float64Array>();
    sums.set(term.namespace_id, blocks);
    const { weight, base, slope } = curve(term, bm25);
    const bytes = Buffer.from(term.entries, 'base64');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    for (const [i, block] of (term.blocks ?? []).entries()) {
      const sum = blocks.get(block) ?? new Float64Array(2 ** postingBits).fill(-Infinity);
      blocks.set(block, sum);
      for (const end = at + (term.sizes?.[i] ?? 0); at < end; at += postingWidth) {
        const frequency = view.getUint16(at + 2);
        const offset = view.getUint16(at);
        sum[offset] =
          Math.max(0, sum[offset] ?? 0) + (weight * frequency) / (frequency + base + slope * view.getUint32(at + 4));
      }
    }
  }
  return [...sums].flatMap(([namespaceId, blocks]) =>
    [...blocks].map(([block, scores]) => {
      const first = block * 2 ** postingBits;
      return { namespaceId, first, seqs: null, scores, count: counted(scores) };
    }),
  );
}

function counted(scores: Float64Array): number {
  let count = 0;
  for (let i = 0; i < scores.length; i++) if ((scores[i] ?? -Infinity) > -Infinity) count++;
  return count;
}

/** The documents of the list that pass the filter, with the frequencies of the words that were not read before. */
function lookUp(
  tx: Transaction,
  ranked: readonly Scored[],
  words: readonly string[],
  filter: Filter,
): Promise<Found[]> {
  const params: Value[] = [ranked.map((one) => one.namespaceId), ranked.map((one) => one.seq)];
  const condition = filter((value) => `$${params.push(value)}`);
  // Columns that nobody asked for would cost as much as the look-up itself.
  const unread = words.length === 0 ? '' : ', w.lexemes, w.frequencies';
  const join =
    words.length === 0
      ? ''
      : `left join lateral (select coalesce(array_agg(u.lexeme), '{}') as lexemes,
                  coalesce(array_agg(cardinality(u.positions)), '{}') as frequencies
           from search_texts s cross join unnest(s.words) u
          where s.memory_id = d.memory_id and u.lexeme = any($${params.push(words)}::text[])) w on true`;
  return tx.query<Found>(
    `select d.memory_id::text, d.namespace_id::text, d.seq, d.length${unread}
       from ${documentsAt}
       join memories m on m.id = d.memory_id ${join} where ${condition}`,
    params,
  );
}

function scoreOfUnread(row: Found, unread: readonly Term[], bm25: Bm25): number {
  const { lexemes = [], frequencies = [] } = row;
  return unread
    .filter((term) => term.namespace_id === row.namespace_id)
    .reduce((sum, term) => {
      const { weight, base, slope } = curve(term, bm25);
      const frequency = lexemes.reduce((n, word, i) => n + (word === term.lexeme ? (frequencies[i] ?? 0) : 0), 0);
      return frequency === 0 ? sum : sum + (weight * frequency) / (frequency + base + slope * row.length);
    }, 0);
}

/** Which of these words each memory holds; for the few hits of an answer. */
export async function matchedTerms(
  tx: Transaction,
  memoryIds: readonly string[],
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await tx.query<{ memory_id: string; words: string[] }>(
    `select s.memory_id::text, array_agg(distinct u.lexeme order by u.lexeme) as words
       from search_texts s cross join unnest(s.words) u
      where s.memory_id = any($1::uuid[]) and u.lexeme = any($2::text[]) group by 1`,
    [memoryIds, words],
  );
  return new Map(rows.map((row) => [row.memory_id, row.words]));
}
