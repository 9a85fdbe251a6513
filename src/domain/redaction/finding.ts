import type { WriteRules } from '../../../contracts/entries/entry.js';
import { Refusal } from '../../../contracts/errors.js';

/** The kinds of sensitive values. These names are the keys of `details.kinds` in a content_rejected. */
export const kinds = ['private_key', 'token', 'iban', 'card', 'email', 'phone'] as const;
export type Kind = (typeof kinds)[number];

/** The number of found values of each kind; kinds that were not found are absent. */
export type Counts = Readonly<Partial<Record<Kind, number>>>;

/** The position of a sensitive value in a text, in code units: from `from` up to and without `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds the values of one kind, in order and without overlap. */
export type Detector = (text: string, budget: Budget) => Span[];

/** The largest number of calls to slow libraries for one text. */
const questionsPerText = 2000;

/**
 * The libraries for phones and cards take tens of microseconds for each question, so a text that consists of candidates
 * could block the process for seconds. When the budget is spent, a detector decides by the form alone.
 */
export class Budget {
  #left = questionsPerText;
  readonly #answers = new Map<string, boolean>();

  /** The answer to `question`, which is computed once; null when the budget is spent. */
  ask(question: string, answer: () => boolean): boolean | null {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    if (this.#left === 0) return null;
    this.#left -= 1;
    const given = answer();
    this.#answers.set(question, given);
    return given;
  }
}

export function addCounts(one: Counts, other: Counts): Counts {
  const sum: Partial<Record<Kind, number>> = { ...one };
  for (const kind of kinds) {
    const more = other[kind];
    if (more !== undefined) sum[kind] = (sum[kind] ?? 0) + more;
  }
  return sum;
}

/**
 * @param found the kinds of values that redaction has replaced in a text
 * @throws Refusal content_rejected where the workspace refuses such texts, with what was found by kind and none of it
 */
export function requireNothingSensitive({ sensitive }: WriteRules, found: Counts): void {
  if (sensitive === 'reject' && Object.keys(found).length > 0) {
    throw new Refusal('content_rejected', undefined, { kinds: found });
  }
}
