import type { AskRule } from '../contracts/entries/entry.js';
import type { Row } from '../src/adapters/database/database.js';
import { addMemory } from '../src/commands/add-memory.js';
import { decideApproval } from '../src/commands/approvals.js';
import { changeRules } from '../src/commands/change-rules.js';
import { invalidateMemory, reinstateMemory } from '../src/commands/invalidate-memory.js';
import type { Run } from '../src/commands/run.js';
import type { Caller } from '../src/domain/caller.js';
import { realWorld } from '../src/world.js';

interface Filled {
  readonly run: Run;
  readonly sql: <R extends Row>(text: string, params?: readonly string[]) => Promise<R[]>;
}

/** A test memory that was written as a real one later, after the owner has approved that. */
export async function fillPromotion({ run, sql }: Filled, caller: Caller): Promise<void> {
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
