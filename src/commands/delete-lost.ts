import type { Draft } from '../../contracts/entries/entry.js';
import { receiptId, type World } from '../base/world.js';
import type { Command } from './command.js';
import { deleteDraft } from './delete-memory.js';
import { system } from './open-workspace.js';
import { entries } from './record.js';

/**
 * Deletes memories whose texts are lost, as their owner would one by one: one memory.delete entry each, by the system. Those that
 * are not there any more are passed over.
 * @returns how many were deleted
 */
export function deleteLostMemories(world: World, ids: readonly string[]): Command<number> {
  const receipts = new Map(ids.map((id) => [id, receiptId(world)]));
  return {
    actor: system,
    reads: { memories: { ids, contentHashes: [], namespaces: [] } },
    decide(state) {
      const drafts = ids.flatMap((id): Draft[] => {
        const memory = state.memories.get(id);
        return memory ? [deleteDraft(memory, receipts.get(id) ?? '')] : [];
      });
      return entries(drafts, drafts.length);
    },
  };
}
