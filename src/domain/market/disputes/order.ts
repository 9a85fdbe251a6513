import { byCodePoint } from '../numbers/order.js';
import type { Case } from './case.js';

/** The list of all cases with the newest `opened_at` first, then by id. */
export interface CaseOrder {
  add(found: Case): void;
  remove(found: Case): void;
  /** The list that is returned never changes. */
  list(): readonly Case[];
}

/** Changes are collected until the list is read: then the work is one pass over the list and the sorting of the changes. */
export function createCaseOrder(): CaseOrder {
  let list: readonly Case[] = [];
  const [added, removed] = [new Set<Case>(), new Set<Case>()];
  return {
    add: (found) => void added.add(found),
    remove(found) {
      if (!added.delete(found)) removed.add(found);
    },
    list() {
      if (added.size === 0 && removed.size === 0) return list;
      const rest = list.filter((one) => !removed.has(one));
      // The sort of the language finds the two sorted parts and merges them.
      list = [...rest, ...[...added].sort(newestFirst)].sort(newestFirst);
      added.clear();
      removed.clear();
      return list;
    },
  };
}

const newestFirst = (a: Case, b: Case): number => b.state.openedMs - a.state.openedMs || byCodePoint(a.id, b.id);
