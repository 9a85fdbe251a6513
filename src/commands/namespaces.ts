import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { NamespaceDeleted } from '../../contracts/memory.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { Command } from './command.js';
import { lastInvalidation } from './delete-memory.js';
import { entries, nothing, recording } from './record.js';
import { findNamespace, type NamespaceState, namesakes } from './state/namespaces.js';
import type { WorkspaceState } from './state/state.js';

interface NamespaceCreated {
  readonly id: string;
  readonly name: string;
  readonly is_default: false;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Makes a namespace whose words are stemmed as in English. @throws Refusal namespace_name_conflict */
export function createNamespace(world: World, caller: Caller, name: string): Command<NamespaceCreated> {
  const id = world.id();
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { namespaces: [name] },
    decide(state, recordedAt) {
      requireFreeName(state, name, id);
      const body = {
        namespace_id: id,
        name,
        is_default: false,
        text_config: 'english',
        receipts: 'by scope' as const,
      };
      const times = { created_at: recordedAt, updated_at: recordedAt };
      const answer: NamespaceCreated = { id, name, is_default: false, ...times };
      return record.entry({ kind: 'namespace.created', body }, answer);
    },
  };
}

/** @throws Refusal namespace_not_found, namespace_deleted, namespace_name_conflict */
export function renameNamespace(world: World, caller: Caller, id: string, name: string): Command<string> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { namespaces: [id, name] },
    decide(state) {
      const namespace = liveNamespace(state, id);
      if (namespace.name === name) return nothing(id);
      requireFreeName(state, name, id);
      const body = { namespace_id: id, name };
      return record.entry({ kind: 'namespace.renamed', body }, id);
    },
  };
}

/**
 * Deletes a namespace that holds no memories, or none any more.
 * @param moved memories that were moved out of it for this
 * @throws Refusal cannot_delete_default_namespace, namespace_not_empty, and what `target` throws
 */
export function deleteNamespace(
  world: World,
  caller: Caller,
  id: string,
  moveTo: string | null,
  moved: number,
): Command<NamespaceDeleted> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { namespaces: moveTo === null ? [id] : [id, moveTo], counts: [id] },
    decide(state) {
      const moved_to = moveTo === null ? null : target(state, id, moveTo).id;
      requireDeletable(state, id);
      const count = state.counts.get(id) ?? 0;
      if (count > 0) throw new Refusal('namespace_not_empty', undefined, { memory_count: count });
      const body = { namespace_id: id, moved_to, moved };
      const answer: NamespaceDeleted = { id, deleted: true, moved_to, moved };
      return record.entry({ kind: 'namespace.deleted', body }, answer);
    },
  };
}

/**
 * Moves memories out of a namespace that is about to be deleted, a receipt for each. Those that were deleted or moved
 * meanwhile are passed over.
 * @returns how many were moved
 */
export function moveMemories(
  world: World,
  caller: Caller,
  from: string,
  moveTo: string,
  memoryIds: readonly string[],
): Command<number> {
  const receipts = memoryIds.map(() => receiptId(world));
  return {
    actor: caller.actor,
    reads: {
      namespaces: [from, moveTo],
      memories: { ids: memoryIds, contentHashes: [], namespaces: [] },
    },
    decide(state) {
      const to = target(state, from, moveTo).id;
      requireDeletable(state, from);
      const drafts = memoryIds.flatMap((memory_id, i): Draft[] => {
        const memory = state.memories.get(memory_id);
        if (memory?.namespaceId !== from) return [];
        const body = { memory_id, from, to, write_receipt_id: memory.receiptId, ...lastInvalidation(memory) };
        return [{ kind: 'memory.moved', receipt_id: receipts[i] ?? receiptId(world), body }];
      });
      return entries(drafts, drafts.length);
    },
  };
}

/** Where memories go. @throws Refusal invalid_move_to, namespace_not_found, namespace_deleted */
function target(state: WorkspaceState, id: string, moveTo: string): NamespaceState {
  const found = findNamespace(state.namespaces, moveTo);
  if (!found) throw new Refusal('namespace_not_found', 'There is no namespace to move the memories to.');
  if (found.id === id) throw new Refusal('invalid_move_to');
  if (found.deleted) throw new Refusal('namespace_deleted', 'The namespace to move the memories to was deleted.');
  return found;
}

function liveNamespace(state: WorkspaceState, id: string): NamespaceState {
  const namespace = state.namespaces.find((one) => one.id === id);
  if (!namespace) throw new Refusal('namespace_not_found');
  if (namespace.deleted) throw new Refusal('namespace_deleted');
  return namespace;
}

function requireDeletable(state: WorkspaceState, id: string): void {
  if (liveNamespace(state, id).isDefault) throw new Refusal('cannot_delete_default_namespace');
}

function requireFreeName(state: WorkspaceState, name: string, id: string): void {
  if (namesakes(state.namespaces, name).some((other) => other.id !== id)) throw new Refusal('namespace_name_conflict');
}
