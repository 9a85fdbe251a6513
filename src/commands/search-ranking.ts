import {
  floorOf,
  frequenciesAt,
  type Hit,
  namesIn,
  nearestAt,
  ownTimes,
  type QueryWord,
  type RankedMemory,
  type SearchCache,
  type SearchQuery,
  type Segment,
  segmentsOf,
  type Term,
} from '../../projections/search/queries.js';
import { groupedBy } from '../base/groups.js';
import type { Transaction } from '../database/database.js';
import type { HitFilter } from '../domain/filters.js';
import { contextOf, reach } from '../domain/rank/context.js';
import { cosineInContext } from '../domain/rank/meaning.js';
import { periodOf, periodsIn } from '../domain/rank/periods.js';
import { asksWhen, namesIn as namesOf } from '../domain/rank/question.js';
import {
  bestFirst,
  type Candidate,
  type Question,
  type RankedWord,
  rank,
  type Scored,
  type VectorKind,
  type Written,
} from '../domain/rank/rank.js';
import type { Ranked } from '../domain/rank/why.js';
import { shownWord } from '../domain/tokens/text.js';
import { type ByNamespace, type ComparedText, contendersOf, newestFirst } from './search-newest.js';

/**
 * Of how many candidates, the best by words, those around are candidates too: those further down have little to lend. With 16 of
 * 50 the share of the evidence among the first ten hits was the same on half of LoCoMo as with all 50 (0.812), with half of the
 * memories to read.
 */
const lending = 16;

/** The candidates of each arm, best first; null if the arm did not run. */
export interface Found {
  readonly dense: readonly Hit[] | null;
  readonly keyword: readonly Hit[] | null;
}

interface Asked {
  readonly query: string;
  readonly words: readonly QueryWord[];
  readonly search: Pick<SearchQuery, 'condition' | 'namespaceIds' | 'vector'>;
  /** The floor of the built-in embedder; null for a model, of which the floor is estimated. */
  readonly floor: number | null;
  readonly best: HitFilter & { readonly k: number };
}

/**
 * Reads the short texts among those of some memories, of which the first ones are probably the hits: so they are read with them. They
 * must not be shown.
 */
export type ReadTexts = (ids: readonly string[]) => Promise<readonly ComparedText[]>;

/**
 * Ranks the candidates and those around them. What does not pass the filter lends nothing and has no place.
 * @returns the best `k` that the query wants, best first
 */
export async function rankedOf(
  tx: Transaction,
  cache: SearchCache,
  asked: Asked,
  found: Found,
  read: ReadTexts,
): Promise<Ranked[]> {
  const { query, search } = asked;
  const pool = poolOf(found, asked.floor === null);
  const lenders = Math.min(lending, found.keyword?.length ?? 0);
  const [segments, names, vectors] = await Promise.all([
    segmentsOf(tx, cache, pool, lenders, search.condition),
    namesIn(tx, cache, search.namespaceIds, namesOf(query), search.condition),
    vectorKind(tx, asked),
  ]);
  const placed = candidatesOf(segments, lenders);
  const memories = groupedBy(placed, ({ namespaceId }) => namespaceId);
  const words = countedWords(asked, segments);
  const [cosineOf, periodOf] = await Promise.all([
    cosinesOf(tx, cache, asked, found, segments),
    periodsOf(tx, query, placed),
  ]);
  const byNamespace = new Map<string, Scored[]>();
  for (const [namespaceId, own] of memories) {
    const theirs = new Set(names.flatMap((one) => (one.namespaceId === namespaceId ? [one.who] : [])));
    const [named = null] = theirs.size === 1 ? theirs : [];
    const question = {
      words: found.keyword && words.filter((word) => word.namespaceId === namespaceId),
      cosineOf,
      vectors,
      asksWhen: asksWhen(query),
      periodOf,
      named,
      meanLength: meanLengthOf(asked.words.find((word) => word.namespaceId === namespaceId)?.terms[0]),
    };
    byNamespace.set(namespaceId, rank(question, own));
  }
  const texts = await textsOf(byNamespace, asked.best, read);
  return shaped(newestFirst(byNamespace, texts, query, asked.words).sort(bestFirst), asked.best, words);
}

/** The texts that decide which hit is the first one. Those of the hits so far are read with them. */
async function textsOf(
  byNamespace: ByNamespace,
  best: Asked['best'],
  read: ReadTexts,
): Promise<readonly ComparedText[]> {
  const contenders = contendersOf(byNamespace);
  if (contenders.length === 0) return [];
  const hits = [...byNamespace.values()].flat().sort(bestFirst);
  const ids = wantedOf(hits, best).map(({ id }) => id);
  const compared = new Set(contenders);
  return (await read([...new Set([...ids, ...contenders])])).filter(({ id }) => compared.has(id));
}

const wantedOf = (scored: readonly Scored[], { k, ...wanted }: Asked['best']): Scored[] =>
  scored.filter((one) => isWanted(one, wanted)).slice(0, k);

const vectorKind = async (tx: Transaction, { floor, search: { vector } }: Asked): Promise<VectorKind> =>
  floor === null ? { of: 'model', floor: vector && (await floorOf(tx, vector)) } : { of: 'lexical', floor };

/**
 * The candidates of both arms, those by words first. Without a model a memory without any word of the query has a score of .15 at
 * most. So where the words have found enough, only the nearest of these are looked at: with ten of them the figures on half of
 * LoCoMo are the same as with all 50 (R@10 .809, hit@1 .499).
 */
