import type { MayPass } from './passing.js';
import { byScoreAndPlace, type Place } from './place.js';
import type { EnginePlaces, NearPlaces } from './search-engine.js';

/** An arm needs more candidates than the engine has given. */
export class TooFewCandidates extends Error {
  override name = 'TooFewCandidates';
  /** @param size the number of candidates that is probably enough */
  constructor(readonly size: number) {
    super('the search engine has given too few candidates');
  }
}

/** Which score each place has, with one read for all places. */
export type ScoresAt = (places: readonly Place[]) => Promise<readonly number[]>;

/** Remembers the scores of places that were looked up. */
export function rememberedScores(look: ScoresAt): ScoresAt {
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
export async function bestPlaces(
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
