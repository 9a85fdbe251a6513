/**
 * What the check of one claim came to. `not checked`: there is something to check, and what it is checked against is missing
 * (a key, a block header). `absent`: the bundle does not make the claim.
 */
export type State = 'verified' | 'failed' | 'not checked' | 'absent';

export interface Claim {
  readonly name: 'entry' | 'content' | 'inclusion' | 'checkpoint' | 'consistency' | 'opentimestamps' | 'ethereum';
  readonly state: State;
  /** One sentence for a person: what is shown by it, or what is wrong. */
  readonly text: string;
  /** The values behind the sentence, such as hashes, sizes and times, in the order to show them in. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** Every claim once, in the order of the names above: a reader sees what was not shown as well. */
export interface Report {
  /** What the entry says of itself; null when it cannot be read. */
  readonly receipt: {
    readonly receipt_id: string;
    readonly kind: string;
    readonly workspace_id: string;
    readonly seq: number;
    readonly recorded_at: string;
    /** SHA-256(0x00 ‖ entry bytes), lowercase hex. */
    readonly hash: string;
  } | null;
  readonly claims: readonly Claim[];
}