function poolOf({ keyword, dense }: Found, isModel: boolean): Hit[] {
  const byWords = new Map(keyword?.map((hit) => [hit.memoryId, hit]));
  const others = (dense ?? []).filter(({ memoryId }) => !byWords.has(memoryId));
  return [...byWords.values(), ...(isModel || byWords.size < enough ? others : others.slice(0, nearest))];
}

/** As many hits as a search returns at most. */
const enough = 50;
const nearest = 10;

/**
 * The cosine of a candidate: of its own text without a model, and together with its context with one. Null if the arm did not
 * run.
 */
async function cosinesOf(
  tx: Transaction,
  cache: SearchCache,
  { floor, search: { vector } }: Asked,
  { dense }: Found,
  segments: readonly Segment[],
): Promise<((candidate: Candidate) => number) | null> {
  if (!dense) return null;
  if (floor === null && vector) {
    const memories = new Set(segments.flatMap((segment) => segment.memories));
    const nearest = await nearestAt(tx, cache, [...memories], vector);
    const vectorOf = ({ id }: { readonly id: string }) => nearest.get(id)?.vector;
    return (one) => cosineInContext(vector.vector, contextOf<Written>(one, one.earlier, one.later), vectorOf);
  }
  const cosines = new Map(dense.map(({ memoryId, score }) => [memoryId, score]));
  return ({ id }) => cosines.get(id) ?? -1;
}

/** The month or year that the query names and that a candidate is from. Few queries name one, so that times are rarely read. */
async function periodsOf(tx: Transaction, query: string, placed: readonly Placed[]): Promise<Question['periodOf']> {
  const periods = periodsIn(query);
  if (periods.length === 0) return () => null;
  const ids = placed.map(({ id }) => id);
  const times = await ownTimes(tx, ids);
  return ({ id }) => {
    const time = times.get(id);
    return time === undefined ? null : periodOf(periods, time);
  };
}

const meanLengthOf = (term: Term | undefined): number => (term ? term.length / Math.max(1, term.documents) : 1);

type Placed = Candidate & Pick<RankedMemory, 'namespaceId'>;

/** The candidates of the arms, and those to which the first of them lend their words. */
function candidatesOf(segments: readonly Segment[], lenders: number): Placed[] {
  const found = new Map<string, Placed>();
  const add = ({ memories }: Segment, at: number) => {
    const memory = memories[at];
    if (!memory || found.has(memory.id)) return;
    const earlier = memories.slice(Math.max(0, at - reach.before), at).reverse();
    const later = memories.slice(at + 1, at + 1 + reach.after);
    const { id, namespaceId, length, asks, saysWhen, who } = memory;
    found.set(id, { id, namespaceId, length, asks, saysWhen, who, earlier, later });
  };
  for (const segment of segments) add(segment, segment.at);
  for (const segment of segments.slice(0, lenders)) {
    const from = Math.max(0, segment.at - reach.after);
    for (let at = from; at <= segment.at + reach.before; at += 1) add(segment, at);
  }
  return [...found.values()];
}

/** A word of the query, and the one in the memory if that is only similar. */
const shownTerm = ({ word, lexeme, isSimilar }: Term): string =>
  isSimilar ? `${shownWord(word)} ≈ ${lexeme}` : shownWord(word);

type CountedWord = RankedWord & { readonly namespaceId: string };

/** The words, with how often each memory of these segments has their tokens. */
function countedWords({ words }: Asked, segments: readonly Segment[]): CountedWord[] {
  const frequenciesOf = frequenciesAt(
    words.flatMap(({ terms }) => terms),
    segments.map(({ memories }) => memories),
  );
  return words.map(({ namespaceId, share, idf, terms }) => ({
    namespaceId,
    share,
    idf,
    // Tokens that none of these memories has would only be looked up in vain.
    tokens: terms
      .map((term) => ({ word: shownTerm(term), share: term.share, frequencies: frequenciesOf(term) }))
      .filter(({ frequencies }) => frequencies.size > 0),
  }));
}

function shaped(scored: readonly Scored[], best: Asked['best'], words: readonly RankedWord[]): Ranked[] {
  const tokens = words.flatMap((word) => word.tokens);
  const byWords = scored.map(({ keyword }) => keyword);
  const byVector = scored.map(({ dense }) => dense);
  return wantedOf(scored, best).map((one) => {
    const { id, score, keyword, dense, neighbours, helped } = one;
    const at = scored.indexOf(one);
    return {
      memoryId: id,
      score,
      keyword: keyword > 0 ? { rank: placeIn(byWords, at), score: keyword } : null,
      dense: dense > 0 ? { rank: placeIn(byVector, at), score: dense } : null,
      neighbours: neighbours > 0 ? { score: neighbours } : null,
      helped,
      matched: matchedIn(id, tokens),
    };
  });
}

const isWanted = ({ score, keyword, dense }: Scored, { minScore, neighbours }: HitFilter): boolean =>
  score >= minScore && (neighbours || keyword > 0 || dense > 0);

/** The words that a memory has itself. Those of other namespaces are in none of its memories. */
function matchedIn(id: string, tokens: RankedWord['tokens']): string[] {
  const own = tokens.filter((token) => token.frequencies.has(id));
  return [...new Set(own.map(({ word }) => word))];
}

/** The place of one of these scores, from 1. Of equal ones the first comes first. */
function placeIn(scores: readonly number[], at: number): number {
  const own = scores[at] ?? 0;
  let place = 1;
  for (let i = 0; i < scores.length; i += 1) {
    const score = scores[i] ?? 0;
    if (score > own || (score === own && i < at)) place += 1;
  }
  return place;
}
