import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { queryEmbedding } from '../adapters/embeddings/queries.js';
import { type Outside, openOutside } from '../adapters/outside.js';
import { openRateLimiter } from '../adapters/rate-limiter.js';
import type { ReplicaReads } from '../adapters/replica.js';
import { openIndexing } from '../adapters/threads/indexing.js';
import type { ForAccess, ForMemories, ForWriting, Operating } from '../api/services.js';
import type { Streams } from '../api/terminal/streams.js';
import type { World } from '../base/world.js';
import { createVault } from '../commands/vault.js';
import type { Database, OpenedDatabase } from '../database/database.js';
import { createServer } from '../http/server.js';
import type { Ledger } from '../ledger/ledger.js';
import type { MaintenanceCommand } from '../maintenance/command.js';
import { prepareModels } from '../maintenance/prepare-models.js';
import { rebuildables } from '../maintenance/rebuildable.js';
import { createFormTokens } from '../pages/form-tokens.js';
import { createSealed } from '../pages/sealed.js';
import type { Config } from '../settings/config.js';
import type { Role, RoleHealth } from '../settings/roles.js';
import { watchingClock } from '../workers/clock.js';
import { createEmbedding } from '../workers/embedding.js';
import { onlyOwner } from '../workers/lease.js';
import { createLookout } from '../workers/lookout.js';
import type { Worker } from '../workers/loop.js';
import { recordingSpans } from '../workers/recording-spans.js';
import { wireCallers } from './callers.js';
import { wireEmbedder, wireEmbeddings, wireForIndex } from './embeddings.js';
import { allEngines } from './engines.js';
import { linksOf, openErc8004 } from './erc8004.js';
import { wireEthereum } from './ethereum.js';
import { wireEventStore } from './eventstore.js';
import { wireFeeds } from './feeds.js';
import type { OpenedKafka } from './kafka.js';
import { knownKeysOf } from './known-keys.js';
import { wireIdentifyMcp, wireMcp } from './mcp.js';
import { wireMeasuring } from './measuring.js';
import { wireOAuth } from './oauth.js';
import { wireOperations } from './operation-jobs.js';
import { wirePresence } from './presence.js';
import { wireReaders } from './readers.js';
import { wireReplica } from './replica.js';
import { wireSearch } from './search.js';
import { wireServices } from './services.js';
import { wireElasticsearch, wireKafka, wireKafkaReceipts, wireKafkaRelay } from './set-engines.js';
import { warnOfAbsent } from './start/absent-roles.js';
import { bootstrap, type Generated } from './start/bootstrap.js';
import { openLedger } from './start/ledger.js';
import { openSecrets } from './start/secrets.js';
import { claimStore, noticingWrites, openKeys, openPeople, prioritiesOf, warningOfName } from './start/store.js';
import { stopRunning } from './stop.js';
import { wireTerminal } from './terminal.js';
import { wireTransparencyLog } from './tlog.js';
import { wireWorkers } from './workers.js';

export interface App {
  /** Listens when its `listen` is called. Without the role http it answers only /healthz, /readyz and /metrics. */
  readonly server: FastifyInstance;
  readonly database: Database;
  /** The ledger of the settings, for those who write by other ways than requests. */
  readonly ledger: Ledger;
  /** The commands that the command line may run in the process that holds the store. */
  readonly maintenance: ReadonlyMap<string, MaintenanceCommand>;
  /** The credentials that were generated because the store was empty; null otherwise. */
  readonly generated: Generated | null;
  /** Takes up these roles, or those of the settings. */
  start(options?: { readonly roles?: readonly Role[] }): void;
  /** Waits until requests and steps of work have ended, and closes the store. */
  close(): Promise<void>;
}

interface Surroundings {
  readonly world: World;
  readonly log: Logger;
  readonly outside: Outside;
}

