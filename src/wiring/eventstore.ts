import type { Logger } from 'pino';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { CatchUpParts } from '../ledger/eventstore/catch-up.js';
import { roles } from '../settings/roles.js';
import { applyingStreams } from '../workers/eventstore/applying.js';
import { createEventStoreHealth } from '../workers/eventstore/health.js';
import { createWorker } from '../workers/loop.js';
import type { Engine } from './engines.js';

interface EventStoreParts {
  readonly background: Database;
  readonly world: World;
  readonly log: Logger;
  /** See `createLease`. */
  readonly owner: string;
  readonly streams: CatchUpParts | null;
  closeLedger(): Promise<void>;
}

/** EventStoreDB as an engine of the ledger; none while the database holds it. */
export function wireEventStore(parts: EventStoreParts): Engine[] {
  const { background: database, world, log, owner, streams, closeLedger } = parts;
  if (streams === null) return [];
  const { health, ...reports } = createEventStoreHealth({ database, log, streams });
  const job = applyingStreams({ database, owner, world, streams: { ...streams, database }, ...reports });
  const worker = createWorker({ world, log }, job);
  // Only one process holds its lease, and each of them may be that one.
  return [{ workers: roles.map((role) => [role, worker] as const), health, close: closeLedger }];
}
