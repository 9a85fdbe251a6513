import { isDeepStrictEqual } from 'node:util';
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
  /** The questions whose first ten hits are those of the database's index, in the same order and with the same scores. */
  readonly equal: number;
  readonly questions: number;
}

export interface CategoryScore extends Score {
  readonly category: string | undefined;
}

interface Hit {
  readonly turn: string;
  readonly score: number;
}

/** The hits of each question, best first. */
export type Answers = ReadonlyMap<string, readonly Hit[]>;

/** A score of each question that has evidence among the turns of the conversation. */
export function scoresOf({ turns, questions }: Conversation, answers: Answers, others: Answers): CategoryScore[] {
  const known = new Set(turns.map((turn) => turn.id));
  return questions.flatMap(({ question, evidence: given, category }) => {
    const evidence = new Set(given.filter((id) => known.has(id)));
    if (evidence.size === 0) return [];
    const found = answers.get(question) ?? [];
    const hits = found.map(({ turn }) => turn);
    const first10 = others.get(question)?.slice(0, 10) ?? [];
    const others10 = first10.map(({ turn }) => turn);
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
        equal: isDeepStrictEqual(found.slice(0, 10), first10) ? 1 : 0,
        questions: 1,
      },
    ];
  });
}

/** The means of all questions, and how many were answered equally. */
export function meanOf(scores: readonly Score[]): Score {
  const mean = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return {
    r8: mean((s) => s.r8),
    r10: mean((s) => s.r10),
    hit1: mean((s) => s.hit1),
    mrr: mean((s) => s.mrr),
    same: mean((s) => s.same),
    equal: scores.reduce((sum, { equal }) => sum + equal, 0),
    questions: scores.length,
  };
}

export const figureHeads = ['R@8', 'R@10', 'hit@1', 'MRR', 'same first 10', 'equal first 10'] as const;
export const figuresOf = ({ r8, r10, hit1, mrr, same, equal, questions }: Score) => [
  ...[r8, r10, hit1, mrr, same].map((value) => value.toFixed(3)),
  `${equal} of ${questions}`,
];
