import type { Conversation } from './conversation.js';

/** Figures of one question or, as means, of several. */
export interface Score {
  /** The share of a question's evidence among the first eight and ten hits. */
  readonly r8: number;
  readonly r10: number;
  /** Whether the first hit is evidence. */
  readonly hit1: number;
  /** 1 divided by the place of the first hit that is evidence; 0 without one. */
  readonly mrr: number;
  /** The share of the first ten hits of the database's index that are among the first ten of this one. */
  readonly same: number;
  readonly questions: number;
}

export interface CategoryScore extends Score {
  readonly category: string | undefined;
}

/** The turns that were found for each question, best first. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** A score of each question that has evidence among the turns of the conversation. */
export function scoresOf({ turns, questions }: Conversation, answers: Answers, others: Answers): CategoryScore[] {
  const known = new Set(turns.map((turn) => turn.id));
  return questions.flatMap(({ question, evidence: given, category }) => {
    const evidence = new Set(given.filter((id) => known.has(id)));
    if (evidence.size === 0) return [];
    const hits = answers.get(question) ?? [];
    const others10 = others.get(question)?.slice(0, 10) ?? [];
    const share = (n: number) => hits.slice(0, n).filter((id) => evidence.has(id)).length / evidence.size;
    const first = hits.findIndex((id) => evidence.has(id));
    const own = new Set(hits.slice(0, 10));
    return [
      {
        category,
        r8: share(8),
        r10: share(10),
        hit1: first === 0 ? 1 : 0,
        mrr: first < 0 ? 0 : 1 / (first + 1),
        same: others10.length === 0 ? 1 : others10.filter((id) => own.has(id)).length / others10.length,
        questions: 1,
      },
    ];
  });
}

/** The means of all questions. */
export function meanOf(scores: readonly Score[]): Score {
  const mean = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return {
    r8: mean((s) => s.r8),
    r10: mean((s) => s.r10),
    hit1: mean((s) => s.hit1),
    mrr: mean((s) => s.mrr),
    same: mean((s) => s.same),
    questions: scores.length,
  };
}

export const figureHeads = ['R@8', 'R@10', 'hit@1', 'MRR', 'same first 10'] as const;
export const figuresOf = ({ r8, r10, hit1, mrr, same }: Score) =>
  [r8, r10, hit1, mrr, same].map((value) => value.toFixed(3));
