import { catalogue, type EntryKind, isEntryKind } from './catalogue.js';
import type { RecordedOf } from './recorded.js';

/**
 * What is done with entries: a function for each kind that matters, typed by the kind. It gets the entry, behind what else it
 * needs.
 */
export type ByKind<R, Before extends readonly unknown[] = []> = {
  readonly [K in EntryKind]?: (...given: [...Before, RecordedOf<K>]) => R;
};

/** The kinds that a table names, in its order. */
export function kindsOf(table: object): EntryKind[] {
  return Object.keys(table).filter(isEntryKind);
}

/** Calls what a table has for the kind of an entry. @returns undefined when it does not name the kind */
export function callFor<R, Before extends readonly unknown[]>(
  table: ByKind<R, Before>,
  one: RecordedOf<EntryKind>,
  ...before: Before
): R | undefined {
  return call(table, one.entry.kind, one, before);
}

function call<R, Before extends readonly unknown[], K extends EntryKind>(
  table: ByKind<R, Before>,
  kind: K,
  one: RecordedOf<K>,
  before: Before,
): R | undefined {
  return table[kind]?.(...before, one);
}

/** A table with the same function for each kind whose row of the catalogue is of this sort. */
export function forKinds<R, Before extends readonly unknown[]>(
  isNamed: (row: (typeof catalogue)[EntryKind]) => boolean,
  apply: (...given: [...Before, RecordedOf<EntryKind>]) => R,
): ByKind<R, Before> {
  return Object.fromEntries(
    kindsOf(catalogue)
      .filter((kind) => isNamed(catalogue[kind]))
      .map((kind) => [kind, apply]),
  );
}
