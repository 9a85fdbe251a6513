import type { Bodies } from '../../contracts/entries/entry.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { Command } from './command.js';
import { recording } from './record.js';

/** Records what a search gave to whom: one memory.recall entry. The query's salt is kept, the query itself is not. */
export function recordRecall(
  world: World,
  caller: Caller,
  query: string,
  recall: Omit<Bodies['memory.recall'], 'query_commitment'>,
): Command<{ receipt_id: string; receipt_hash: string }> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: {},
    decide() {
      const body = { ...recall, query_commitment: record.commit(query) };
      return {
        ...record.effects({ kind: 'memory.recall', body }, {}),
        answer: ([linked]) => ({ receipt_id: record.receipt, receipt_hash: linked?.hash ?? '' }),
      };
    },
  };
}
