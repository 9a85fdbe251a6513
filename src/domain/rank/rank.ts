import { largerFirst } from '../../base/order.js';
import { contextOf, type Weighted } from './context.js';

/** How soon further occurrences of a word stop adding, and how much the score of long contexts is reduced. */
export const bm25 = { k1: 0.9, b: 0.4 } as const;
/** The weight of a vector beside the words: small without a model, because that vector is made of the same words. */
const denseWeight = { lexical: 0.15, model: 0.5 } as const;
const factors = { who: 0.2, asks: -0.15, when: 0.3 } as const;
/** By how much the factor of a memory is multiplied that is from a month or year which the query names. */
const dated = 1.1;

/** A memory that may be returned, as far as it lends its words to others. */
export interface Written {
  readonly id: string;
  /** The number of its words and wholes. */
  readonly length: number;
  /** Whether its text ends with a question. */
  readonly asks: boolean;
}

export interface Candidate extends Written {
  readonly saysWhen: boolean;
  /** The one who said or wrote it; null where that is not known. */
  readonly who: string | null;
  /** Those that may be returned too and were written before and after it in its source or run, nearest first. */
  readonly earlier: readonly Written[];
  readonly later: readonly Written[];
}

/** A word of the query: the tokens that stand for it, of which the best counts in a memory. */
export interface RankedWord {
  /** From 0 to 1: how much it counts beside the other words. */
  readonly share: number;
  /** By the memories that have any of its tokens. */
  readonly idf: number;
  readonly tokens: readonly RankedToken[];
}

interface RankedToken {
  /** As it is shown to people. */
  readonly word: string;
  readonly share: number;
  /** How often it is in each memory that has it, by id. */
  readonly frequencies: ReadonlyMap<string, number>;
}

/**
 * Of which vectors the cosines are, and the cosine below which two texts have nothing in common. What lies below it counts nothing
 * with the built-in embedder. With a model every cosine above 0 counts, but a memory below the floor that has none of the query's
 * words is no hit. The floor of a model is null until it is known.
 */
export type VectorKind =
  | { readonly of: 'lexical'; readonly floor: number }
  | { readonly of: 'model'; readonly floor: number | null };

export interface Question {
  /** The words that memories have that may be returned; null if the arm did not run. */
  readonly words: readonly RankedWord[] | null;
  /**
   * The cosine of the query and of a memory, −1 to 1, and −1 where it is not known; null if the arm did not run. With a model it is
   * that of the memory together with its context (see meaning.ts).
   */
  readonly cosineOf: ((candidate: Candidate) => number) | null;
  readonly vectors: VectorKind;
  readonly asksWhen: boolean;
  /** The month or year in which the query looks for a memory and it is from (see periods.ts); null for none. */
  readonly periodOf: (candidate: Candidate) => string | null;
  /** The only one whose name is in the query and who wrote memories here; null for none or several. */
  readonly named: string | null;
  /** The mean length of a memory. */
  readonly meanLength: number;
}

export interface Scored {
  readonly id: string;
  /** From 0 to 1. It means the same in every search. */
  readonly score: number;
  /** The score without its limit of 1, by which hits are sorted. */
  readonly order: number;
  /** The share of the query's words that the memory has itself, 0 to 1. */
  readonly keyword: number;
  /** The part of that share that disappears without its context. */
  readonly neighbours: number;
  /** The similarity of its text, with a model also of its context, 0 to 1. */
  readonly dense: number;
  readonly helped: Helped;
}

/** The reasons besides words and vectors that have raised a memory. */
export interface Helped {
  /** It is by the one whom the query names. */
  readonly isNamed: boolean;
  /** The query asks for a time, and its text has one. */
  readonly saysWhen: boolean;
  /** The month or year that the query names and that it is from: `May 2023`. */
  readonly period: string | null;
  /** It is newer than the first hit, alike, and nearly as good (see newest.ts). */
  readonly isNewer: boolean;
  /** The memory before it is a question that has a word of the query. */
  readonly answers: boolean;
  /** The words of the query that only the memories around it have. */
  readonly lent: readonly string[];
}

/**
 * Scores candidates of one namespace. How the constants were chosen: see the page about how search ranks.
 * @returns those with a score above 0, the best first; of equal scores the newest id comes first
 */
export function rank(question: Question, candidates: readonly Candidate[]): Scored[] {
  const contexts = candidates.map((candidate) => contextOf(candidate, candidate.earlier, candidate.later));
  const expected = expectedLength(question, contexts);
  const counts = countsOf(question.words ?? []);
  return candidates
    .map((candidate, i) => scored(question, candidate, contexts[i] ?? [], expected, counts))
    .filter(({ order }) => order > 0)
    .sort(bestFirst);
}

export const bestFirst = (a: Scored, b: Scored): number => largerFirst(a.order, b.order) || (a.id < b.id ? 1 : -1);

type Context = readonly Weighted<Written>[];

/** The mean length of a context: that of a memory, times the mean sum of the weights of the candidates' contexts. */
function expectedLength({ meanLength }: Question, contexts: readonly Context[]): number {
  let weights = 0;
  for (const context of contexts) for (const { weight } of context) weights += weight;
  return Math.max(1, (meanLength * weights) / Math.max(1, contexts.length));
}

/**
 * The tokens of each memory. Most memories have few of them: asking each memory of each context for each token took a tenth of the
 * processor time of a search.
 */
