import { addMemory } from '../src/commands/add-memory.js';
import { invalidateMemory, reinstateMemory } from '../src/commands/invalidate-memory.js';
import type { Run } from '../src/commands/run.js';
import type { Caller } from '../src/domain/caller.js';
import { realWorld } from '../src/world.js';

/** A test memory that was written as a real one later. */
export async function fillPromotion({ run }: { readonly run: Run }, caller: Caller): Promise<void> {
  const memory = { content: 'tried first', metadata: '{}', source: null, sensitive: {}, label: null };
  for (const playground of [true, false]) {
    const tried = { ...memory, namespace: undefined, playground, approvalId: undefined };
    await run(caller.workspaceId, addMemory(realWorld, caller, tried));
  }
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
