import type { World } from '../base/world.js';
import type { Ledger } from '../ledger/ledger.js';
import { commitBehind } from './behind.js';
import type { Command } from './command.js';
import { drain } from './drain.js';
import { groupCommit } from './group-commit.js';
import type { Line } from './line.js';
import type { Load } from './state/state.js';
import { waitingFor } from './waiting.js';

/** Runs a command against a workspace's chain and gives its answer once its entries are durable. */
export type Run = <A>(workspaceId: string, command: Command<A>) => Promise<A>;

/**
 * The one way into the ledger: load the state, decide, append behind the position the state was loaded at. Where the log is in
 * the database, all of that is one transaction, at the head of a queue; elsewhere a batch that has lost a race is decided again.
 * Commands that wait while an append is in progress are decided and committed together, where the log is in the database those of several
 * chains, which is what makes a durable write cheap: one commit on PGlite costs 0.7 ms for any number of entries.
 */
export function createRun(ledger: Ledger, load: Load, world: World): Run {
  const lines = new Map<string, Line>();
  const come = ledger.appendInQueue ? groupCommit(ledger.appendInQueue, world) : commitEach;
  return (workspaceId, command) =>
    new Promise((resolve, reject) => {
      let line = lines.get(workspaceId);
      if (!line) {
        line = newLine(ledger, load, world, workspaceId);
        lines.set(workspaceId, line);
      }
      line.waiting.push(waitingFor(workspaceId, command, resolve, reject));
      come(line);
    });
}

/** Commits the commands of each chain by themselves: an engine whose log is not in the database appends to one stream at a time. */
function commitEach(line: Line): void {
  if (!line.busy) void drain(line, commitBehind);
}

function newLine(ledger: Ledger, load: Load, world: World, workspaceId: string): Line {
  return {
    workspaceId,
    append: (expected, commits, isLate) => ledger.append(workspaceId, expected, commits, isLate),
    load,
    world,
    head: null,
    settledMs: 0,
    busy: false,
    waiting: [],
    lost: 0,
    expected: 0,
  };
}
