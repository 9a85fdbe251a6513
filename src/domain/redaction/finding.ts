/** What redaction looks for. These names are the keys of `details.kinds` in a content_rejected. */
export const kinds = ['private_key', 'token', 'iban', 'card', 'email', 'phone'] as const;
export type Kind = (typeof kinds)[number];

/** How many were found of each kind; a kind that was not found is not named. */
export type Counts = Readonly<Partial<Record<Kind, number>>>;

/** Where a sensitive value stands in a text: code units `from` to before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Finds the values of one kind, in order and without overlap. */
export type Detector = (text: string, budget: Budget) => Span[];

/** How often a text may ask the slow libraries. */
const questionsPerText = 2000;

/**
 * The libraries for phones and cards take tens of microseconds for each question, so a text made of nothing but
 * candidates could hold the process for seconds. Whoever finds the budget spent decides by form alone.
 */
export class Budget {
  #left = questionsPerText;
  readonly #answers = new Map<string, boolean>();

  /** The answer to `question`, which is asked once; null when nothing may be asked any more. */
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
