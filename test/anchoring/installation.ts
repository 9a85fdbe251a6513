import { join } from 'node:path';
import pino from 'pino';
import { logChain } from '../../contracts/log.js';
import { project } from '../../projections/all.js';
import { type CheckpointRow, latestCheckpoint } from '../../projections/log/queries.js';
import { receiptById } from '../../projections/receipts/queries.js';
import { openBitcoinHeaders } from '../../src/adapters/bitcoin-headers.js';
import { calendarClient } from '../../src/adapters/opentimestamps.js';
import { keyStore } from '../../src/adapters/signing-keys.js';
import { witnessClient } from '../../src/adapters/witness.js';
import { realWorld, type World } from '../../src/base/world.js';
import { beginChain } from '../../src/commands/open-workspace.js';
import { type Bundle, createProve } from '../../src/commands/prove.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import { createVault } from '../../src/commands/vault.js';
import type { Database } from '../../src/database/database.js';
import type { Caller } from '../../src/domain/caller.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import type { WitnessSetting } from '../../src/settings/peers.js';
import { logHealth } from '../../src/tlog/health.js';
import { createTransparencyLog, type TransparencyLog } from '../../src/tlog/log.js';
import { type Anchoring, createAnchoring } from '../../src/workers/anchoring.js';
import { createWorker, type Worker } from '../../src/workers/loop.js';
import { newStore, type Store } from '../maintenance/store.js';
import { type Chain, createChain, easyTarget } from './bitcoin.js';
import { type CalendarServer, startCalendar } from './calendar.js';
import { type Lie, startEsplora } from './header-servers.js';

export const origin = 'log.example.org';
/** Those that are slow never answer, and those that are not answer within a second on a busy machine too. */
const timeoutMs = 1000;

/** How one process differs from another on the same store. */
export interface ProcessOptions {
  readonly origin: string;
  /** An address of block headers, or null for none. */
  readonly bitcoin: string | null;
  readonly keys: string;
  readonly database: Database;
  readonly owner: string;
  readonly witnesses: readonly WitnessSetting[];
}

/** One service's part in the log: what is in src/wiring/app.ts, without its clock. Rounds come when a test says so. */
export interface Process extends Pick<Anchoring, 'round' | 'failing'>, Pick<Worker, 'stop'> {
  readonly transparencyLog: TransparencyLog;
  bundle(caller: Caller, receiptId: string): Promise<Bundle>;
  health(): ReturnType<typeof logHealth>;
  /** Everything that was logged as a warning or worse. */
  readonly warnings: readonly string[];
}

export interface Installation {
  readonly store: Store;
  readonly keys: string;
  readonly chain: Chain;
  readonly calendars: readonly CalendarServer[];
  /** Hours that the processes' clocks are ahead. */
  wait(hours: number): void;
  /** Puts another header instead of each that is requested; null ends it. */
  lie(lie: Lie | null): void;
  start(options?: Partial<ProcessOptions>): Promise<Process>;
  /** Kinds of the entries in the log's chain, in order. */
  kinds(): Promise<string[]>;
  latest(): Promise<CheckpointRow | undefined>;
  /** Adds a memory. @returns its receipt's id */
  write(caller: Caller, content: string): Promise<string>;
  anchorOf(caller: Caller, receiptId: string): Promise<{ state: string | undefined; ots: Uint8Array | null }>;
  /** Paths of the submissions that calendar number `at` was requested. */
  submissions(at?: number): number;
  close(): Promise<void>;
}

