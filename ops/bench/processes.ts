import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { OpenedDatabase } from '../../src/database/database.js';
import { openServer } from '../../src/database/server.js';
import { makeMembers } from './economy/members.js';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';
import { processorSeconds } from './usage.js';

/** As many in all for each shape, so that a shape has no more work waiting than another. */
const clients = 32;
const firstPort = 8180;
/** Until its code is optimized, a write of a process takes twice as long. A part of this makes more processes look slower than one. */
const warmUpWrites = 8000;
/** How long the processes are warmed up at once, and before each measurement. */
const warmUpMs = { all: 8000, each: 1000 };
/** How often the waits of the database are looked at. */
const lookMs = 20;
const usual = { seconds: 4, rounds: 3, shapes: '1x1,2x1,4x1,1x4,1x16,4x4' };

/** How many processes write to how many workspaces. */
interface Shape {
  readonly name: string;
  readonly processes: number;
  readonly workspaces: number;
}

/**
 * Receipted writes of 32 clients by several processes on one server, to one workspace and to several. The baseline of each round is
 * its first shape. The processes have the role `http` only: what is measured is writing. What idle services use is taken off.
 * @param args seconds of each measurement, rounds, and shapes such as `1x1,4x1`
 */
export async function benchProcesses(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { DATABASE_URL: url } = env;
  if (url === undefined) throw new Error('Set DATABASE_URL: several processes need a server.');
  const [seconds, rounds] = [Number(args[0] ?? usual.seconds), Number(args[1] ?? usual.rounds)];
  const shapes = (args[2] ?? usual.shapes).split(',').map(shapeOf);
  const store = temporaryDirectory();
  const services: BenchService[] = [];
  const database = await openServer(url);
  try {
    const settings = { ...env, ROLES: 'http' };
    const most = Math.max(...shapes.map(({ processes }) => processes));
    for (let at = 0; at < most; at += 1) services.push(await startService(store.path, firstPort + at, settings));
    const others = makeMembers(Math.max(...shapes.map(({ workspaces }) => workspaces)) - 1, {
      ...env,
      DATA_DIR: store.path,
    });
    const keys = [...services.slice(0, 1), ...others].map(({ key }) => key);
    for (let made = 0; made < warmUpWrites * most; ) {
      made += (await write(services, keys, shapeOf(`${most}x${keys.length}`), warmUpMs.all)).ms.length;
    }
    const idle = await idleOf(database, services);
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const shape of shapes) seen.push(await measure(database, services, keys, { shape, seconds, idle }));
    console.log(
      table([[`${machineLine()}; ${seconds} s, ${rounds} rounds, ${clients} clients`], [], ...rowsOf(shapes, seen)]),
    );
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await database.close();
    store.remove();
  }
}

function shapeOf(name: string): Shape {
  const [processes = 1, workspaces = 1] = name.split('x').map(Number);
  return { name, processes, workspaces };
}

interface Seen {
  readonly shape: Shape;
  readonly perSecond: number;
  readonly ms: readonly number[];
  readonly refused: number;
  /** Processor time of a write in milliseconds: of the services, and of the database if it is on this machine. */
  readonly own: number;
  readonly database: number;
  readonly perAppend: number;
  /** Shares of what the connections of the database wait for, of all that are in a transaction. */
  readonly waits: ReadonlyMap<string, number>;
}

interface Measuring {
  readonly shape: Shape;
  readonly seconds: number;
  /** Processor seconds of one idle service and of all connections of the database in a second. */
  readonly idle: { readonly own: number; readonly database: number };
}

