import type { Deposit, KeptAnswer, Recorded } from '../../contracts/entries/recorded.js';
import type { Head, Linked } from './chain.js';

/** The entries of one command, committed together with every other command of the same append or not at all. */
export interface Commit {
  /** UUID of the command: appending it a second time returns the first outcome and writes nothing. */
  readonly commandId: string;
  readonly entries: readonly Linked[];
  readonly deposits: readonly Deposit[];
  /** What a repetition of the request is answered with. Durable with the entries; there may be one without entries. */
  readonly answer: KeptAnswer | null;
}

/** An entry as stored: the bytes that were hashed beside what they say. */
export interface Stored extends Recorded {
  readonly bytes: Uint8Array;
}

/** Nothing of an append is there, and nothing of it will be: it may be decided anew. The cause is what went wrong. */
export class NotAppended extends Error {
  override name = 'NotAppended';
}

export type Appended = { readonly outcome: 'appended' } | { readonly outcome: 'conflict'; readonly head: Head };

/**
 * Append-only chains, one per workspace. Engines differ, these duties do not:
 * positions are (chain, seq), dense from 1; an entry once read is never read differently.
 */
export interface Ledger {
  /**
   * Appends the commits in their order behind `expected`, all or none, durable when it resolves.
   * `conflict` says that someone else appended first and nothing was written. If it throws anything but NotAppended, the
   * outcome is unknown: call it again with the same commits (the command ids make that safe) until it is known, before
   * anything else is appended.
   * Calls for one chain may run at the same time; one of them wins.
   */
  append(chain: string, expected: Head, commits: readonly Commit[]): Promise<Appended>;

  /** Up to `limit` entries after `afterSeq`, in order, with the deposits that still exist. */
  read(chain: string, afterSeq: number, limit: number): Promise<Stored[]>;

  /** Starts a chain, durable when it resolves. Doing it again with the same genesis is harmless. */
  begin(chain: string, genesis: Uint8Array): Promise<void>;

  /** Every chain with its genesis bytes, ordered by id. */
  chains(): Promise<{ readonly chain: string; readonly genesis: Uint8Array }[]>;
}
