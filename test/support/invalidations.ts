import type { AskRule } from '../../contracts/entries/entry.js';
import { realWorld } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import { decideApproval } from '../../src/commands/approvals.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { askToDelete, deleteSelected, type Part } from '../../src/commands/delete-selected.js';
import { invalidateMemory, reinstateMemory } from '../../src/commands/invalidate-memory.js';
import type { Run } from '../../src/commands/run.js';
import type { Row } from '../../src/database/database.js';
import type { Caller } from '../../src/domain/caller.js';
import { bytesOfIds, idList } from '../../src/domain/id-list.js';

/** Deletes by filters: one that waits, one of which a part was deleted, one that was used up, one that was rejected, and one of which nothing was left. */
async function fillSelections({ run }: { readonly run: Run }, caller: Caller): Promise<void> {
  const { workspaceId } = caller;
  const memory = { metadata: '{}', source: 'selected', sensitive: {}, label: null, namespace: undefined };
  const write = async (content: string) => {
    const writing = { ...memory, content, playground: false, approvalId: undefined };
    return (await run(workspaceId, addMemory(realWorld, caller, writing))).memory_id;
  };
  const ids = [await write('selected first'), await write('selected second')];
  const ask = async (filter: string) => {
    const selection = {
      count: 2,
      filter,
      ids: idList([bytesOfIds(ids)]),
      namespaceIds: caller.namespaceIds,
      fields: ['source'],
    };
    const asked = run(workspaceId, askToDelete(realWorld, caller, filter, selection));
    return asked.catch((refusal): string => refusal.details.approval_id);
  };
  const decide = async (id: string, word: 'approved' | 'rejected') =>
    (await run(workspaceId, decideApproval(realWorld, caller, id, word))).receipt_id;
  const remove = (receipt: string, filter: string, part: Part) =>
    run(workspaceId, deleteSelected(realWorld, caller, filter, receipt, part));
  await ask('waits');
  await decide(await ask('rejected'), 'rejected');
  const begun = await decide(await ask('begun'), 'approved');
  const used = await decide(await ask('used'), 'approved');
  await remove(begun, 'begun', { done: 0, ids: ids.slice(0, 1), end: 1 });
  await remove(used, 'used', { done: 0, ids: ids.slice(1), end: 2 });
  const none = await decide(await ask('nothing left'), 'approved');
  await remove(none, 'nothing left', { done: 0, ids, end: 2 });
}

interface Filled {
  readonly run: Run;
  readonly sql: <R extends Row>(text: string, params?: readonly string[]) => Promise<R[]>;
}

/** A test memory that was written as a real one later, after the owner has approved that, and deletes by filters. */
export async function fillApproved({ run, sql }: Filled, caller: Caller): Promise<void> {
  const { workspaceId } = caller;
  const [owner] = await sql<{ id: string }>('select id::text from members where workspace_id = $1', [workspaceId]);
  const person: Caller = { ...caller, role: 'owner', actor: { ...caller.actor, type: 'person', id: owner?.id ?? '' } };
  const memory = { content: 'tried first', metadata: '{}', source: null, sensitive: {}, label: null };
  const write = (playground: boolean, approvalId: string | undefined = undefined) =>
    run(workspaceId, addMemory(realWorld, caller, { ...memory, namespace: undefined, playground, approvalId }));
  const rule = (ask_owner: readonly AskRule[]) =>
    run(workspaceId, changeRules(realWorld, person, { pause_all: false, sensitive: 'redact', ask_owner }));
  await write(true);
  await rule([{ min_bytes: 1 }]);
  const approvalId: string = await write(false).then(
    () => '',
    (refusal) => String(refusal.details.approval_id),
  );
  await run(workspaceId, decideApproval(realWorld, person, approvalId, 'approved'));
  await write(false, approvalId);
  await rule([]);
  await fillSelections({ run }, caller);
}

/** Of each three memories the first is invalidated, the second reinstated, and the third invalidated again after that. */
export async function fillInvalidations(
  { run }: { readonly run: Run },
  caller: Caller,
  ids: readonly string[],
): Promise<void> {
  for (const [n, memoryId] of ids.entries()) {
    const invalidation = { memoryId, reason: `${memoryId} is not true`, sensitive: {}, supersededBy: null };
    await run(caller.workspaceId, invalidateMemory(realWorld, caller, invalidation));
    if (n % 3 === 0) continue;
    await run(caller.workspaceId, reinstateMemory(realWorld, caller, memoryId));
    const again = { ...invalidation, supersededBy: ids[0] ?? null };
    if (n % 3 === 2) await run(caller.workspaceId, invalidateMemory(realWorld, caller, again));
  }
}
