import type { Actor, Draft } from '../../contracts/entries/entry.js';
import type { Indexable } from '../../contracts/entries/indexable.js';
import type { Deposit, StoredAnswer } from '../../contracts/entries/recorded.js';
import type { ErrorCode, Refusal } from '../../contracts/errors.js';
import type { Head, Linked } from '../ledger/chain.js';
import type { Reads, WorkspaceState } from './state/state.js';

/** The entries of a command, and the texts that they commit to. */
export interface Effects {
  readonly drafts: readonly Draft[];
  readonly deposits: readonly Deposit[];
  /** Of new memories that are indexed with their append. */
  readonly indexables?: readonly Indexable[];
}

/** The outcome of a command: entries to append, what they commit to, and the answer once they are in the chain. */
export interface Done<A> extends Effects {
  answer(receipts: readonly Linked[]): A;
  /** The answer as it is stored for a repetition of the request; unset when the request may happen again. */
  keep?(answer: A, receipts: readonly Linked[]): StoredAnswer;
}

/** A refusal that leaves entries behind. The caller gets it once these are in the chain. */
export interface Refused extends Effects {
  readonly refusal: Refusal;
  /** The code of the answer when the entries cannot be recorded. */
  readonly unrecorded: ErrorCode;
}

export type Decision<A> = Done<A> | Refused;

/** A request that may write. `decide` is pure: it runs again with a newer state when another process wrote first. */
export interface Command<A> {
  /** From whom its entries are. */
  readonly actor: Actor;
  readonly reads: Reads;
  /**
   * @param head the end of the chain that the entries would follow
   * @param indexing `later` after an append has failed: what makes a text unfit for the index must not keep it out of the ledger
   * @throws Refusal when the command may not happen; nothing of it is written then.
   */
  decide(state: WorkspaceState, recordedAt: string, head: Head, indexing?: 'now' | 'later'): Decision<A>;
}