/** All parts of the service, connected by hand and only here. Nothing runs before `start`. */
export async function createApp(config: Config, world: World, log: Logger, opened: OpenedDatabase): Promise<App> {
  const { store, revision } = noticingWrites(config, opened);
  const outside = openOutside();
  const erc8004 = await openErc8004(config, log, outside);
  const replica = await wireReplica(config, store.prompt, log);
  const core = await openCore(config, { world, log, outside }, { store, revision }, replica);
  const { anchoring, signing, checkpoint, ...tlog } = await wireTransparencyLog(config, core);
  const { workers, reembedding, wakeDeliveries, deliveryOutcomes, ownWrites, ...waking } = await wireWorkers(config, {
    ...core,
    anchoring,
  });
  const { connection, ...searching } = await wireSearch(config, { ...core, reembedding, ownWrites });
  const feeds = await wireFeeds(core);
  const { background, embedder } = core;
  const elasticsearch = await wireElasticsearch(config, { ...core, database: background, model: embedder.model });
  const kafka = await wireKafka(config, log);
  const engines = allEngines([
    ...wireEventStore(core),
    ...replica.engines,
    ...wireEmbeddings(config, core),
    ...elasticsearch.engines,
    ...(await wireKafkaRelay(kafka, core)),
    ...(await wireEthereum(config, erc8004, { ...core, checkpoint })),
  ]);
  const terminal = wireTerminal(config, { ...core, market: feeds.view });
  const state: ServiceState = { roles: [], isStopping: false };
  const presence = wirePresence(config, { ...core, machine: world }, state);
  const { maintenance, operating, ...operations } = wireOperations(config, { ...core, machine: world });
  const counted = { roleHealth: presence.health, deliveryOutcomes, operating, workers: () => everyWorker };
  const { server, threads, ...serving } = await wireServer(config, core, {
    tlog,
    feeds,
    engines,
    kafka,
    state,
    streams: terminal.streams,
    erc8004: linksOf(erc8004, config, outside),
    memories: { ...searching, ...waking, forIndex: wireForIndex(config, core), erased: elasticsearch.erased },
    wakeDeliveries,
    ...counted,
  });
  const all: readonly (readonly [Role, Worker])[] = [
    ...[core.clock, core.lookout, presence, { workers }, terminal, engines, serving, operations].flatMap(
      (part) => part.workers,
    ),
    ['http', feeds.worker],
  ];
  const { database, ledger, generated } = core;
  const everyWorker = [...all.map(([, worker]) => worker), ...(signing ? [signing] : [])];
  const running = { state, outside, server, store, workers: everyWorker, waits: [terminal.streams, waking.jobWaits] };
  return {
    server,
    database,
    ledger,
    maintenance,
    generated,
    start({ roles = config.roles } = {}) {
      state.roles = roles;
      warnOfAbsent(config, roles, log);
      for (const [role, worker] of all) if (roles.includes(role)) worker.start();
      // Every process needs signatures, with any roles.
      if (roles.length > 0) signing?.start();
    },
    close: () => stopRunning(running, [...threads, core.indexing, feeds, engines, connection]),
  };
}

/** The parts that most others need. The store is ready for this version, and has a workspace. */
async function openCore(
  config: Config,
  { world: machine, log, outside }: Surroundings,
  { store, revision }: ReturnType<typeof noticingWrites>,
  replica: ReplicaReads,
) {
  const { world, ...clock } = await watchingClock({ world: machine, log, store }, config.acceptClock);
  const { foreground: database, background, slow } = prioritiesOf(config, store);
  const indexing = openIndexing();
  const embedder = wireEmbedder(config, indexing.embedder, database, outside);
  const models = rebuildables(embedder, indexing.prepare, log);
  const knownKeys = knownKeysOf(config, database);
  const { ledger, run, streams, appends, appended, ...openedLedger } = await openLedger(
    config,
    database,
    world,
    log,
    knownKeys.following,
  );
  const people = openPeople({ database, run, world, log });
  const keys = openKeys(config, world);
  const generated = await store.alone(async () => {
    await prepareModels(store, models, log);
    await claimStore(config, keys, store);
    const warning = await warningOfName(config, keys, store);
    if (warning !== null) log.warn(warning);
    await openedLedger.requireHome();
    return bootstrap({ ledger, database, run, people, world, log }, config);
  });
  return {
    world,
    clock,
    serverClock: store.serverClock,
    pools: store.pools,
    log,
    outside,
    database,
    background,
    slow,
    lookout: createLookout({ world, log, database: background, revision }),
    revision,
    read: database.readEach,
    readList: replica.readList({ read: database.readEach }),
    readListBehind: replica.readList(background),
    readWithin: replica.readWithin,
    transaction: database.transaction,
    indexing,
    prepare: indexing.prepare,
    embedder,
    embedding: createEmbedding(embedder, log),
    queries: queryEmbedding(embedder, log),
    models,
    ledger,
    appends,
    appended,
    streams,
    requireHome: openedLedger.requireHome,
    closeLedger: openedLedger.close,
    run,
    people,
    keys,
    secret: await openSecrets(database, world),
    knownKeys,
    generated,
    vault: createVault((alteration) => log.error(alteration, 'a stored text is not what its receipt commits to')),
    limiter: openRateLimiter(store.statement, world),
    // A store that admits one process has one owner of leases, so that a start need not wait for those of a killed one.
    owner: config.databaseUrl ? world.nonce() : onlyOwner,
  };
}