async function measure(
  database: OpenedDatabase,
  services: readonly BenchService[],
  keys: readonly string[],
  { shape, seconds, idle }: Measuring,
): Promise<Seen> {
  const used = services.slice(0, shape.processes);
  // The worker that keeps the statistics of the tables is not there.
  await database.maintain('analyze');
  await write(used, keys, shape, warmUpMs.each);
  const before = await usageOf(database, used);
  const looking = new AbortController();
  const waits = lookAtWaits(database, looking.signal);
  const { ms, refused } = await write(used, keys, shape, 1000 * seconds);
  looking.abort();
  const after = await usageOf(database, used);
  const writes = ms.length;
  return {
    shape,
    ms,
    refused,
    perSecond: writes / seconds,
    own: (1000 * (after.own - before.own - (after.at - before.at) * idle.own * shape.processes)) / writes,
    database: (1000 * (databaseBetween(before, after) - (after.at - before.at) * idle.database)) / writes,
    perAppend: writes / (after.appends - before.appends),
    waits: await waits,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** All clients write until the time is over, each to its process and its workspace. */
async function write(services: readonly BenchService[], keys: readonly string[], shape: Shape, forMs: number) {
  const ms: number[] = [];
  let refused = 0;
  const pools = services.map(({ origin }) => new Pool(origin, { connections: clients }));
  const until = performance.now() + forMs;
  const client = async (_: unknown, at: number) => {
    const pool = pools[at % pools.length];
    const key = keys[Math.floor(at / pools.length) % shape.workspaces];
    for (let n = 0; pool && performance.now() < until; n += 1) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/memories',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ content: `${sent} of client ${at}: the ferry leaves pier ${n} at seven` }),
      });
      await body.dump();
      if (statusCode < 300) ms.push(performance.now() - sent);
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await Promise.all(pools.map((pool) => pool.close()));
  return { ms, refused };
}

/** Metrics are made once a second at most. */
const freshMs = 1100;

async function usageOf(database: OpenedDatabase, services: readonly BenchService[]) {
  await pause(freshMs);
  const texts = await Promise.all(services.map(async ({ origin }) => (await fetch(`${origin}/metrics`)).text()));
  const backends = await database.read((tx) =>
    tx.query<{ pid: number }>('select pid from pg_stat_activity where datname = current_database()'),
  );
  return {
    at: performance.now() / 1000,
    own: sum(services.map(({ process }) => processorSeconds(process))),
    backends: new Map(backends.map(({ pid }) => [pid, processorSeconds({ pid }) || 0])),
    appends: sum(
      texts.map((text) =>
        Number(/^counterfoil_ledger_appends_total\{outcome="appended"\} (\d+)/m.exec(text)?.[1] ?? 0),
      ),
    ),
  };
}

type Usage = Awaited<ReturnType<typeof usageOf>>;

const databaseBetween = (before: Usage, after: Usage): number =>
  sum([...after.backends].map(([pid, seconds]) => seconds - (before.backends.get(pid) ?? 0)));

const idleSeconds = 5;

async function idleOf(database: OpenedDatabase, services: readonly BenchService[]): Promise<Measuring['idle']> {
  const before = await usageOf(database, services);
  await pause(1000 * idleSeconds);
  const after = await usageOf(database, services);
  const seconds = after.at - before.at;
  return {
    own: (after.own - before.own) / seconds / services.length,
    database: databaseBetween(before, after) / seconds,
  };
}

async function lookAtWaits(database: OpenedDatabase, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let all = 0;
  while (!signal.aborted) {
    const rows = await database.read((tx) =>
      tx.query<{ what: string; count: number }>(
        `select case when state = 'idle in transaction' then 'the service'
                     when wait_event is null then 'processor' else wait_event_type || ' ' || wait_event end as what, count(*)
           from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' group by 1`,
      ),
    );
    for (const { what, count } of rows) {
      counts.set(what, (counts.get(what) ?? 0) + count);
      all += count;
    }
    await pause(lookMs);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => [what, count / all]));
}

function rowsOf(shapes: readonly Shape[], all: readonly Seen[]): string[][] {
  const baseline = all.filter(({ shape }) => shape === shapes[0]);
  const head = ['processes x workspaces', 'writes/s', 'ratio', 'ms of service', 'of database', 'ratio'];
  return [
    [...head, 'p50 ms', 'p99 ms', 'per append', 'refused', 'transactions wait for'],
    ...shapes.map((shape) => {
      const seen = all.filter((one) => one.shape === shape);
      const ms = seen.flatMap((one) => one.ms);
      const ratios = (of: (one: Seen) => number) =>
        spread(seen.map((one, round) => of(one) / of(baseline[round] ?? one)));
      return [
        shape.name,
        median(seen.map(({ perSecond }) => perSecond)).toFixed(0),
        ratios(({ perSecond }) => perSecond),
        ...[median(seen.map(({ own }) => own)), median(seen.map((one) => one.database))].map((one) => one.toFixed(2)),
        ratios(({ own, database }) => own + database),
        ...[0.5, 0.99].map((share) => quantile(ms, share).toFixed(0)),
        median(seen.map(({ perAppend }) => perAppend)).toFixed(1),
        String(sum(seen.map(({ refused }) => refused))),
        waitsOf(seen),
      ];
    }),
  ];
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;

function waitsOf(seen: readonly Seen[]): string {
  const names = [...new Set(seen.flatMap(({ waits }) => [...waits.keys()]))];
  return names
    .map((name) => ({ name, share: sum(seen.map(({ waits }) => waits.get(name) ?? 0)) / seen.length }))
    .sort((a, b) => b.share - a.share)
    .slice(0, 4)
    .map(({ name, share }) => `${name} ${(100 * share).toFixed(0)} %`)
    .join(', ');
}
