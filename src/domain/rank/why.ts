import type { Helped } from './rank.js';

/** A hit of a search, with what found it. */
export interface Ranked {
  readonly memoryId: string;
  /** From 0 to 1. It means the same in every search. */
  readonly score: number;
  /** The similarity of its text, and its place among the candidates by it; null where it found nothing. */
  readonly dense: ArmSignal | null;
  /** The share of the query's words that it has itself. */
  readonly keyword: ArmSignal | null;
  /** The part of the words that the memories around it lend to it. */
  readonly neighbours: { readonly score: number } | null;
  readonly helped: Helped;
  /** Whom the query names, as the query has it, if the memory is by that one. */
  readonly by: string | null;
}

interface ArmSignal {
  readonly rank: number;
  readonly score: number;
}

/** A sentence for people that explains the rank of a memory. */
export function whyOf({ dense, keyword, neighbours, helped, by }: Ranked, matched: readonly string[]): string {
  const reasons: string[] = [];
  if (keyword) {
    const words = matched.length > 0 ? ` (${matched.join(', ')})` : '';
    reasons.push(`it is number ${keyword.rank} by the words it shares with the query${words}`);
  }
  if (neighbours) {
    const words = keyword ? 'more words' : 'the words';
    reasons.push(
      helped.answers
        ? 'it answers a question that has your words'
        : `${words} of the query are in the messages around it`,
    );
  }
  if (dense) reasons.push(`it is number ${dense.rank} by similarity of its text`);
  if (by !== null) reasons.push(`it is by ${by}`);
  if (helped.saysWhen) reasons.push('it says when');
  const last = reasons.pop() ?? '';
  const sentence = reasons.length === 0 ? last : `${reasons.join(', ')}, and ${last}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
