import { memoryCounts } from '../../../projections/memory/state.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** By the id of the namespace. */
export type Counts = ReadonlyMap<string, number>;

/** How many memories these namespaces hold. */
export const counts: Slice<readonly string[], Counts> = {
  empty: new Map(),
  async load({ tx }, reads) {
    return new Map((await memoryCounts(tx, distinct(reads))).map(({ id, count }) => [id, count]));
  },
  evolve: stepwise({
    'memory.write': (before, { entry }) => added(before, entry.body.namespace_id, 1),
    'memory.delete': (before, { entry }) => added(before, entry.body.namespace_id, -1),
    'memory.moved': (before, { entry: { body } }) => added(added(before, body.from, -1), body.to, 1),
  }),
};

/** Only namespaces that a command reads are counted. */
function added(counts: Counts, namespaceId: string, more: number): Counts {
  const before = counts.get(namespaceId);
  return before === undefined ? counts : new Map(counts).set(namespaceId, before + more);
}
