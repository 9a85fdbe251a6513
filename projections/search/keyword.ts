import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { postingBits } from './blocks.js';
import type { SearchCache } from './cache.js';
import type { Filter } from './passing.js';
import { type Postings, readPostings } from './postings.js';
import { type Arm, bestPassing, byScore, byScores, documentsAt, type Hit, type Place } from './scope.js';
import type { Term } from './terms.js';
import type { Scores } from './top.js';

export interface Bm25 {
  /** How soon more occurrences of a word stop to matter. */
  readonly k1: number;
  /** How much long documents are held back, 0 to 1. */
  readonly b: number;
}

export interface KeywordQuery extends Bm25 {
  /** The words of the query as each namespace to search knows them. */
  readonly terms: readonly Term[];
  readonly filter: Filter;
  readonly limit: number;
  /**
   * Postings added up at most, besides those of the rarest word. 200,000 is a good bound: looking up the words that were not
   * read costs more than reading them (100,000 memories: 53 ms at 20,000 against 42 without a bound, p50, busy machine).
   */
  readonly budget: number;
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
 * each is in, and the idf ln(1 + (N − n + ½) / (n + ½)) that is never negative.
 *
 * Words are taken rarest first until the budget is spent. The others can only add to a document found by then, and are
 * looked up in the words of the best of them.
 *
 * Rejected, 100,000 memories of 16 words in PGlite, queries of 3 to 10: one row for each posting, added up in SQL, 121 ms
 * (p50) for all, 39 ms (p95) when stopped after 10,000 postings, with 99.5% of the places; the blocks of every word read
 * from the database each time, 30 ms of a search of 64.
 */
export async function keywordCandidates(tx: Transaction, cache: SearchCache, query: KeywordQuery): Promise<Arm> {
  const { read, unread } = withinBudget(query);
  const sums = sumScores(read, await readPostings(tx, cache, read), query);
  const look = async (places: readonly Place[]): Promise<Hit[]> => {
    const rows = await lookUp(tx, places, [...new Set(unread.map((term) => term.lexeme))], query.filter);
    return rows.map((row) => {
      const place = { memoryId: row.memory_id, namespaceId: row.namespace_id, seq: row.seq };
      return { ...place, score: sumAt(sums, place) + scoreOfUnread(row, unread, query) };
    });
  };
  const documents = new Map(query.terms.map((term) => [term.namespace_id, term.documents]));
  const choice = byScores(
    scoresOf(sums),
    [...documents.values()].reduce((sum, count) => sum + count, 0),
  );
  const hits = await bestPassing(tx, cache, choice, query.filter, query.limit, Math.ceil(1.25 * query.limit), look);
  return {
    hits: hits.sort(byScore).slice(0, query.limit),
    async scoresOf(others) {
      const scored =
        unread.length > 0 ? await look(others) : others.map((other) => ({ ...other, score: sumAt(sums, other) }));
      return scored.filter(({ score }) => score > 0);
    },
  };
}

/** Words of a query that one namespace is searched for, the rarest of them: beside so many the others hardly tell memories apart. */
const mostWords = 32;

/** Two words of the query may be the same to a namespace; each counts once. Equally rare ones always come in one order. */
function withinBudget({ terms, budget }: KeywordQuery): { read: Term[]; unread: Term[] } {
  const rarest = [...new Map(terms.map((term) => [term.term, term])).values()].sort(
    (a, b) => a.frequency - b.frequency || (a.term < b.term ? -1 : 1),
  );
  const words = new Map<string, number>();
  const told = rarest.filter(({ namespace_id: id }) => {
    words.set(id, (words.get(id) ?? 0) + 1);
    return (words.get(id) ?? 0) <= mostWords;
  });
  let postings = 0;
  const read = told.filter((term, i) => {
    postings += term.frequency;
    return i === 0 || postings <= budget;
  });
  return { read, unread: told.slice(read.length) };
}

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

/** The score of each document of a block that holds a word, 0 of the others, and how many do. */
interface BlockSums {
  readonly scores: Float64Array;
  count: number;
}

/** By namespace and block. */
type Sums = ReadonlyMap<string, ReadonlyMap<number, BlockSums>>;

function sumScores(terms: readonly Term[], of: (term: Term, block: number) => Postings | undefined, bm25: Bm25): Sums {
  const sums = new Map<string, Map<number, BlockSums>>();
  for (const term of terms) {
    const blocks = sums.get(term.namespace_id) ?? new Map<number, BlockSums>();
    sums.set(term.namespace_id, blocks);
    for (const block of term.blocks) {
      const sum = blocks.get(block) ?? { scores: new Float64Array(2 ** postingBits), count: 0 };
      blocks.set(block, sum);
      const postings = of(term, block);
      if (postings) addScores(sum, postings, curve(term, bm25));
    }
  }
  return sums;
}

function addScores(
  sum: BlockSums,
  { offsets, frequencies, lengths }: Postings,
  { weight, base, slope }: ReturnType<typeof curve>,
): void {
  const { scores } = sum;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i] ?? 0;
    const frequency = frequencies[i] ?? 0;
    const before = scores[offset] ?? 0;
    if (before === 0) sum.count++;
    scores[offset] = before + (weight * frequency) / (frequency + base + slope * (lengths[i] ?? 0));
  }
}

const sumAt = (sums: Sums, { namespaceId, seq }: Place): number =>
  sums.get(namespaceId)?.get(Math.floor(seq / 2 ** postingBits))?.scores[seq % 2 ** postingBits] ?? 0;

const scoresOf = (sums: Sums): Scores[] =>
  [...sums].flatMap(([namespaceId, blocks]) =>
    [...blocks].map(([block, sum]) => ({ namespaceId, first: block * 2 ** postingBits, ...sum })),
  );

/** The documents of the list that pass the filter, with the frequencies of the words that were not read before. */
function lookUp(tx: Transaction, places: readonly Place[], words: readonly string[], filter: Filter): Promise<Found[]> {
  const params: Value[] = [places.map((one) => one.namespaceId), places.map((one) => one.seq)];
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

/**
 * Which of these words each document holds, by the places of both; for the few hits of an answer. The lists of the words tell
 * it, most of which were read just before. To look into the texts took 4.3 s for three of 1 MiB of distinct words.
 */
export async function matchedTerms(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  terms: readonly Term[],
): Promise<(place: Place) => Term[]> {
  const wanted = new Set(places.map(blockKey));
  const needed = terms.map((term) => {
    const kept = term.blocks.flatMap((block, i) =>
      wanted.has(`${term.namespace_id} ${block}`) ? [{ block, version: term.versions[i] ?? '' }] : [],
    );
    return { ...term, blocks: kept.map(({ block }) => block), versions: kept.map(({ version }) => version) };
  });
  const read = await readPostings(tx, cache, needed);
  return (place) =>
    terms.filter(
      (term) =>
        term.namespace_id === place.namespaceId &&
        read(term, blockOf(place))?.offsets.includes(place.seq % 2 ** postingBits),
    );
}

const blockOf = ({ seq }: Place): number => Math.floor(seq / 2 ** postingBits);
const blockKey = (place: Place): string => `${place.namespaceId} ${blockOf(place)}`;
