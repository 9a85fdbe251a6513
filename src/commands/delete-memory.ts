import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { MemoryDeleted } from '../../contracts/memory.js';
import { receiptId, type World } from '../base/world.js';
import { type Caller, reaches } from '../domain/caller.js';
import type { Command } from './command.js';
import { entries } from './record.js';
import type { MemoryState } from './state/memories.js';

/** Deletes a memory: one memory.delete entry; content, salt, vectors and lexemes go in the same transaction. */
export function deleteMemory(world: World, caller: Caller, memoryId: string): Command<MemoryDeleted> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { memories: { ids: [memoryId], contentHashes: [], namespaces: [] } },
    decide(state) {
      const memory = state.memories.get(memoryId);
      if (!memory) throw new Refusal('memory_not_found');
      if (!reaches(caller, memory.namespaceId)) throw new Refusal('memory_out_of_scope');
      return entries([deleteDraft(memory, receipt)], { id: memoryId, deleted: true, receipt_id: receipt });
    },
  };
}

type DeleteDraft = Extract<Draft, { kind: 'memory.delete' }>;

export function deleteDraft(memory: MemoryState, receipt: string): DeleteDraft {
  return {
    kind: 'memory.delete',
    receipt_id: receipt,
    body: {
      memory_id: memory.id,
      namespace_id: memory.namespaceId,
      write_receipt_id: memory.receiptId,
      write_receipt_hash: memory.receiptHash,
      ...lastInvalidation(memory),
    },
  };
}

/** Names the last invalidation, whose reason is in the vault as long as the memory. */
export function lastInvalidation({ invalidationReceiptId: id }: MemoryState) {
  return id === null ? {} : { invalidation_receipt_id: id };
}
