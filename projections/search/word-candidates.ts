import { groupedBy } from '../../src/base/groups.js';
import { largerFirst } from '../../src/base/order.js';
import { BestScores } from './best-scores.js';
import { postingBits } from './blocks.js';
import { curve, rarestFirst } from './bm25.js';
import type { Term } from './cache.js';
import type { MayPass } from './passing.js';
import { compareText, type Place } from './place.js';
import { blockOf, frequencyAt, offsetOf, placeOfBlock } from './posting-list.js';
import type { Bm25, WordCandidates, WordsQuery } from './search-index.js';

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
  const parts = [...groupedBy(read, (term) => term.namespace_id)]
    .map(([namespaceId, terms]) => partOf(namespaceId, terms, query.bm25))
    .sort((a, b) => compareText(a.namespaceId, b.namespaceId));
  const byNamespace = new Map(parts.map((one) => [one.namespaceId, one]));
  const documents = new Map(query.terms.map((term) => [term.namespace_id, term.documents]));
  return {
    namespaceIds: parts.map(({ namespaceId }) => namespaceId),
    documents: [...documents.values()].reduce((sum, count) => sum + count, 0),
    choose: async (size, mayPass) => best(summedUp(parts), parts, size, mayPass),
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

/** The words that are added up in a namespace. */
interface Part {
  readonly namespaceId: string;
  /** In the order in which they are added up. */
  readonly words: readonly Word[];
  /** The blocks that hold a word, the oldest first. */
  readonly blocks: Uint32Array;
}

interface Word extends Pick<Term, 'list' | 'lengths'> {
  readonly curve: ReturnType<typeof curve>;
}

function partOf(namespaceId: string, terms: readonly Term[], bm25: Bm25): Part {
  const words = terms.map((term) => ({ list: term.list, lengths: term.lengths, curve: curve(term, bm25) }));
  return { namespaceId, words, blocks: blocksOf(terms) };
}

/** Sorted as integers: a set of the blocks of a million memories took longer than to add up their scores. */
function blocksOf(terms: readonly Term[]): Uint32Array {
  const all = new Uint32Array(terms.reduce((sum, { list }) => sum + list.blocks.length, 0));
  let end = 0;
  for (const { list } of terms) {
    all.set(list.blocks, end);
    end += list.blocks.length;
  }
  return all.sort().filter((block, i) => i === 0 || block !== all[i - 1]);
}

/**
 * The approximate scores of the documents of all parts, one part after the other, as arrays of numbers. Objects or callbacks for 100,000
 * documents took 44 ms, which is longer than SQL takes; plain loops over numbers take 10 ms.
 */
interface Sums {
  /** The scores of the documents in the blocks of the parts, 0 for documents without any of the words. Higher is better. */
  readonly scores: Float64Array;
  /** The highest score in each block. */
  readonly tops: Float64Array;
}

/**
 * The memory of the sums that were made last, and the parts that they belong to. Each search makes them here: an array of its own had
 * 800 kB among 100,000 memories. A search that finds those of another one here makes its own again.
 */
let sums: Sums = { scores: new Float64Array(0), tops: new Float64Array(0) };
let summed: readonly Part[] | undefined;

function summedUp(parts: readonly Part[]): Sums {
  if (summed === parts) return sums;
  const blocks = parts.reduce((sum, one) => sum + one.blocks.length, 0);
  if (sums.tops.length < blocks)
    sums = { scores: new Float64Array(blocks * blockSize), tops: new Float64Array(blocks) };
  else sums.scores.fill(0, 0, blocks * blockSize);
  let first = 0;
  for (const { words, blocks: own } of parts) {
    for (const word of words) addScores(sums.scores, first, own, word);
    first += own.length * blockSize;
  }
  setTops(sums, blocks);
  summed = parts;
  return sums;
}

function setTops({ scores, tops }: Sums, blocks: number): void {
  for (let place = 0; place < blocks; place += 1) {
    let top = 0;
    for (let i = place * blockSize; i < (place + 1) * blockSize; i += 1) top = Math.max(top, scores[i] ?? 0);
    tops[place] = top;
  }
}

/** @param first where the scores of the first of the blocks begin */
function addScores(scores: Float64Array, first: number, among: Uint32Array, word: Word): void {
  const { blocks, starts, offsets, frequencies } = word.list;
  const { weight, base, slope } = word.curve;
  for (let at = 0, place = 0; at < blocks.length; at += 1) {
    const block = blocks[at] ?? 0;
    while ((among[place] ?? block) < block) place += 1;
    const own = word.lengths.get(block);
    if (!own) continue;
    const begin = first + place * blockSize;
    const end = starts[at + 1] ?? 0;
    for (let i = starts[at] ?? 0; i < end; i += 1) {
      const offset = offsets[i] ?? 0;
      const frequency = frequencies[i] ?? 0;
      const before = scores[begin + offset] ?? 0;
      scores[begin + offset] = before + (weight * frequency) / (frequency + base + slope * (own[offset] ?? 0));
    }
  }
}

/** The same sum, to the last bit, for one document. */
function sumAt(part: Part | undefined, place: Place): number {
  const [block, offset] = [blockOf(place), offsetOf(place)];
  let score = 0;
  for (const { list, lengths, curve } of part?.words ?? []) {
    const at = placeOfBlock(list, block);
    const length = lengths.get(block)?.[offset];
    const frequency = at < 0 || length === undefined ? 0 : frequencyAt(list, at, offset);
    if (frequency > 0) score += (curve.weight * frequency) / (frequency + curve.base + curve.slope * (length ?? 0));
  }
  return score;
}

/** A document and its approximate score; higher is better. */
interface Scored {
  readonly namespaceId: string;
  readonly seq: number;
  readonly score: number;
}

/**
 * The `size` best allowed documents, in order. Equal scores are ordered by namespace and `seq`, so that answers are repeatable. The
 * scores of the best blocks are read twice, first for the least of the best: an object for each that was among the best for a while was
 * half of what a search allocated where many memories are alike.
 */
function best(sums: Sums, parts: readonly Part[], size: number, mayPass: MayPass | undefined): Scored[] {
  const least = leastOf(sums, parts, size, mayPass);
  const { scores, tops } = sums;
  const above: Scored[] = [];
  const equal: Scored[] = [];
  let place = 0;
  for (const { namespaceId, blocks } of parts) {
    for (const block of blocks) {
      const first = place * blockSize;
      const top = tops[place] ?? 0;
      place += 1;
      if (top === 0 || top < least) continue;
      for (let offset = 0; offset < blockSize; offset += 1) {
        const score = scores[first + offset] ?? 0;
        if (score === 0 || score < least || (score === least && equal.length === size)) continue;
        const seq = block * blockSize + offset;
        if (mayPass && !mayPass.has(seq)) continue;
        (score === least ? equal : above).push({ namespaceId, seq, score });
      }
    }
  }
  above.sort((a, b) => largerFirst(a.score, b.score) || compareText(a.namespaceId, b.namespaceId) || a.seq - b.seq);
  return [...above, ...equal].slice(0, size);
}

/** The least score of the `size` best allowed documents; −∞ if there are fewer. */
function leastOf({ scores, tops }: Sums, parts: readonly Part[], size: number, mayPass: MayPass | undefined): number {
  const best = new BestScores(size);
  let place = 0;
  for (const { blocks } of parts) {
    for (const block of blocks) {
      const first = place * blockSize;
      const top = tops[place] ?? 0;
      place += 1;
      if (top <= best.least) continue;
      for (let offset = 0; offset < blockSize; offset += 1) {
        const score = scores[first + offset] ?? 0;
        if (score === 0 || score <= best.least || (mayPass && !mayPass.has(block * blockSize + offset))) continue;
        best.push(score);
      }
    }
  }
  return best.least;
}
