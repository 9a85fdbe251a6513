/** The parts of a decision that go to the vault. */
export interface DecisionText {
  readonly summary: string;
  readonly options?: readonly string[] | undefined;
  /** It need not be one of the options. */
  readonly chosen?: string | undefined;
  readonly reason?: string | undefined;
}

/** The parts of a handoff that go to the vault. */
export interface HandoffText {
  readonly summary: string;
  readonly task?: string | undefined;
}

/** One JSON text, in the same order of members however they were sent. Members that were not sent are not in it. */
export function privateTextOf(said: DecisionText & HandoffText): string {
  const { summary, options, chosen, reason, task } = said;
  return JSON.stringify({ summary, options, chosen, reason, task });
}

/** The inverse: the text, if it was not erased, together with the members of the entry. */
export function withPrivateText(named: object, privateText: string | null): string {
  const members = [privateText ?? '{}', JSON.stringify(named)].map((text) => text.slice(1, -1));
  return `{${members.filter((text) => text !== '').join(',')}}`;
}
