import { catalogue, isEntryKind } from '../../contracts/entries/catalogue.js';
import type { Actor } from '../../contracts/entries/entry.js';
import type { Audience } from '../../contracts/entries/kind.js';
import { type Caller, mayReadMemories, reaches } from './caller.js';

/** Whether a caller reads all receipts of its workspace, also those of namespaces that it does not reach. */
export function readsAllReceipts({ role, receipts }: Caller): boolean {
  return role === null && receipts === 'all';
}

/**
 * The kinds of receipts of its workspace that a caller may read. Receipts of memories are shown to a caller that reaches their
 * namespaces. Receipts of governance name people, keys, agents and namespaces of the whole workspace.
 * @param isBound whether the caller is bound to every namespace from before there was the scope receipts.read
 */
export function readableAudiences({ role, receipts }: Caller, isBound: boolean): readonly Audience[] {
  const all = role !== null || receipts === 'all' || (receipts === 'while bound' && isBound);
  return all ? ['memory', 'governance'] : ['memory'];
}

/**
 * Whether a caller who may read a receipt may also read the texts that it commits to. All receipts of a workspace open no text of a
 * namespace that the key does not reach, and alone none of a memory.
 */
export function mayReadTexts(caller: Caller, { kind, namespace_ids }: Receipt): boolean {
  if (!namespace_ids.every((id) => reaches(caller, id))) return false;
  return mayReadMemories(caller) || (isEntryKind(kind) && catalogue[kind].discloses === 'with receipts');
}

interface Receipt {
  readonly kind: string;
  readonly namespace_ids: readonly string[];
}

/**
 * Whether the caller may have the query of a search opened. The answer to a wrong query says that it is wrong, so others could find out
 * by guessing what was searched for. The one who has searched may, and a person for the grants that this person gave. Keys and agent keys are of
 * the workspace, and agent keys cannot use the REST API: for these an owner or admin may as well.
 */
export function mayOpenQuery(searched: Actor, { actor, role }: Caller): boolean {
  if (searched.id !== null && searched.type === actor.type && searched.id === actor.id) return true;
  if (searched.type === 'grant') return actor.type === 'person' && actor.id !== null && searched.user_id === actor.id;
  return (searched.type === 'key' || searched.type === 'agent_key') && (role === 'owner' || role === 'admin');
}
