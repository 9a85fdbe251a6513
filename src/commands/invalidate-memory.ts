import { Refusal } from '../../contracts/errors.js';
import type { MemoryInvalidated } from '../../contracts/invalidation.js';
import type { World } from '../base/world.js';
import { type Caller, reaches, requireUnpaused } from '../domain/caller.js';
import { type Counts, requireNothingSensitive } from '../domain/redaction/finding.js';
import type { Command } from './command.js';
import { recording } from './record.js';
import type { MemoryState } from './state/memories.js';
import type { WorkspaceState } from './state/state.js';

/** Why a memory is not valid any more. The reason is redacted already. */
interface NewInvalidation {
  readonly memoryId: string;
  readonly reason: string;
  /** The kinds of values that redaction replaced in the reason, for workspaces that refuse such values instead. */
  readonly sensitive: Counts;
  readonly supersededBy: string | null;
}

/**
 * Records that a memory is not valid any more: one memory.invalidated entry, with the reason in the vault. The memory stays
 * readable. The entry is no action: it neither adds a memory nor removes one. Refusals come in the order memory, pause, state,
 * the memory that is valid instead, sensitive values.
 */
export function invalidateMemory(
  world: World,
  caller: Caller,
  { memoryId, reason, sensitive, supersededBy }: NewInvalidation,
): Command<MemoryInvalidated> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: reads(supersededBy === null ? [memoryId] : [memoryId, supersededBy]),
    decide(state) {
      const memory = admitted(state, caller, memoryId);
      const { invalidationReceiptId: earlier } = memory;
      if (memory.invalidated) throw new Refusal('memory_invalidated', undefined, { receipt_id: earlier });
      if (supersededBy !== null) requireOther(state, caller, memoryId, supersededBy);
      requireNothingSensitive(state.governance.rules, sensitive);
      return record.entry(
        {
          kind: 'memory.invalidated',
          body: {
            memory_id: memoryId,
            namespace_id: memory.namespaceId,
            content_commitment: record.commit(reason),
            ...(supersededBy === null ? {} : { superseded_by: supersededBy }),
            ...(earlier === null ? {} : { replaced_receipt_id: earlier }),
          },
        },
        { id: memoryId, invalidated: true, receipt_id: record.receipt },
        { content: reason },
      );
    },
  };
}

/** Makes an invalidated memory valid again: one memory.reinstated entry. */
export function reinstateMemory(world: World, caller: Caller, memoryId: string): Command<MemoryInvalidated> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: reads([memoryId]),
    decide(state) {
      const { namespaceId: namespace_id, invalidated, invalidationReceiptId } = admitted(state, caller, memoryId);
      if (!invalidated || invalidationReceiptId === null) throw new Refusal('memory_not_invalidated');
      const body = { memory_id: memoryId, namespace_id, invalidation_receipt_id: invalidationReceiptId };
      return record.entry(
        { kind: 'memory.reinstated', body },
        { id: memoryId, invalidated: false, receipt_id: record.receipt },
      );
    },
  };
}

const reads = (ids: readonly string[]) =>
  ({ memories: { ids, contentHashes: [], namespaces: [] }, governance: { rules: true } }) as const;

/** @throws Refusal memory_not_found, memory_out_of_scope, tenant_paused */
function admitted(state: WorkspaceState, caller: Caller, memoryId: string): MemoryState {
  const memory = readable(state, caller, memoryId);
  requireUnpaused(state.governance.rules, caller);
  return memory;
}

/** A memory whose texts are lost is not shown, so it can only be deleted. */
function readable({ memories }: WorkspaceState, caller: Caller, memoryId: string): MemoryState {
  const memory = memories.get(memoryId);
  if (!memory || memory.isLost) throw new Refusal('memory_not_found');
  if (!reaches(caller, memory.namespaceId)) throw new Refusal('memory_out_of_scope');
  return memory;
}

/** @throws Refusal invalid_superseded_by, memory_not_found, memory_out_of_scope */
function requireOther(state: WorkspaceState, caller: Caller, memoryId: string, otherId: string): void {
  if (otherId === memoryId) throw new Refusal('invalid_superseded_by', 'A memory cannot supersede itself.');
  readable(state, caller, otherId);
}
