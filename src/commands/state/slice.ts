import type { Recorded } from '../../../contracts/entries/recorded.js';
import type { Transaction } from '../../database/database.js';

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
   * The part after the entries of a command, so that the next command of the batch sees what was decided before it. A pure
   * function, in time linear in the number of entries. It returns the part itself when no entry concerns it.
   */
  evolve(part: S, recorded: readonly Recorded[]): S;
}

/** The evolution of a part that commands change by few entries: one step for each entry. */
export function stepwise<S>(step: (part: S, recorded: Recorded) => S): Slice<never, S>['evolve'] {
  return (part, recorded) => recorded.reduce(step, part);
}

/** The distinct ones of what several commands read. The parts of one request read the same long list. */
export function distinct(reads: readonly (readonly string[])[]): string[] {
  return [...new Set([...new Set(reads)].flat())];
}

/** These bindings after a namespace was deleted. */
export function withoutNamespace<B extends { readonly namespaceIds: readonly string[] }>(
  all: ReadonlyMap<string, B>,
  namespaceId: string,
): ReadonlyMap<string, B> {
  return new Map(
    [...all].map(([id, one]) => [id, { ...one, namespaceIds: one.namespaceIds.filter((id) => id !== namespaceId) }]),
  );
}
