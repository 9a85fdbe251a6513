import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Acknowledged, key, load, loadBatch, missing } from '../../faults/acknowledged.js';
import { medianAndWorst } from '../../faults/figures.js';
import { freePort } from '../../faults/free-port.js';
import { ownPostgres } from '../../faults/postgres.js';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { startEventStoreProcess } from '../../support/eventstore-server/process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { quickStore } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** How often the service is killed on each store. A short run shows that nothing is broken; the figure is from a long one. */
const kills = repeats('KILLS');
const ledgerKills = repeats('LEDGER_KILLS');
/** How many writes are acknowledged before a kill, at least: an engine of its own takes longer to begin than a table. */
const ledgerWrites = repeats('LEDGER_WRITES');
/** A store is thrown away after this number, or checking what has grown would take all the time. */
const killsPerStore = 10;
const run = promisify(execFile);

interface KilledStore {
  readonly env: Record<string, string>;
  /** Kills the server of the store, if it has one. */
  strike(): Promise<void>;
  remove(): Promise<void>;
}

async function killRounds(rounds: number, newStore: () => Promise<KilledStore>, writes = 0): Promise<void> {
  let acknowledged = 0;
  const recoveries: number[] = [];
  for (let first = 0; first < rounds; first += killsPerStore) {
    const store = await newStore();
    const quiet = { LOG_LEVEL: 'error', RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
    const env = { ...store.env, ...quiet, BOOTSTRAP_API_KEY: key, PORT: '0' };
    let service: Service | undefined;
    try {
      service = await start(env);
      for (let round = first; round < Math.min(first + killsPerStore, rounds); round += 1) {
        const seen = await killUnderLoad(store, service, round, writes);
        const since = performance.now();
        service = await start(env);
        recoveries.push(performance.now() - since);
        expect(await missing(service.origin, seen), `acknowledged before kill ${round + 1}`).toEqual([]);
        const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
        expect(checked.stdout).toContain('No fault');
        acknowledged += seen.memories.size + 5 * seen.batches.length;
      }
    } finally {
      await service?.kill();
      await store.remove();
    }
  }
  console.log(
    `${rounds} kills, ${acknowledged} acknowledged writes, deletes and task receipts, none missing, fsck clean after each, ready again after ${medianAndWorst(recoveries)}`,
  );
}

/** @returns what was acknowledged */
async function killUnderLoad(
  store: KilledStore,
  service: Service,
  round: number,
  writes: number,
): Promise<Acknowledged> {
  const seen: Acknowledged = { memories: new Map(), batches: [] };
  const label = `round ${round}`;
  const loading = Promise.all([
    load(service.origin, seen, label),
    ...(round % killsPerStore === 0 ? [loadBatch(service.origin, seen, label)] : []),
  ]);
  for (const enough = writes * (1 + Math.random()); seen.memories.size < enough; ) await pause(10);
  await pause(50 + Math.random() * 1450);
  if (round % 4 === 1) await store.strike();
  await service.kill();
  await loading;
  return seen;
}

test(`kill -9 under load, ${kills} times, on the embedded database`, () =>
  killRounds(kills, async () => {
    const directory = await quickStore();
    return {
      env: { DATA_DIR: directory },
      strike: async () => undefined,
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    };
  }));

test(`kill -9 under load, ${kills} times, on a PostgreSQL server`, () =>
  killRounds(kills, async () => {
    // One of its own: a server ends all connections when one of its processes is killed, those of other tests too.
    const server = await ownPostgres(await freePort());
    const { url } = server;
    // The keys of the log, which know what was signed in this store.
    const directory = quickDirectory();
    return {
      env: { DATABASE_URL: url, DATA_DIR: directory },
      strike: () => killBackends(url),
      async remove() {
        rmSync(directory, { recursive: true, force: true });
        await server.remove();
      },
    };
  }));

/** Every fourth time the server of the streams is killed too. Both recover, and the tables are what the streams are. */
test(`kill -9 under load, ${ledgerKills} times, with the ledger on EventStoreDB`, () =>
  killRounds(
    ledgerKills,
    async () => {
      const directory = quickDirectory();
      const streams = await startEventStoreProcess(join(directory, 'streams'));
      return {
        env: { DATA_DIR: join(directory, 'data'), EVENTSTORE_URL: streams.url },
        strike: () => streams.restart(),
        async remove() {
          await streams.stop();
          rmSync(directory, { recursive: true, force: true });
        },
      };
    },
    ledgerWrites,
  ));

/** Kills the server's own processes as well: it recovers from its log, while the service sees its connections break. */
async function killBackends(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
  );
  for (const { pid } of rows) process.kill(pid, 'SIGKILL');
  await client.end().catch(() => undefined);
  for (let tries = 0; tries < 600; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const probe = new pg.Client({ connectionString: url });
    probe.on('error', () => undefined);
    const back = await probe.connect().then(
      () => true,
      () => false,
    );
    await probe.end().catch(() => undefined);
    if (back) return;
  }
  throw new Error('the server does not come back');
}
