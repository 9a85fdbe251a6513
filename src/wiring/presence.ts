import type { Logger } from 'pino';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Config } from '../settings/config.js';
import { type Role, roles } from '../settings/roles.js';
import { createWorker, type Worker } from '../workers/loop.js';
import { createPresence } from '../workers/presence.js';

interface Parts {
  readonly background: Database;
  readonly owner: string;
  /** The clock is that of the database, so the worker runs also while the clock of this machine is in doubt. */
  readonly machine: World;
  readonly log: Logger;
}

/** The worker that makes the roles of this process known, and the count of those of all processes. */
export function wirePresence(
  { databaseUrl }: Config,
  { background, owner, machine, log }: Parts,
  state: { readonly roles: readonly Role[] },
) {
  const isShared = databaseUrl !== undefined;
  const { job, health } = createPresence({ database: background, owner, own: () => state.roles, isShared });
  const worker = createWorker({ world: machine, log }, job);
  const workers: readonly (readonly [Role, Worker])[] = isShared ? roles.map((role) => [role, worker]) : [];
  return { workers, health };
}
