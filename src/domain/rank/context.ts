/**
 * The context of a memory: those that were written around it in the same source or run. A message is often understood only
 * from the ones before, so their words count for it too. The weights were chosen by experiment on half of LoCoMo (see the
 * page about ranking); without context the share of the evidence among the first ten hits falls by 0.151.
 */
export const reach = { before: 6, after: 3 } as const;

const before = [0.3, 0.3, 0.2, 0.2, 0.1, 0.1] as const;
const after = [0.3, 0.3, 0.1] as const;
/** The memory after a question is its answer, so the words of the question count for it as its own. */
const question = { before: 1, after: 0.2 } as const;

interface Asking {
  readonly asks: boolean;
}

export interface Weighted<M> {
  readonly memory: M;
  readonly weight: number;
}

/**
 * The memory itself with the weight 1, then its context.
 * @param earlier the memories before it, the nearest first, of which at most six count
 * @param later the memories after it, the nearest first, of which at most three count
 */
export function contextOf<M extends Asking>(memory: M, earlier: readonly M[], later: readonly M[]): Weighted<M>[] {
  const context = [weighted(memory, 1)];
  for (let i = 0; i < Math.min(reach.before, earlier.length); i += 1) {
    const other = earlier[i];
    if (other) context.push(weighted(other, i === 0 && other.asks ? question.before : (before[i] ?? 0)));
  }
  for (let i = 0; i < Math.min(reach.after, later.length); i += 1) {
    const other = later[i];
    if (other) context.push(weighted(other, i === 0 && memory.asks ? question.after : (after[i] ?? 0)));
  }
  return context;
}

/**
 * All are made here. Where one place made those with whole numbers and another one those with fractions, they had several layouts in
 * memory, and the code that reads them was compiled again and again.
 */
const weighted = <M>(memory: M, weight: number): Weighted<M> => ({ memory, weight });
