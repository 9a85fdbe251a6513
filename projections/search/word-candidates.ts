import { groupedBy } from '../../src/base/groups.js';
import { largerFirst } from '../../src/base/order.js';
import { BestScores } from './best-scores.js';
import { postingBits } from './blocks.js';
import { curve, rarestFirst } from './bm25.js';
import type { Term } from './cache.js';
import type { MayPass } from './passing.js';
import { compareText, type Place } from './place.js';
import { blockOf, offsetOf } from './posting-list.js';
import type { Bm25, RankedCandidates, WordCandidates, WordsQuery } from './search-index.js';

const blockSize = 2 ** postingBits;

/**
 * Ranks memories that hold any word of the query by BM25, as far as the posting lists of its words are read.
 *
 * Lists are read in the order of frequency, rarest word first, until the budget is used up. The remaining words can only add to
 * the score of documents that were already found, and are looked up in the texts of the best of these.
 *
 * These alternatives were measured with 100,000 memories of 16 words in PGlite and queries of 3 to 10 words, and rejected: one
 * row for each posting, added up in SQL, took 121 ms (p50) for all postings, and 39 ms (p95) when stopped after 10,000
 * postings, with 99.5% of the places right; reading the blocks of every word from the database each time took 30 ms of a
 * search of 64 ms.
 */
export async function wordCandidates(query: WordsQuery): Promise<WordCandidates> {
  const { read, unread } = withinBudget(query);
  const sums = [...groupedBy(read, (term) => term.namespace_id)].map(([namespaceId, terms]) =>
    sumsOf(namespaceId, terms, query.bm25),
  );
  const byNamespace = new Map(sums.map((one) => [one.namespaceId, one]));
  const documents = new Map(query.terms.map((term) => [term.namespace_id, term.documents]));
  const total = [...documents.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...byScores(sums, total),
    unread,
    sumsAt: async (places) => places.map((place) => sumAt(byNamespace.get(place.namespaceId), place)),
  };
}

function withinBudget({ terms, budget }: WordsQuery): { read: Term[]; unread: Term[] } {
  const used = rarestFirst(terms);
  let postings = 0;
  const read = used.filter((term, i) => {
    postings += term.frequency;
    return i === 0 || postings <= budget;
  });
  return { read, unread: used.slice(read.length) };
}

/** @param terms of the namespace, in the order in which they are added up */
function sumsOf(namespaceId: string, terms: readonly Term[], bm25: Bm25): Sums {
  const blocks = [...new Set(terms.flatMap(({ list }) => [...list.blocks]))].sort((a, b) => a - b);
  const placeOf = new Map(blocks.map((block, i) => [block, i * blockSize]));
  const scores = new Float64Array(blocks.length * blockSize);
  for (const term of terms) addScores(scores, placeOf, term, curve(term, bm25));
  return { namespaceId, blocks, placeOf, scores, tops: topsOf(scores) };
}

function topsOf(scores: Float64Array): Float64Array {
  const tops = new Float64Array(scores.length / blockSize);
  for (let place = 0; place < tops.length; place += 1) {
    let top = 0;
    for (let i = place * blockSize; i < (place + 1) * blockSize; i += 1) top = Math.max(top, scores[i] ?? 0);
    tops[place] = top;
  }
  return tops;
}

function addScores(
  scores: Float64Array,
  placeOf: ReadonlyMap<number, number>,
  { list, lengths }: Term,
  { weight, base, slope }: ReturnType<typeof curve>,
): void {
  const { blocks, starts, offsets, frequencies } = list;
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] ?? 0;
    const own = lengths.get(block);
    const first = placeOf.get(block);
    if (!own || first === undefined) continue;
    const end = starts[at + 1] ?? 0;
    for (let i = starts[at] ?? 0; i < end; i += 1) {
      const offset = offsets[i] ?? 0;
      const frequency = frequencies[i] ?? 0;
      const before = scores[first + offset] ?? 0;
      scores[first + offset] = before + (weight * frequency) / (frequency + base + slope * (own[offset] ?? 0));
    }
  }
}

function sumAt(sums: Sums | undefined, place: Place): number {
  const first = sums?.placeOf.get(blockOf(place));
  return first === undefined ? 0 : (sums?.scores[first + offsetOf(place)] ?? 0);
}

/**
 * The approximate scores of a namespace, as an array of numbers. Objects or callbacks for 100,000 documents took 44 ms, which is longer
 * than SQL takes; plain loops over numbers take 10 ms.
 */
interface Sums {
  readonly namespaceId: string;
  /** The blocks that hold a word, the oldest first. */
  readonly blocks: readonly number[];
  /** Where the scores of each block begin. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** The scores of the documents of these blocks, 0 for documents without any of the words. Higher is better. */
  readonly scores: Float64Array;
  /** The highest score in each block. */
  readonly tops: Float64Array;
}

/** A document and its approximate score; higher is better. */
interface Scored {
  readonly namespaceId: string;
  readonly seq: number;
  readonly score: number;
}

/** Candidates that are chosen by known scores, without another read. */
const byScores = (sums: readonly Sums[], documents: number): RankedCandidates => ({
  namespaceIds: sums.map(({ namespaceId }) => namespaceId),
  documents,
  choose: async (size, mayPass) => best(sums, size, mayPass),
});

/**
 * The `size` best allowed documents, in order. Equal scores are ordered by namespace and `seq`, so that answers are repeatable. The
 * scores of the best blocks are read twice, first for the least of the best: an object for each that was among the best for a while was
 * half of what a search allocated where many memories are alike.
 */
function best(sums: readonly Sums[], size: number, mayPass: MayPass | undefined): Scored[] {
  const least = leastOf(sums, size, mayPass);
  const above: Scored[] = [];
  const equal: Scored[] = [];
  for (const { namespaceId, blocks, scores, tops } of sums.toSorted((a, b) =>
    compareText(a.namespaceId, b.namespaceId),
  )) {
    for (const [place, top] of tops.entries()) {
      if (top === 0 || top < least) continue;
      for (let i = place * blockSize; i < (place + 1) * blockSize; i += 1) {
        const score = scores[i] ?? 0;
        if (score === 0 || score < least || (score === least && equal.length === size)) continue;
        const seq = seqAt(blocks, i);
        if (mayPass && !mayPass.has(seq)) continue;
        (score === least ? equal : above).push({ namespaceId, seq, score });
      }
    }
  }
  above.sort((a, b) => largerFirst(a.score, b.score) || compareText(a.namespaceId, b.namespaceId) || a.seq - b.seq);
  return [...above, ...equal].slice(0, size);
}

/** The least score of the `size` best allowed documents; −∞ if there are fewer. */
function leastOf(sums: readonly Sums[], size: number, mayPass: MayPass | undefined): number {
  const best = new BestScores(size);
  for (const { blocks, scores, tops } of sums) {
    for (const [place, top] of tops.entries()) {
      if (top <= best.least) continue;
      for (let i = place * blockSize; i < (place + 1) * blockSize; i += 1) {
        const score = scores[i] ?? 0;
        if (score === 0 || score <= best.least || (mayPass && !mayPass.has(seqAt(blocks, i)))) continue;
        best.push(score);
      }
    }
  }
  return best.least;
}

/** The document that the place `i` of the scores belongs to. */
const seqAt = (blocks: readonly number[], i: number): number =>
  (blocks[Math.floor(i / blockSize)] ?? 0) * blockSize + (i % blockSize);
