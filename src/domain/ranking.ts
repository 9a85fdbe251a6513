/**
 * Merges the results of the search arms into one list. The constants were chosen on five LoCoMo conversations (995
 * questions, one memory per message) by the share of the evidence among the first ten results. That share changes
 * little around them:
 *
 *   keyword alone, k1 1.2 b 0.75: 0.622   k1 0.9 b 0.4: 0.640     (texts are short, so their length matters little)
 *   keyword and neighbours: 0.741         dense alone: 0.43       dense and neighbours: 0.58
 *   both with neighbours, dense weight 0.4: 0.749, 0.5: 0.753, 0.6: 0.755
 *   the same, when a memory that only one arm found gets no score from the other: 0.739
 *   neighbour weights 0.3 and 0.15: 0.728, 0.4 and 0.2: 0.747, 0.5 and 0.25: 0.753 (and worse on single answers)
 */
export const bm25 = { k1: 0.9, b: 0.4 } as const;

const weights = { dense: 0.5, keyword: 0.5 } as const;
/** The shares of its score that a memory adds to memories written one place and two places before or after it. */
const neighbourWeights = [0.45, 0.25] as const;

/** The largest distance between neighbours, in writing order within one source or run. */
export const neighbourDistance = neighbourWeights.length;

export interface RankInput {
  /** Candidates with their cosines, best first. Null if the arm did not run. */
  readonly dense: readonly { readonly memoryId: string; readonly score: number }[] | null;
  /** Candidates with their BM25 scores, best first. */
  readonly keyword: readonly { readonly memoryId: string; readonly score: number }[] | null;
  /** The cosine below which the model finds nothing in common between two texts. */
  readonly floor: number;
  /** Pairs of a candidate and a memory that was written `distance` places before or after it. */
  readonly neighbours: readonly { readonly memoryId: string; readonly otherId: string; readonly distance: number }[];
}

interface ArmSignal {
  readonly rank: number;
  readonly score: number;
}

export interface Ranked {
  readonly memoryId: string;
  /** From 0 to 1: the weighted mean of the arms that ran, plus the score of the neighbours. */
  readonly score: number;
  readonly dense: ArmSignal | null;
  readonly keyword: ArmSignal | null;
  /** The sum that neighbours add. It may exceed 1, because up to four neighbours add to it. */
  readonly neighbours: { readonly score: number } | null;
}

/** Combines the arms, adds the scores of neighbours, and sorts the best first. Of equal scores the newest id comes first. */
export function rank({ dense, keyword, floor, neighbours }: RankInput): Ranked[] {
  const denseSignals = signals(dense, ({ score }) => Math.max(0, (score - floor) / (1 - floor)));
  const best = Math.max(0, ...(keyword ?? []).map((candidate) => candidate.score));
  const keywordSignals = signals(keyword, ({ score }) => (best > 0 ? score / best : 0));
  const weight = (dense ? weights.dense : 0) + (keyword ? weights.keyword : 0);
  const own = (id: string): number =>
    weight === 0
      ? 0
      : (weights.dense * (denseSignals.get(id)?.score ?? 0) + weights.keyword * (keywordSignals.get(id)?.score ?? 0)) /
        weight;

  const fromNeighbours = new Map<string, number>();
  const seen = new Set<string>();
  for (const { memoryId, otherId, distance } of neighbours) {
    // A pair that is neighbouring by source and also by run counts only once.
    const pair = `${memoryId} ${otherId}`;
    if (seen.has(pair)) continue;
    seen.add(pair);
    const added = own(memoryId) * (neighbourWeights[distance - 1] ?? 0);
    if (added > 0) fromNeighbours.set(otherId, (fromNeighbours.get(otherId) ?? 0) + added);
  }
  const ids = new Set([...denseSignals.keys(), ...keywordSignals.keys(), ...fromNeighbours.keys()]);
  return [...ids]
    .map((memoryId) => ({ memoryId, added: fromNeighbours.get(memoryId) ?? 0, own: own(memoryId) }))
    .sort((a, b) => b.own + b.added - (a.own + a.added) || (a.memoryId < b.memoryId ? 1 : -1))
    .map(({ memoryId, added, own }) => ({
      memoryId,
      score: Math.min(1, own + added),
      dense: denseSignals.get(memoryId) ?? null,
      keyword: keywordSignals.get(memoryId) ?? null,
      neighbours: added > 0 ? { score: added } : null,
    }));
}

/** The candidates with a score above zero, with their rank. */
function signals<C extends { readonly memoryId: string }>(
  candidates: readonly C[] | null,
  scoreOf: (candidate: C) => number,
): Map<string, ArmSignal> {
  const found = new Map<string, ArmSignal>();
  for (const candidate of candidates ?? []) {
    const score = Math.min(1, scoreOf(candidate));
    if (score > 0) found.set(candidate.memoryId, { rank: found.size + 1, score });
  }
  return found;
}

/** A sentence for people that explains the rank of a memory. */
export function whyOf({ dense, keyword, neighbours }: Ranked, matched: readonly string[]): string {
  const reasons: string[] = [];
  if (keyword) {
    const words = matched.length > 0 ? ` (${matched.join(', ')})` : '';
    reasons.push(`it is number ${keyword.rank} by the words it shares with the query${words}`);
  }
  if (dense) reasons.push(`number ${dense.rank} by similarity of its text`);
  if (neighbours) reasons.push('memories written next to it match as well');
  const sentence = reasons.join(', and ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
