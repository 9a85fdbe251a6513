/**
 * How the arms of a search become one list. The constants were chosen on five LoCoMo conversations (995 questions, one
 * memory per turn), by the share of the evidence among the first ten, which is flat around them:
 *
 *   keyword alone, k1 1.2 b 0.75: 0.622   k1 0.9 b 0.4: 0.640     (short texts: length says little)
 *   keyword and neighbours: 0.741         dense alone: 0.43       dense and neighbours: 0.58
 *   fused with neighbours, dense weight 0.4: 0.749, 0.5: 0.753, 0.6: 0.755; when an arm does not score what only the other
 *   one found: 0.739
 *   lending 0.3 and 0.15: 0.728, 0.4 and 0.2: 0.747, 0.5 and 0.25: 0.753 (and worse on single answers)
 */
export const bm25 = { k1: 0.9, b: 0.4 } as const;

const weights = { dense: 0.5, keyword: 0.5 } as const;
/** What a memory lends to the one written directly before or after it, and to the one after that. */
const lent = [0.45, 0.25] as const;

/** How far apart, in writing order within one source or run, two memories may be to lend to each other. */
export const neighbourDistance = lent.length;

export interface RankInput {
  /** Best first, with their cosines. Null: the arm did not run. */
  readonly dense: readonly { readonly memoryId: string; readonly score: number }[] | null;
  /** Best first, with their BM25. */
  readonly keyword: readonly { readonly memoryId: string; readonly score: number }[] | null;
  /** Cosine below which two texts of the model have nothing in common. */
  readonly floor: number;
  /** Pairs of a candidate and a memory written `distance` places from it, in both directions. */
  readonly neighbours: readonly { readonly memoryId: string; readonly otherId: string; readonly distance: number }[];
}

export interface ArmSignal {
  readonly rank: number;
  readonly score: number;
}

export interface Ranked {
  readonly memoryId: string;
  /** 0..1: the weighted mean of the arms that ran, and what neighbours lend. */
  readonly score: number;
  readonly dense: ArmSignal | null;
  readonly keyword: ArmSignal | null;
  /** What neighbours lend; not bounded by 1, as four of them may lend. */
  readonly neighbours: { readonly score: number } | null;
}

/** Fuses the arms, lets neighbours lend, and sorts best first; equal scores are put newest id first. */
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

  const borrowed = new Map<string, number>();
  const seen = new Set<string>();
  for (const { memoryId, otherId, distance } of neighbours) {
    // Neighbours by source and by run alike lend only once.
    const pair = `${memoryId} ${otherId}`;
    if (seen.has(pair)) continue;
    seen.add(pair);
    const loan = own(memoryId) * (lent[distance - 1] ?? 0);
    if (loan > 0) borrowed.set(otherId, (borrowed.get(otherId) ?? 0) + loan);
  }
  const ids = new Set([...denseSignals.keys(), ...keywordSignals.keys(), ...borrowed.keys()]);
  return [...ids]
    .map((memoryId) => ({ memoryId, loan: borrowed.get(memoryId) ?? 0, own: own(memoryId) }))
    .sort((a, b) => b.own + b.loan - (a.own + a.loan) || (a.memoryId < b.memoryId ? 1 : -1))
    .map(({ memoryId, loan, own }) => ({
      memoryId,
      score: Math.min(1, own + loan),
      dense: denseSignals.get(memoryId) ?? null,
      keyword: keywordSignals.get(memoryId) ?? null,
      neighbours: loan > 0 ? { score: loan } : null,
    }));
}

/** Candidates that matched at all, with their place among them. */
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

/** Why a memory stands where it stands, for people. */
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
