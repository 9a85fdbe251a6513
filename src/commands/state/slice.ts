import { type ByKind, callFor, kindsOf } from '../../../contracts/entries/by-kind.js';
import type { EntryKind } from '../../../contracts/entries/entry.js';
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
  readonly evolve: Evolution<S>;
}

/** How a part changes by the entries of a command, so that the next command of the batch sees what was decided before it. */
interface Evolution<S> {
  /** The kinds of entries that change the part. */
  readonly kinds: readonly EntryKind[];
  /** Pure, in time linear in the number of entries. Those of other kinds change nothing. */
  after(part: S, recorded: readonly Recorded[]): S;
}

/** For a part that one command changes by few entries: each gives the part as it is from then on. */
export function stepwise<S>(on: ByKind<S, [S]>): Evolution<S> {
  return {
    kinds: kindsOf(on),
    after: (part, recorded) => recorded.reduce((before, one) => callFor(on, one, before) ?? before, part),
  };
}

/** For a part that one command changes by many entries: it is copied once, and each entry changes the copy. */
export function inCopy<S, C extends S>(copy: (part: S) => C, on: ByKind<unknown, [C]>): Evolution<S> {
  return {
    kinds: kindsOf(on),
    after(part, recorded) {
      const after = copy(part);
      for (const one of recorded) callFor(on, one, after);
      return after;
    },
  };
}

/** The distinct ones of what several commands read. The parts of one request read the same long list. */
export function distinct(reads: readonly (readonly string[])[]): string[] {
  return [...new Set([...new Set(reads)].flat())];
}

/** These rows without the one of this key. */
export function without<K, V>(all: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const left = new Map(all);
  left.delete(key);
  return left;
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
