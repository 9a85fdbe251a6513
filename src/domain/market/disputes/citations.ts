import { byCodePoint } from '../numbers/lists.js';
import type { Case } from './case.js';
import { SetsByKey } from './sets.js';

/** Which cases cite which. */
interface Citations {
  add(found: Case): void;
  remove(found: Case): void;
  /** Case → the ids of the cases that cite it, in order. The map that is returned never changes. */
  sorted(): ReadonlyMap<string, readonly string[]>;
}

export function createCitations(): Citations {
  const citing = new SetsByKey<string>();
  const changed = new Set<string>();
  let sorted: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    add({ id, state }) {
      for (const cited of state.cites) {
        citing.add(cited, id);
        changed.add(cited);
      }
    },
    remove({ id, state }) {
      for (const cited of state.cites) {
        citing.remove(cited, id);
        changed.add(cited);
      }
    },
    sorted() {
      if (changed.size === 0) return sorted;
      const next = new Map(sorted);
      for (const cited of changed) {
        const ids = [...citing.of(cited)].sort(byCodePoint);
        if (ids.length > 0) next.set(cited, ids);
        else next.delete(cited);
      }
      changed.clear();
      sorted = next;
      return sorted;
    },
  };
}