/** A store with a public log, three calendars, a Bitcoin chain that is easy to mine, and a server of its headers. */
export async function newInstallation(): Promise<Installation> {
  const store = await newStore();
  const keys = join(store.directory, 'keys');
  const chain = createChain(Math.floor(Date.now() / 1000) - 40_000);
  chain.mine(3);
  let lying: Lie | null = null;
  let hours = 0;
  const esplora = await startEsplora(chain, (header) => (lying ? lying(header) : header));
  const calendars = await Promise.all([startCalendar(chain), startCalendar(chain), startCalendar(chain)]);
  const world: World = {
    ...realWorld,
    now: () => new Date(Date.now() + hours * 3_600_000),
    // The clock between rounds stands still until it is stopped.
    sleep: (ms, signal) => realWorld.sleep(signal ? 3_600_000 : Math.min(ms, 50), signal),
  };
  await beginChain(databaseLedger(store.database, project), world, logChain);
  const processes: Process[] = [];
  const defaults = { origin, keys, bitcoin: `${esplora.url}/api`, database: store.database };

  return {
    store,
    keys,
    chain,
    calendars,
    wait: (more) => {
      hours += more;
    },
    lie: (lie) => {
      lying = lie;
    },
    async start(options = {}) {
      const started = await startProcess(
        { ...defaults, owner: world.nonce(), witnesses: [], ...options },
        world,
        calendars,
      );
      processes.push(started);
      return started;
    },
    async kinds() {
      const rows = await store.sql<{ kind: string }>(
        `select convert_from(bytes, 'UTF8')::json ->> 'kind' as kind from entries where chain = $1 order by seq`,
        [logChain],
      );
      return rows.map(({ kind }) => kind);
    },
    latest: () => store.database.read(latestCheckpoint),
    async write(caller, content) {
      const id = await store.add(caller, content);
      const [row] = await store.sql<{ receipt_id: string }>('select receipt_id from memories where id = $1', [id]);
      return row?.receipt_id ?? '';
    },
    async anchorOf(caller, receiptId) {
      const row = await store.database.read((tx) => receiptById(tx, caller.workspaceId, receiptId));
      return { state: row?.anchor_state, ots: row?.ots ?? null };
    },
    submissions: (at = 0) => calendars[at]?.requests.filter((one) => one === 'POST /digest').length ?? 0,
    async close() {
      await Promise.all(processes.map((one) => one.stop()));
      await Promise.all([esplora, ...calendars].map((server) => server.close()));
      await store.close();
    },
  };
}

async function startProcess(
  options: ProcessOptions,
  world: World,
  calendars: readonly CalendarServer[],
): Promise<Process> {
  const { database, owner, bitcoin } = options;
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  const ledger = databaseLedger(database, project);
  const record = recordInLog(createRun(ledger, stateLoader(database, world.now), world), world);
  const keys = keyStore(options.keys, options.origin, world.now);
  const transparencyLog = createTransparencyLog({ database, record, keys });
  const prove = createProve(
    database,
    transparencyLog,
    createVault(() => undefined),
    (error) => log.error({ err: error }, 'no checkpoint was signed'),
  );
  const easiest = () => easyTarget;
  const timestamping = {
    database,
    record,
    world,
    easiest,
    least: 2,
    calendars: calendarClient({ calendars: calendars.map(({ url }) => url), random: world.random, timeoutMs }),
    headers: bitcoin === null ? null : await openBitcoinHeaders(bitcoin, { easiest, timeoutMs }),
  };
  const anchoring = createAnchoring({
    database,
    log,
    transparencyLog,
    timestamping,
    owner,
    cosigning: { database, record, keys, witnesses: options.witnesses.map((one) => witnessClient(one, timeoutMs)) },
    intervalMs: 3_600_000,
  });
  const worker = createWorker({ world, log }, anchoring.job);
  worker.start();
  return {
    round: anchoring.round,
    failing: anchoring.failing,
    stop: worker.stop,
    health: () => logHealth(database, world, anchoring.failing(), transparencyLog),
    transparencyLog,
    warnings,
    async bundle(caller, receiptId) {
      const row = await database.read((tx) => receiptById(tx, caller.workspaceId, receiptId));
      if (!row) throw new Error(`there is no receipt ${receiptId}`);
      return prove(caller.workspaceId, row);
    },
  };
}
