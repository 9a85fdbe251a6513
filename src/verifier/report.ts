import type { CloseFields } from './close.js';
import type { DecisionFields } from './decision.js';
import type { JsonObject } from './json.js';
import type { Row } from './rows.js';
import type { ActorFields } from './story/actor.js';
import type { TaskFields } from './task.js';

/**
 * The result of checking one claim. `not checked`: the bundle makes the claim, and a key or block header that the check
 * needs is missing. `absent`: the bundle does not make the claim.
 */
export type State = 'verified' | 'failed' | 'not checked' | 'absent';

/** The claims in their order. `witnesses` and `range` are there only for a reader with a policy of witnesses, or with entries. */
export const claimNames = [
  'entry',
  'content',
  'inclusion',
  'checkpoint',
  'consistency',
  'opentimestamps',
  'ethereum',
  'witnesses',
  'range',
] as const;
export type ClaimName = (typeof claimNames)[number];

export interface Claim {
  readonly name: ClaimName;
  readonly state: State;
  /** One sentence for a person: what is shown, or what is wrong. */
  readonly text: string;
  /** The values for the sentence, such as hashes, sizes and times, in the order in which they are displayed. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** The content of a receipt for people: who did what, when, to what, and with which texts. */
export interface Story {
  /** One sentence, which repeats what the entry says. */
  readonly sentence: string;
  readonly facts: readonly Fact[];
}

/** A line of the story, with the claim that it depends on. All values are on one line and of limited length. */
export interface Fact extends Pick<Row, 'name' | 'values'> {
  readonly claim: Claim['name'];
  readonly state: State;
}

/** A text that the bundle does not show is null. */
interface Texts {
  readonly content: string | null;
  readonly metadata: string | null;
  readonly source: string | null;
  /** Only of a search. */
  readonly query?: string | null;
}

/** Every claim once, in the order of the names above, so that a reader also sees what was not shown. */
export interface Report {
  /** The data of the entry; null when it cannot be read. */
  readonly receipt: {
    readonly receipt_id: string;
    readonly kind: string;
    readonly workspace_id: string;
    readonly seq: number;
    readonly recorded_at: string;
    /** SHA-256(0x00 ‖ entry bytes), lowercase hex. */
    readonly hash: string;
    readonly actor: ActorFields;
    /** The body of the entry, as it is. */
    readonly body: JsonObject;
    /** The texts that the bundle shows, when the claim `content` is verified, and otherwise null. */
    readonly texts: Texts | null;
    /** The same for people, in lines of limited length. */
    readonly story: Story;
    /** Of a task receipt its fields; null when they cannot be read. Other receipts have no such member. */
    readonly task?: TaskFields | null;
    /** The same of a decision or a handoff. */
    readonly decision?: DecisionFields | null;
    /** The same of the close of a day. */
    readonly close?: CloseFields | null;
  } | null;
  readonly claims: readonly Claim[];
}
