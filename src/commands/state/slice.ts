import type { Recorded } from '../../../contracts/entries/recorded.js';
import type { Transaction } from '../../adapters/database/database.js';

/** The transaction and the workspace of a load. */
export interface Loading {
  readonly tx: Transaction;
  readonly workspaceId: string;
  readonly now: Date;
}

/**
 * One part of a workspace that a command may have to see before it is decided. To make another fact visible to commands,
 * write one more of these and add it to the list in state.ts.
 * @typeParam R what a command says that it reads of this part
 * @typeParam S the part itself
 */
export interface Slice<R, S> {
  /** The part for commands that read nothing of it. */
  readonly empty: S;
  /** Loads what any of these commands reads, of which there is at least one. */
  load(loading: Loading, reads: readonly R[]): Promise<S>;
  /**
   * The part after an entry, so that a command sees what was decided before it in the same batch. A pure function. It
   * returns the part itself when the entry does not concern it.
   */
  evolve(part: S, recorded: Recorded): S;
}

/** The distinct ones of what several commands read. */
export function distinct(reads: readonly (readonly string[])[]): string[] {
  return [...new Set(reads.flat())];
}