type Core = Awaited<ReturnType<typeof openCore>>;

interface ServiceState {
  roles: readonly Role[];
  isStopping: boolean;
}

interface ServerParts {
  readonly state: ServiceState;
  readonly feeds: Awaited<ReturnType<typeof wireFeeds>>;
  readonly engines: ReturnType<typeof allEngines>;
  readonly kafka: OpenedKafka | null;
  readonly tlog: Pick<Awaited<ReturnType<typeof wireTransparencyLog>>, 'logHealth' | 'prove' | 'logFiles'>;
  readonly streams: Streams;
  readonly operating: Operating;
  readonly erc8004: ForAccess['erc8004'];
  readonly memories: Omit<ForMemories, 'redact' | 'imports'>;
  readonly wakeDeliveries: ForWriting['wakeDeliveries'];
  readonly roleHealth: () => Promise<RoleHealth>;
  readonly deliveryOutcomes: () => ReadonlyMap<string, number>;
  readonly workers: () => readonly Worker[];
}

/** The HTTP server, and the threads that work for it. */
async function wireServer(config: Config, core: Core, parts: ServerParts) {
  const { state: running, tlog, feeds, engines, kafka, streams, operating, erc8004, memories, wakeDeliveries } = parts;
  const { log } = core;
  const { readers, threads, spansWithoutOperation } = wireReaders(config, core);
  const { signingIn, callers, passwords } = await wireCallers(config, core);
  const { rateLimits } = callers;
  const authorizationServer = await wireOAuth(config, core);
  const { logHealth, ...proving } = tlog;
  const { observe, health } = wireMeasuring(config, core, {
    ...parts,
    logHealth,
    feedHealth: feeds.health,
    engineHealth: async () => [...(await engines.health()), ...(await receipts.health())],
    openStreams: streams.count,
    counts: { deliveries: parts.deliveryOutcomes, spansWithoutOperation },
    running,
  });
  const services = await wireServices(config, core, {
    readers,
    memories,
    writing: { wakeDeliveries },
    receipts: proving,
    access: { ...signingIn, rateLimits, erc8004 },
    service: { health, feeds: feeds.view, streams, operating },
  });
  const { mcp, messages } = wireMcp(config, {
    services,
    rateLimits,
    limiter: core.limiter,
    identify: wireIdentifyMcp(core, authorizationServer.verifyAccessToken),
  });
  const receipts = await wireKafkaReceipts(kafka, config, { ...core, services, rateLimits });
  const pagesSecret = await core.secret('forms');
  const server = createServer({
    ...callers,
    log,
    services,
    mcp,
    authorizationServer,
    vendorPlatforms: config.vendorPlatforms,
    pages: {
      formTokens: createFormTokens(pagesSecret),
      sealed: createSealed(pagesSecret),
      authorizations: authorizationServer.authorizations,
    },
    running,
    observe,
  });
  const spans = recordingSpans({ ...core, recordSpans: services.receipts.recordSpans });
  return {
    server,
    threads: [...threads, passwords, messages, receipts],
    workers: [['ingest', core.lookout.worker(spans)] as const, ...receipts.workers],
  };
}
