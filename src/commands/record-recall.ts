import type { Bodies } from '../../contracts/entries/entry.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { commit } from '../ledger/chain.js';
import type { Command } from './command.js';

/** Records what a search gave to whom: one memory.recall entry. The query's salt is kept, the query itself is not. */
export function recordRecall(
  world: World,
  caller: Caller,
  query: string,
  recall: Omit<Bodies['memory.recall'], 'query_commitment'>,
): Command<{ receipt_id: string; receipt_hash: string }> {
  const receipt = receiptId(world);
  const salt = world.random(32);
  return {
    actor: caller.actor,
    reads: {},
    decide: () => ({
      drafts: [
        {
          kind: 'memory.recall',
          receipt_id: receipt,
          body: { ...recall, query_commitment: commit(salt, query) },
        },
      ],
      deposits: [{ receiptId: receipt, salt, texts: {} }],
      answer: (receipts) => ({ receipt_id: receipt, receipt_hash: receipts[0]?.hash ?? '' }),
    }),
  };
}
