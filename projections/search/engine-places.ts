import type { MayPass } from './passing.js';
import type { Place } from './place.js';
import type { EnginePlaces } from './search-engine.js';

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
    .sort((a, b) => b.score - a.score || compareText(a.namespaceId, b.namespaceId) || a.seq - b.seq)
    .slice(0, size);
  if (best.length < size && !isComplete) {
    // By the share that is left of what the engine has given; half of it is added for safety.
    throw new TooFewCandidates(Math.ceil((1.5 * size * places.length) / Math.max(1, best.length)));
  }
  return best;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