interface Counts {
  /** By the id of a memory: the number of a token among those of all words, how often it is there, the next token, and so on. */
  readonly of: ReadonlyMap<string, readonly number[]>;
  /** The sums of one context and of one memory by the number of the token, which are used again for each candidate. */
  readonly all: Float64Array;
  readonly own: Float64Array;
}

function countsOf(words: readonly RankedWord[]): Counts {
  const counts = new Map<string, number[]>();
  const tokens = words.flatMap((word) => word.tokens);
  for (const [token, { frequencies }] of tokens.entries()) {
    // `for … of` would allocate a pair for each memory.
    frequencies.forEach((frequency, id) => {
      const known = counts.get(id);
      if (known) known.push(token, frequency);
      else counts.set(id, [token, frequency]);
    });
  }
  return { of: counts, all: new Float64Array(tokens.length), own: new Float64Array(tokens.length) };
}

function scored(question: Question, candidate: Candidate, context: Context, expected: number, counts: Counts): Scored {
  const { cosineOf, vectors } = question;
  const { all, own: keyword, lent } = wordsIn(question, context, expected, counts);
  const cosine = cosineOf ? cosineOf(candidate) : -1;
  const dense = similarity(vectors, cosine);
  const helped = helpedBy(question, candidate, lent, counts);
  const factor = factorOf(helped, candidate);
  // Which words a memory has is not known without the arm, so nothing is left out for having none.
  const isHit = !question.words || all > 0 || cosine >= (vectors.floor ?? -1);
  const order = isHit ? orderOf(question, all, dense, factor) : 0;
  return {
    id: candidate.id,
    score: Math.min(1, order),
    order,
    keyword,
    neighbours: Math.max(0, all - keyword),
    dense,
    helped,
  };
}

/** The vectors of a model say something of their own, so that the factors count for them too. */
function orderOf({ words, vectors }: Question, all: number, dense: number, factor: number): number {
  if (!words) return dense * factor;
  return vectors.of === 'model'
    ? (all + denseWeight.model * dense) * factor
    : all * factor + denseWeight.lexical * dense;
}

interface InContext {
  /** The share of the query's words that the memory and its context have, 0 to 1. */
  readonly all: number;
  /** The same without its context. */
  readonly own: number;
  /** The words that only the context has. */
  readonly lent: readonly string[];
}

/** BM25 without a division by the best hit's score. */
function wordsIn({ words }: Question, context: Context, expected: number, counts: Counts): InContext {
  addFrequencies(counts.all, context, context.length, counts);
  addFrequencies(counts.own, context, 1, counts);
  const leastOfAll = leastOf(context, context.length, expected);
  const leastOfOwn = leastOf(context, 1, expected);
  const lent: string[] = [];
  let [all, own, most, at] = [0, 0, 0, 0];
  for (const { share, idf, tokens } of words ?? []) {
    let [bestOfAll, bestOfOwn] = [0, 0];
    let first: string | null = null;
    for (const token of tokens) {
      const ofAll = counts.all[at] ?? 0;
      const ofOwn = counts.own[at] ?? 0;
      at += 1;
      if (ofAll === 0) continue;
      first ??= token.word;
      bestOfAll = Math.max(bestOfAll, (token.share * ofAll) / (ofAll + leastOfAll));
      if (ofOwn > 0) bestOfOwn = Math.max(bestOfOwn, (token.share * ofOwn) / (ofOwn + leastOfOwn));
    }
    all += share * idf * bestOfAll;
    own += share * idf * bestOfOwn;
    most += share * idf;
    if (first !== null && bestOfOwn === 0) lent.push(first);
  }
  return most === 0 ? { all: 0, own: 0, lent } : { all: all / most, own: own / most, lent };
}

/**
 * The frequency at which a word counts half: it is higher in longer contexts.
 * @param size how many of the context count, from the memory itself on
 */
function leastOf(context: Context, size: number, expected: number): number {
  let length = 0;
  for (let i = 0; i < size; i += 1) {
    const one = context[i];
    if (one) length += one.weight * one.memory.length;
  }
  return bm25.k1 * (1 - bm25.b + (bm25.b * length) / expected);
}

/** Sums up how often each token is in the first `size` memories of a context together, by their weights. */
function addFrequencies(sums: Float64Array, context: Context, size: number, counts: Counts): void {
  sums.fill(0);
  for (let at = 0; at < size; at += 1) {
    const one = context[at];
    const own = one && counts.of.get(one.memory.id);
    if (!own) continue;
    const { weight } = one;
    for (let i = 0; i < own.length; i += 2) {
      const token = own[i] ?? 0;
      sums[token] = (sums[token] ?? 0) + weight * (own[i + 1] ?? 0);
    }
  }
}

const similarity = ({ of, floor }: VectorKind, cosine: number): number =>
  Math.min(1, Math.max(0, of === 'model' ? cosine : (cosine - floor) / (1 - floor)));

function helpedBy(
  { named, asksWhen, periodOf }: Question,
  candidate: Candidate,
  lent: readonly string[],
  counts: Counts,
): Helped {
  const {
    who,
    saysWhen,
    earlier: [before],
  } = candidate;
  return {
    isNamed: named !== null && who === named,
    saysWhen: asksWhen && saysWhen,
    period: periodOf(candidate),
    isNewer: false,
    answers: before?.asks === true && counts.of.has(before.id),
    lent,
  };
}

const factorOf = ({ isNamed, saysWhen, period }: Helped, { asks }: Candidate): number =>
  (1 + (isNamed ? factors.who : 0) + (asks ? factors.asks : 0) + (saysWhen ? factors.when : 0)) *
  (period === null ? 1 : dated);
