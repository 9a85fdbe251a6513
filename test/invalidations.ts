import { invalidateMemory, reinstateMemory } from '../src/commands/invalidate-memory.js';
import type { Run } from '../src/commands/run.js';
import type { Caller } from '../src/domain/caller.js';
import { realWorld } from '../src/world.js';

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
