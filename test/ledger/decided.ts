import { atOnce } from '../../src/base/steps.js';
import { realWorld as world } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import type { Command } from '../../src/commands/command.js';
import { stateLoader } from '../../src/commands/state/state.js';
import { decideAll, waitingFor } from '../../src/commands/waiting.js';
import type { Caller } from '../../src/domain/caller.js';
import type { Head } from '../../src/ledger/chain.js';
import type { Commit } from '../../src/ledger/ledger.js';
import { memoryOf } from '../maintenance/memories.js';
import type { Store } from '../maintenance/store.js';

/** Commits that may be appended behind `head`, and where the chain ends then. */
export interface Decided {
  readonly head: Head;
  readonly commits: readonly Commit[];
  readonly end: Head;
}

/** The entries that commands become when they are decided on the tables as they are, without being appended. */
export async function decided(
  store: Store,
  { workspaceId }: Caller,
  commands: readonly Command<unknown>[],
): Promise<Decided> {
  const reads = commands.map((command) => command.reads);
  const { head, state } = await stateLoader(store.database, world.now)(workspaceId, reads);
  const nothing = () => undefined;
  const waiting = commands.map((command) => waitingFor(workspaceId, command, nothing, nothing));
  const { commits, end } = atOnce(decideAll(waiting, state, head, world.now().toISOString()));
  for (const one of waiting) one.reject(null);
  return { head, commits, end };
}

/** Writes of memories with these contents, a commit each. */
export function writes(store: Store, caller: Caller, contents: readonly string[]): Promise<Decided> {
  return decided(
    store,
    caller,
    contents.map((content) => addMemory(world, caller, memoryOf(content))),
  );
}
