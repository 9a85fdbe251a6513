import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { latencies } from '../load.js';
import { machineLine, table } from '../machine.js';
import { startService, temporaryDirectory } from '../service.js';
import { type Delivered, deliver } from './deliver.js';
import { type HistoryOptions, history, live } from './history.js';
import { introduce, type Member, makeMembers, readMembers } from './members.js';
import { society } from './society.js';

const usage = `Usage: npm run bench -- economy [--receipts 20000] [--workspaces 3] [--days 30] [--clients 8] [--batch 100] [--seed 1]
  [--until 2026-11-22T00:00:00Z] [--linked 3] [--private] [--wrong 0] [--live seconds] [--rate 20]
  [--url http://… --members file]`;

const options = {
  receipts: { type: 'string', default: '20000' },
  workspaces: { type: 'string', default: '3' },
  days: { type: 'string', default: '30' },
  clients: { type: 'string', default: '8' },
  batch: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  /** The end of the last day. */
  until: { type: 'string' },
  /** How many agents of each workspace are linked to an identity with proof. */
  linked: { type: 'string', default: '3' },
  /** The workspaces do not publish. */
  private: { type: 'boolean', default: false },
  wrong: { type: 'string', default: '0' },
  /** How many seconds to continue with tasks that end now, and how many a second. */
  live: { type: 'string', default: '0' },
  rate: { type: 'string', default: '20' },
  /** A service that runs already, and its workspaces. */
  url: { type: 'string' },
  members: { type: 'string' },
} as const;

/** An economy of agents submits its history to a service, and then works on in the present. */
export async function benchEconomy(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  const numbers = {
    receipts: Number(values.receipts),
    workspaces: Number(values.workspaces),
    days: Number(values.days),
    clients: Number(values.clients),
    batch: Number(values.batch),
    linked: Number(values.linked),
    wrong: Number(values.wrong),
    live: Number(values.live),
    rate: Number(values.rate),
  };
  if (Object.values(numbers).some((one) => !Number.isFinite(one) || one < 0)) throw new Error(usage);
  const untilMs = values.until === undefined ? Date.now() : Date.parse(values.until);
  const { seed, url, members: file } = values;
  const run = { ...numbers, seed, untilMs, publish: !values.private };
  if (url !== undefined && file !== undefined) {
    console.log(reportOf(await runEconomy(url, readMembers(file).slice(0, run.workspaces), run)));
    return;
  }
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, await freePort(), env);
    const members = makeMembers(run.workspaces, { DATA_DIR: store.path, OTS_CALENDARS: 'off', ...env });
    console.log(reportOf(await runEconomy(service.origin, members, run)));
    await service.stop();
  } finally {
    store.remove();
  }
}

interface EconomyRun extends HistoryOptions {
  readonly clients: number;
  readonly batch: number;
  readonly linked: number;
  readonly wrong: number;
  readonly live: number;
  readonly rate: number;
  readonly publish: boolean;
}

interface Parts {
  readonly history: Delivered;
  /** Null without a live part. */
  readonly live: Delivered | null;
}

export async function runEconomy(origin: string, members: readonly Member[], run: EconomyRun): Promise<Parts> {
  const people = society(run.seed, run.workspaces);
  await introduce(origin, members, people, run);
  const past = await deliver(origin, members, history(run), run);
  const present = run.live === 0 ? null : await deliver(origin, members, live(run), { ...run, batch: 1 });
  return { history: past, live: present };
}

export function reportOf({ history: past, live: present }: Parts): string {
  const row = (name: string, part: Delivered) => [
    name,
    part.recorded,
    part.duplicates,
    part.requests,
    (part.recorded / part.seconds).toFixed(0),
    ...latencies({ perSecond: 0, ms: part.ms }),
  ];
  const refusals = new Map<string, number>();
  for (const [code, count] of [...past.refusals, ...(present?.refusals ?? [])]) {
    refusals.set(code, (refusals.get(code) ?? 0) + count);
  }
  return table([
    [machineLine()],
    [],
    ['', 'recorded', 'duplicates', 'requests', 'receipts/s', 'p50 ms', 'p95 ms', 'p99 ms'],
    row('history', past),
    ...(present ? [row('live', present)] : []),
    [],
    [`Refusals: ${Array.from(refusals, ([code, count]) => `${code} ${count}`).join(', ') || 'none'}`],
  ]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
