import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { keyBySecretHash } from '../projections/account/queries.js';
import { linkedAgent } from '../projections/agents/queries.js';
import { project } from '../projections/all.js';
import { receiptByHash } from '../projections/receipts/queries.js';
import { databaseWriter } from '../projections/search/queries.js';
import type { Database, OpenedDatabase } from './adapters/database/database.js';
import { migrate } from './adapters/database/migrate.js';
import { openDatabase } from './adapters/database/open.js';
import { foregroundFirst } from './adapters/database/priority.js';
import { openEmbedder } from './adapters/embeddings/open.js';
import { openExtractor } from './adapters/extract/extractor.js';
import { fileLimit } from './adapters/file-limit.js';
import { openIndexing } from './adapters/indexing/indexing.js';
import { openJsonReader } from './adapters/json/reader.js';
import { openOidcProvider } from './adapters/oidc.js';
import { calendarClient } from './adapters/opentimestamps.js';
import { openPasswords } from './adapters/passwords/passwords.js';
import { publicFetch } from './adapters/public-fetch.js';
import { openRateLimiter, type RateLimiter } from './adapters/rate-limiter.js';
import { openRedactor } from './adapters/redaction/redactor.js';
import { keyStore } from './adapters/signing-keys.js';
import { openVerifying } from './adapters/verifying/verifying.js';
import { witnessClient } from './adapters/witness.js';
import { createRateLimits, noRateLimits } from './api/rate-limits.js';
import { createRequestKeys } from './api/request-keys.js';
import { createImports } from './commands/imports.js';
import { stateLoader } from './commands/load.js';
import { createProve } from './commands/prove.js';
import { recordInLog } from './commands/record-in-log.js';
import { createRun, type Run } from './commands/run.js';
import { createVault, type Vault } from './commands/vault.js';
import { createReadTarget } from './commands/webhooks.js';
import type { Config } from './config.js';
import { createCursors } from './domain/cursor.js';
import { connectionsWithin } from './http/connections.js';
import { createIdentify, createNamedAgent } from './http/identify.js';
import { createMetrics } from './http/metrics.js';
import { oidcCallbackPath, oidcPath } from './http/oidc.js';
import { createOwnAccount } from './http/own-account.js';
import { createReadiness } from './http/readiness.js';
import { createServer } from './http/server.js';
import { createAttemptCookie, createSessionCookie } from './http/session-cookie.js';
import { createCredentials, createSessions } from './http/sessions.js';
import { databaseLedger } from './ledger/engines/database.js';
import { type MaintenanceCommand, maintenanceCommands } from './maintenance/commands.js';
import { prepareModels } from './maintenance/prepare.js';
import { type Rebuildable, rebuildables } from './maintenance/rebuildable.js';
import { forgetEverywhere, forgetting } from './maintenance/scrub.js';
import type { Operation } from './maintenance/workspaces.js';
import { bootstrap, type Generated, sharedSecret } from './start/bootstrap.js';
import { claimStore } from './start/claim-store.js';
import { notingFirstUse } from './start/first-credentials.js';
import { openHeaders } from './start/open-headers.js';
import type { Timestamping } from './tlog/anchoring/timestamps.js';
import { createLogFiles } from './tlog/files.js';
import { logHealth } from './tlog/health.js';
import { createPublicLog } from './tlog/log.js';
import type { KeyStore } from './tlog/signer.js';
import { mainChain } from './verifier/bitcoin.js';
import { createProviderSignIn } from './wiring/provider-sign-in.js';
import { wireSearch } from './wiring/search.js';
import { startAnchoring } from './workers/anchoring.js';
import { startIngest } from './workers/ingest.js';
import { onlyOwner } from './workers/lease.js';
import { startReembedding } from './workers/reembed.js';
import { startRemoving } from './workers/removing.js';
import { createSend } from './workers/send.js';
import { startTidying } from './workers/tidy.js';
import { type DeliveryParts, startDeliveries } from './workers/webhooks.js';
import type { World } from './world.js';

/** The store that the settings name, with the ledger's tables as this version wants them. */
export async function openStore(config: Config): Promise<OpenedDatabase> {
  const database = await openDatabase(
    config.databaseUrl ? { kind: 'server', url: config.databaseUrl } : { kind: 'embedded', dataDir: config.dataDir },
  );
  try {
    await database.alone(() => migrate(database));
    return database;
  } catch (error) {
    // An open database keeps the process alive after it has said what is wrong.
    await database.close();
    throw error;
  }
}

/** What the command line may ask of the process that holds the store. */
export function wireMaintenance(
  { databaseUrl, dataDir }: Config,
  operation: Operation,
  models: readonly Rebuildable[],
  keys: KeyStore,
): ReadonlyMap<string, MaintenanceCommand> {
  return maintenanceCommands(operation, models, keys, databaseUrl === undefined ? dataDir : null);
}

