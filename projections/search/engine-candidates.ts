import type { Transaction } from '../../src/database/database.js';
import { documentsWith, rarestFirst, scoreOfWords } from './bm25.js';
import { everything, type MayPass } from './passing.js';
import { byScoreAndPlace, type Place } from './place.js';
import type { EnginePlaces, NearPlaces } from './search-engine.js';
import type { RankedCandidates, WordCandidates, WordsQuery } from './search-index.js';

/**
 * The candidates that an engine has given by words, with their BM25 by the statistics of the database. The sums are added up in
 * the order in which the tables of the database add them up, so they are equal to the last bit.
 */
export function engineWords(tx: Transaction, given: EnginePlaces, query: WordsQuery): WordCandidates {
  const terms = rarestFirst(query.terms);
  const lexemes = [...new Set(terms.map((term) => term.lexeme))];
  const sumsAt = rememberedScores(async (places) => {
    const rows = await documentsWith(tx, places, lexemes, everything);
    const sums = new Map(rows.map((row) => [`${row.namespaceId} ${row.seq}`, scoreOfWords(row, terms, query.bm25)]));
    return places.map(({ namespaceId, seq }) => sums.get(`${namespaceId} ${seq}`) ?? 0);
  });
  const documents = new Map(terms.map((term) => [term.namespace_id, term.documents]));
  return {
    namespaceIds: [...documents.keys()],
    documents: [...documents.values()].reduce((sum, count) => sum + count, 0),
    choose: (size, mayPass) => bestPlaces(given, sumsAt, 0, size, mayPass),
    unread: [],
    sumsAt,
  };
}

/**
 * The candidates that an engine has given by vectors. It compares the same codes as the index of the database, with the same
 * result, so nothing is read to choose the same memories, and no process needs to hold the codes of all memories.
 */
export async function engineVectors(
  tx: Transaction,
  given: NearPlaces,
  namespaceIds: readonly string[],
): Promise<RankedCandidates> {
  return {
    namespaceIds,
    documents: await documentsIn(tx, namespaceIds),
    choose: async (size, mayPass) => nearestPlaces(given, size, mayPass),
  };
}

async function documentsIn(tx: Transaction, namespaceIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ documents: number }>(
    'select coalesce(sum(documents), 0)::bigint as documents from search_namespaces where namespace_id = any($1::uuid[])',
    [namespaceIds],
  );
  return row?.documents ?? 0;
}

/** An arm needs more candidates than the engine has given. */
export class TooFewCandidates extends Error {
  override name = 'TooFewCandidates';
  /** @param size the number of candidates that is probably enough */
  constructor(readonly size: number) {
    super('the search engine has given too few candidates');
  }
}

/** Which score each place has, with one read for all places. */
type ScoresAt = (places: readonly Place[]) => Promise<readonly number[]>;

/** Remembers the scores of places that were looked up. */
function rememberedScores(look: ScoresAt): ScoresAt {
  const known = new Map<string, number>();
  const keyOf = ({ namespaceId, seq }: Place) => `${namespaceId} ${seq}`;
  return async (places) => {
    const unknown = places.filter((place) => !known.has(keyOf(place)));
    const scores = unknown.length === 0 ? [] : await look(unknown);
    for (const [i, place] of unknown.entries()) known.set(keyOf(place), scores[i] ?? Number.NEGATIVE_INFINITY);
    return places.map((place) => known.get(keyOf(place)) ?? Number.NEGATIVE_INFINITY);
  };
}

/**
 * The `size` best places that may pass, by scores that the service computes from the database.
 * @param least a place with this score or a smaller one is no candidate
 * @throws TooFewCandidates when the engine may have more
 */
async function bestPlaces(
  { places, isComplete }: EnginePlaces,
  scoresAt: ScoresAt,
  least: number,
  size: number,
  mayPass: MayPass | undefined,
): Promise<readonly Place[]> {
  const passing = mayPass ? places.filter(({ seq }) => mayPass.has(seq)) : places;
  const scores = await scoresAt(passing);
  const best = passing
    .map((place, i) => ({ ...place, score: scores[i] ?? least }))
    .filter(({ score }) => score > least)
    .sort(byScoreAndPlace)
    .slice(0, size);
  if (best.length < size && !isComplete) throw tooFew(size, places.length, best.length);
  return best;
}

/** By the share that is left of what the engine has given; half of it is added for safety. */
const tooFew = (size: number, given: number, left: number) =>
  new TooFewCandidates(Math.ceil((1.5 * size * given) / Math.max(1, left)));

/**
 * The `size` nearest places that may pass, by the similarities that the engine has given.
 * @throws TooFewCandidates when a memory that the engine has not given may be among them
 */
export function nearestPlaces(
  { places, rest }: NearPlaces,
  size: number,
  mayPass: MayPass | undefined,
): readonly Place[] {
  const passing = mayPass ? places.filter(({ seq }) => mayPass.has(seq)) : places;
  const best = [...passing].sort(byScoreAndPlace).slice(0, size);
  const least = best.length < size ? Number.NEGATIVE_INFINITY : (best.at(-1)?.score ?? 0);
  // A memory with the same similarity as the last one may come before it.
  if (rest > Number.NEGATIVE_INFINITY && rest >= least) throw tooFew(size, places.length, best.length);
  return best;
}
