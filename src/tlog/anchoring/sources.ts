import type { Note, NoteSignature, VerifierKey } from '../../verifier/note.js';
import type { Timestamp } from '../../verifier/ots/timestamp.js';

/** The answer of a calendar about a message that was submitted to it. */
export type Upgrade =
  /** The message's timestamp, with an attestation of more than the calendar's own. */
  | { readonly state: 'upgraded'; readonly timestamp: Timestamp }
  /** It is being attested; the reason is the calendar's own text. */
  | { readonly state: 'pending'; readonly reason: string }
  /** The calendar does not know the message. It may say so of a message of some seconds ago, and of one that it lost. */
  | { readonly state: 'not found'; readonly reason: string }
  /** Of a calendar that was taken out of the settings; a later checkpoint shows what it had promised. */
  | { readonly state: 'not asked'; readonly reason: string }
  | { readonly state: 'unavailable'; readonly reason: string };

export interface Stamped {
  /** Of the digest: what all calendars that answered have promised. */
  readonly timestamp: Timestamp;
  readonly failures: readonly { readonly calendar: string; readonly reason: string }[];
}

export interface CalendarClient {
  /** Asks one calendar to attest a message (32 bytes). @throws Unavailable */
  submit(calendar: string, message: Uint8Array): Promise<Timestamp>;
  /** @param uri the address in a pending attestation; `message` is what it attests */
  upgrade(uri: string, message: Uint8Array): Promise<Upgrade>;
  /**
   * Asks all calendars at once to attest a digest, which none of them sees: each sees its hash with a nonce behind it.
   * @throws Unavailable when fewer than `least` answered, with the reasons of all that did not
   */
  stamp(digest: Uint8Array, least: number): Promise<Stamped>;
}

/** Where block headers come from. None is given out without the work that it must have cost. */
export interface BitcoinHeaders {
  /**
   * The header (80 bytes) of the block of a height, or undefined when there is none yet or the source does not have it.
   * @throws Unavailable when the source cannot be asked or is wrong
   */
  header(height: number): Promise<Uint8Array | undefined>;
}

/** A checkpoint as witnesses are shown it. */
export interface Shown {
  readonly note: Note;
  /** Its number of leaves. */
  readonly size: number;
  /** The proof that it contains the tree of `from` leaves. */
  proofFrom(from: number): Promise<readonly Uint8Array[]>;
}

/** The witness has signed something that this log does not contain. */
export class WitnessObjects extends Error {
  override name = 'WitnessObjects';

  constructor(
    message: string,
    /** Leaves that the witness says it has signed. */
    readonly signed: number,
  ) {
    super(message);
  }
}

export interface Witness {
  readonly key: VerifierKey;
  /**
   * @returns their signature, which was verified
   * @throws WitnessObjects, and Unavailable when they do not answer, refuse, or sign something else
   */
  cosign(shown: Shown): Promise<NoteSignature>;
}