/** The chains of workspaces, and the one way to write to them. */
export function openLedger(database: Database, world: World) {
  const ledger = databaseLedger(database, project);
  return { ledger, run: createRun(ledger, stateLoader(database, world.now), world) };
}

/** The signing keys of the public log, and what was signed with them last. */
export function openKeys({ baseUrl, dataDir }: Config, world: World): KeyStore {
  return keyStore(join(dataDir, 'keys'), baseUrl.replace(/^https?:\/\//, ''), world.now);
}

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  /** What the command line may ask of the process that holds the store. */
  readonly maintenance: ReadonlyMap<string, MaintenanceCommand>;
  /** What was generated because the store was empty; null otherwise. */
  readonly generated: Generated | null;
  /** Finishes what is under way and lets go of the store. */
  close(): Promise<void>;
}

/** Everything wired together, by hand and only here. Nothing listens yet. */
export async function createApp(config: Config, world: World, log: Logger, store: OpenedDatabase): Promise<App> {
  // A server does many things at once; the embedded database one, so what somebody waits for goes first.
  const { foreground: database, background } = config.databaseUrl
    ? { foreground: store.prompt, background: store.prompt }
    : foregroundFirst(store);
  const slow = config.databaseUrl ? store : background;
  const { prepare, ...indexing } = openIndexing();
  const embedder = config.embeddings ? openEmbedder(config.embeddings) : indexing.embedder;
  const models = rebuildables(embedder, prepare);
  const { ledger, run } = openLedger(database, world);
  const generated = await store.alone(async () => {
    await prepareModels(store, models, log);
    await claimStore(config, openKeys(config, world), store);
    return bootstrap({ ledger, database, run, world, log }, config);
  });
  const cursors = createCursors(await sharedSecret(database, world, 'cursors'));
  const requestKeys = createRequestKeys(await sharedSecret(database, world, 'requests'));
  const vault = createVault((alteration) => log.error(alteration, 'a stored text is not what its receipt commits to'));
  const { deliveries, readTarget } = wireWebhooks(config, { database: background, vault, world, log });
  const working = { database: background, embedder, prepare, vault, world, log };
  const ingest = startIngest({ ...working, searchIndex: databaseWriter, wakeDeliveries: deliveries.wake });
  const removing = startRemoving({ ...{ database: background, world, log }, owner: ownerOn(config, world) });
  const tidying = await wireTidying(config, world, log, database);
  const { read, transaction } = database;
  const logParts = { world, log, run, vault, database, background };
  const { prove, logFiles, anchoring, keys, logHealth } = await wireLog(config, logParts);
  const reembedding = startReembedding({ ...working, owner: ownerOn(config, world) });
  const limiter = openRateLimiter(config.databaseUrl ? database : null);
  const searching = await wireSearch(config, world, database, { run, embedder, vault, reembedding, limiter });
  const { imports, extractor } = wireImports(config, log);
  const redactor = openRedactor();
  const jsonReader = openJsonReader();
  const verifying = openVerifying();
  const { passwords, ...credentials } = await wireCredentials(config, world, run, database, limiter);
  let stopping = false;
  const missing = createReadiness(transaction);
  const server = createServer({
    log,
    services: {
      ...{ world, run, ...searching, vault, cursors, requestKeys, prove, imports },
      ...{ read, transaction, readTarget, hashPassword: passwords.hash },
      ...{ redact: redactor.redact, readJson: jsonReader.read },
      ...{ wakePipeline: ingest.wake, wakeDeliveries: deliveries.wake, removed: removing.removed },
    },
    ...{ logFiles, checkBundle: verifying.check, maxConnections: connectionsWithin(fileLimit()) },
    receiptByHash: (hash) => read((tx) => receiptByHash(tx, hash)),
    trustProxy: config.trustProxy,
    memoryApi: config.memoryApi,
    ...credentials,
    operation: {
      ...createMetrics(logHealth, vault.altered),
      missing: async () => (stopping ? ['the service is stopping'] : await missing()),
    },
  });
  return {
    server,
    database,
    maintenance: wireMaintenance(config, { database: slow, ledger, run, world }, models, keys),
    generated,
    async close() {
      stopping = true;
      await server.close();
      await Promise.all([ingest, deliveries, removing, reembedding, anchoring, tidying].map((one) => one?.stop()));
      const threads = [extractor, redactor, indexing, jsonReader, verifying, passwords];
      await Promise.all(threads.map((one) => one.close()));
      await store.close();
    },
  };
}

/** Whose leases they are: an embedded store lets one process in, whose next one need not wait for them. */
const ownerOn = ({ databaseUrl }: Config, world: World): string => (databaseUrl ? world.nonce() : onlyOwner);

/** A server vacuums by itself, and when to write its tables anew is its operator's to say (counterfoil scrub). */
async function wireTidying({ databaseUrl }: Config, world: World, log: Logger, database: Database) {
  if (databaseUrl) return null;
  await forgetEverywhere(database, log);
  return startTidying({ ...{ database, world, log }, ...forgetting(database) });
}

/** Who calls, and how often. */
async function wireCredentials(config: Config, world: World, run: Run, database: Database, limiter: RateLimiter) {
  const { oidc, baseUrl } = config;
  const passwords = openPasswords(world.passwordCosts);
  const cookie = createSessionCookie(await sharedSecret(database, world, 'sessions'), baseUrl, world.now);
  const sessions = createSessions({ database, world, cookie, attempts: limiter, passwords, baseUrl });
  const agents = createNamedAgent((id, by) => database.read((tx) => linkedAgent(tx, id, by)));
  const findKey = (hash: string, begun: () => void) =>
    database.read((tx) => {
      begun();
      return keyBySecretHash(tx, hash);
    });
  const byKey = createIdentify(findKey, agents);
  const attempts = createAttemptCookie(await sharedSecret(database, world, 'attempts'), baseUrl, oidcPath, world.now);
  const provider = oidc && openOidcProvider(oidc, `${baseUrl}${oidcCallbackPath}`);
  const noting = await notingFirstUse(database, {
    sessions,
    identify: createCredentials(byKey, sessions, cookie, agents),
  });
  return {
    passwords,
    account: createOwnAccount({ database, world, run, sessions, attempts: limiter, passwords }),
    ...noting,
    providerSignIn: provider ? createProviderSignIn({ provider, attempts, sessions: noting.sessions, baseUrl }) : null,
    rateLimits: config.rateLimits ? createRateLimits(limiter.count) : noRateLimits,
  };
}

/** What is sent to the addresses of webhooks, and which addresses these may be. */
function wireWebhooks({ allowPrivateUrls: allowPrivate }: Config, parts: Omit<DeliveryParts, 'send'>) {
  const send = createSend(publicFetch({ allowPrivate }), parts.world, allowPrivate);
  return {
    deliveries: startDeliveries({ ...parts, send }),
    readTarget: createReadTarget({ allowPrivate }),
  };
}

/** What takes text out of files and pages. */
function wireImports({ allowPrivateUrls }: Config, log: Logger) {
  if (allowPrivateUrls)
    log.warn('ALLOW_PRIVATE_URLS is set: URL imports and webhooks reach the network around this service');
  const extractor = openExtractor();
  return { extractor, imports: createImports({ fetch: publicFetch({ allowPrivate: allowPrivateUrls }), extractor }) };
}

interface LogParts {
  readonly world: World;
  readonly log: Logger;
  readonly run: Run;
  readonly vault: Vault;
  readonly database: Database;
  readonly background: Database;
}

/** What makes receipts provable to those who do not trust us: the public log, its files, the bundles and the anchoring. */
async function wireLog(config: Config, { world, log, run, vault, database, background }: LogParts) {
  const keys = openKeys(config, world);
  const record = recordInLog(run, world);
  // Not in the background: somebody may wait for a proof, and none of its transactions keeps others waiting for long.
  const publicLog = createPublicLog({ database, record, keys });
  const refusal = await publicLog.refusal();
  if (refusal) log.error({ reason: refusal.message }, 'the public log is not signed');
  const { calendars, bitcoinHeaders } = config;
  const timestamping: Timestamping = {
    ...{ database: background, record, world },
    calendars: calendarClient({ calendars, random: world.random }),
    // A third of them may be down, or lie, without keeping the others' promises from being kept.
    least: Math.ceil((2 * calendars.length) / 3),
    headers: bitcoinHeaders === undefined ? null : await openHeaders(bitcoinHeaders),
    easiest: mainChain,
  };
  const anchoring = startAnchoring({
    ...{ database: background, world, log, publicLog },
    timestamping: calendars.length === 0 ? null : timestamping,
    cosigning: { database: background, record, keys, witnesses: config.witnesses.map((one) => witnessClient(one)) },
    intervalMs: config.anchorIntervalMs,
    owner: ownerOn(config, world),
  });
  return {
    keys,
    logFiles: createLogFiles(database.read),
    prove: createProve(database, publicLog, vault, (error) => log.error({ err: error }, 'no checkpoint was signed')),
    anchoring,
    logHealth: () => logHealth(database, world, anchoring.failing(), publicLog),
  };
}

/**
 * Looks at what a start can know to be wrong before there is a store. @throws WrongSetting
 */
export async function checkSettings({ bitcoinHeaders }: Config): Promise<void> {
  if (bitcoinHeaders !== undefined) await openHeaders(bitcoinHeaders);
}
