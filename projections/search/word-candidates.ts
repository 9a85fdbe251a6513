import type { Transaction } from '../../src/adapters/database/database.js';
import { postingBits } from './blocks.js';
import { curve } from './bm25.js';
import type { SearchCache } from './cache.js';
import { type Postings, readPostings } from './postings.js';
import { byScores, type Place } from './scope.js';
import type { Bm25, WordCandidates, WordsQuery } from './search-index.js';
import type { Term } from './terms.js';
import type { Scores } from './top.js';

/**
 * Memories that hold any word of the query, by BM25 as far as the lists of its words are read.
 *
 * Words are taken rarest first until the budget is spent. All other words can only add to a document found by then, and are
 * looked up in the words of the best of them.
 *
 * Rejected, 100,000 memories of 16 words in PGlite, queries of 3 to 10: one row for each posting, added up in SQL, 121 ms
 * (p50) for all, 39 ms (p95) when stopped after 10,000 postings, with 99.5% of the places; the blocks of every word read
 * from the database each time, 30 ms of a search of 64.
 */
export async function wordCandidates(tx: Transaction, cache: SearchCache, query: WordsQuery): Promise<WordCandidates> {
  const { read, unread } = withinBudget(query);
  const sums = sumScores(read, await readPostings(tx, cache, read), query.bm25);
  const documents = new Map(query.terms.map((term) => [term.namespace_id, term.documents]));
  const total = [...documents.values()].reduce((sum, count) => sum + count, 0);
  return { ...byScores(scoresOf(sums), total), unread, sumAt: (place) => sumAt(sums, place) };
}

/** Words of a query that one namespace is searched for, the rarest of them: more words hardly distinguish memories. */
const mostWords = 32;

/** Two words of the query may be the same to a namespace; each counts once. Equally rare ones always come in one order. */
function withinBudget({ terms, budget }: WordsQuery): { read: Term[]; unread: Term[] } {
  const rarest = [...new Map(terms.map((term) => [term.term, term])).values()].sort(
    (a, b) => a.frequency - b.frequency || (a.term < b.term ? -1 : 1),
  );
  const words = new Map<string, number>();
  const chosen = rarest.filter(({ namespace_id: id }) => {
    words.set(id, (words.get(id) ?? 0) + 1);
    return (words.get(id) ?? 0) <= mostWords;
  });
  let postings = 0;
  const read = chosen.filter((term, i) => {
    postings += term.frequency;
    return i === 0 || postings <= budget;
  });
  return { read, unread: chosen.slice(read.length) };
}

/** The score of each document of a block that holds a word, 0 for all other documents, and how many do. */
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
