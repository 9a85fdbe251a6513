import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { otherProcesses } from '../database/processes.js';
import { CannotStart } from './start-faults.js';

/** How long connections of a process that was just stopped may still be there, in milliseconds. */
const lingerMs = 3000;

/**
 * Makes sure that no service runs. The embedded store admits one process; on a server, those of others are seen by their connections.
 * @throws CannotStart
 */
export async function requireAlone(database: Database): Promise<void> {
  const until = performance.now() + lingerMs;
  while ((await database.read(otherProcesses)) > 0) {
    if (performance.now() > until) {
      throw new CannotStart(
        'A service runs on this store: other processes of Counterfoil have connections to its database. Stop all of them, and repeat the command.',
      );
    }
    await sleep(100);
  }
}
