import type { Logger } from 'pino';
import { registryChain } from '../../contracts/chains.js';
import type { CloseBody } from '../../contracts/entries/registry.js';
import { databaseWriter } from '../../projections/search/queries.js';
import type { Outside } from '../adapters/outside.js';
import { createLately } from '../base/lately.js';
import type { World } from '../base/world.js';
import { endApproval } from '../commands/approvals.js';
import { closeDay } from '../commands/close-day.js';
import { createOwnWrites } from '../commands/own-writes.js';
import type { Run } from '../commands/run.js';
import type { Vault } from '../commands/vault.js';
import type { Database, OpenedDatabase } from '../database/database.js';
import type { Prepare } from '../domain/prepared.js';
import { createSettledTimes } from '../ledger/settled.js';
import { forgetEverywhere, forgetting } from '../maintenance/scrub.js';
import type { Config } from '../settings/config.js';
import type { Role } from '../settings/roles.js';
import { admitting } from '../workers/admitting.js';
import { closing } from '../workers/closing.js';
import { delivering, forgettingDeliveries } from '../workers/deliveries.js';
import type { Embedding } from '../workers/embedding.js';
import { endingApprovals } from '../workers/ending-approvals.js';
import { estimatingFloor } from '../workers/estimating-floor.js';
import { ingesting } from '../workers/ingesting.js';
import { createJobWaits } from '../workers/job-waits.js';
import type { Lookout } from '../workers/lookout.js';
import { createWorker, type Job, type Worker, wakeAll } from '../workers/loop.js';
import { createModelWatch, watchingModels } from '../workers/model-watch.js';
import { rebuildingSearch } from '../workers/rebuilding-search.js';
import { reembedding } from '../workers/reembedding.js';
import { createRemoved, removing } from '../workers/removing.js';
import { createSend } from '../workers/send.js';
import { sweepingOAuth } from '../workers/sweeping-oauth.js';
import { tidying } from '../workers/tidying.js';

interface WorkerParts {
  readonly database: Database;
  readonly background: Database;
  readonly embedding: Embedding;
  readonly prepare: Prepare;
  readonly run: Run;
  readonly vault: Vault;
  readonly world: World;
  readonly log: Logger;
  readonly anchoring: Job;
  readonly lookout: Lookout;
  /** See `countingWrites`. */
  readonly revision: () => number;
  /** See `createLease`. */
  readonly owner: string;
  readonly outside: Outside;
  readonly serverClock: OpenedDatabase['serverClock'];
}

/** Every worker beside its role, and the functions by which callers wake workers or wait for them. */
export async function wireWorkers({ databaseUrl, allowPrivateUrls, embeddings }: Config, parts: WorkerParts) {
  const { database, background, world, log, vault, embedding, prepare, run, owner, outside, lookout } = parts;
  const worker = (job: Job): Worker => createWorker({ world, log }, job);
  const settledTimes = createSettledTimes(background);
  const { ending } = outside;
  const send = createSend(outside.fetch({ allowPrivate: allowPrivateUrls }), world, allowPrivateUrls);
  const deliveryOutcomes = new Map<string, number>();
  const sending = { database: background, world, log, vault, send, ending, outcomes: deliveryOutcomes };
  const deliveries = lookout.worker(delivering(sending, () => deliveries.wake()));
  const indexed = { database: background, embedding, prepare, vault, world, log };
  const jobWaits = createJobWaits(background, { world, log });
  const indexes = { ...indexed, searchIndex: databaseWriter };
  const models = createModelWatch();
  const waking = { wakeDeliveries: deliveries.wake, unembedded: models.begin, ended: jobWaits.look };
  const ingest = lookout.worker(ingesting({ ...indexes, ...waking }, false));
  const longIngest = lookout.worker(ingesting({ ...indexes, ...waking }, true));
  const admissions = lookout.worker(admitting({ database: background, vault, world, wakeDeliveries: deliveries.wake }));
  const remover = lookout.worker(removing(background, owner));
  const wakeBoth = wakeAll([ingest, longIngest]);
  const queued = createLately(world);
  const closes = {
    settle: async (ms: number) => (await settledTimes.settle(ms)) >= ms,
    record: (close: CloseBody) => run(registryChain, closeDay(world, close)),
  };
  const workers: [Role, Worker][] = [
    ['ingest', ingest],
    ['ingest', longIngest],
    ['webhooks', deliveries],
    ['webhooks', admissions],
    ['webhooks', worker(forgettingDeliveries(background, world))],
    ['anchoring', worker(parts.anchoring)],
    ['upkeep', remover],
    ['upkeep', worker(sweepingOAuth(background, world))],
    [
      'upkeep',
      lookout.worker(endingApprovals(background, world, (id, approval) => run(id, endApproval(world, approval)))),
    ],
    ['upkeep', worker(closing({ database: background, log, world, owner, serverClock: parts.serverClock, ...closes }))],
    ['upkeep', lookout.worker(reembedding({ ...indexed, owner }, models))],
    ['upkeep', lookout.worker(rebuildingSearch({ ...indexed, owner, unembedded: models.begin }))],
    ['http', lookout.worker(watchingModels(background, embedding.model, models))],
  ];
  if (embeddings) workers.push(['upkeep', worker(estimatingFloor(background, embedding.model, models, log))]);
  // A server vacuums by itself, and its operator decides when its tables are written again (counterfoil scrub).
  if (!databaseUrl) {
    await forgetEverywhere(database, log);
    workers.push(['upkeep', worker(tidying({ ...parts, ...forgetting(database) }))]);
  }
  return {
    workers,
    wakePipeline() {
      queued.note();
      wakeBoth();
    },
    wakeAdmissions: admissions.wake,
    jobWaits,
    // Other processes queue jobs too where they share the store.
    ownWrites: createOwnWrites({
      read: database.readEach,
      world,
      jobWaits,
      mayHaveQueued: (ms) => databaseUrl !== undefined || queued.isWithin(ms),
    }),
    wakeDeliveries: deliveries.wake,
    deliveryOutcomes: (): ReadonlyMap<string, number> => deliveryOutcomes,
    removed: createRemoved(background, world, remover.wake),
    reembedding: models.inProgress,
  };
}
