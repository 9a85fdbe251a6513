import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';
import { signIn } from './sign-in.js';
import { type SoakLoad, startLoad } from './soak-load.js';

const email = 'owner@example.org';
const password = 'a password for the soak';
const port = 8195;
/** Memory at the end may be so much of what it was at minute 2. */
const allowed = 1.1;

/**
 * What a service holds after minutes of a steady mixed load: everything that grows forever shows here first.
 * Ends with 1 when memory at the end is over what is allowed.
 */
export async function benchSoak(minutes: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const settings = { ...env, OWNER_EMAIL: email, OWNER_PASSWORD: password };
  const service = await startService(store.path, port, settings);
  const rows: (string | number)[][] = [[machineLine()], [], head];
  const note = async (when: string, of: BenchService, load?: SoakLoad) => {
    const row = await look(when, of, store.path, load);
    rows.push(row.cells);
    console.error(row.cells.join('  '));
    return row.memory;
  };
  await note('start', service);
  const load = startLoad(service, await signIn(service, email, password));
  const marks = [...new Set([2, 10, minutes].filter((mark) => mark <= minutes))].sort((a, b) => a - b);
  const memory: number[] = [];
  let past = 0;
  for (const mark of marks) {
    await pause((mark - past) * 60_000);
    past = mark;
    memory.push(await note(`minute ${mark}`, service, load));
  }
  await load.end();
  await pause(30_000);
  await note('all deleted, 30 s later', service, load);
  await service.stop();
  const again = await startService(store.path, port, settings);
  await note('started again', again);
  await again.stop();
  store.remove();
  const ratio = (memory.at(-1) ?? 0) / (memory[0] ?? 1);
  rows.push([], [`memory at minute ${minutes} is ${ratio.toFixed(2)} of minute ${marks[0]}; ${allowed} is allowed`]);
  console.log(table(rows));
  if (ratio > allowed) process.exitCode = 1;
}

const head = [
  'when',
  'memory MB',
  'heap MB',
  'loop delay max ms',
  'p50 ms',
  'p99 ms',
  'answers',
  'failures',
  'directory MB',
];

async function look(when: string, service: BenchService, directory: string, load?: SoakLoad) {
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const memory = metric('process_resident_memory_bytes');
  const { ms, failures } = load?.take() ?? { ms: [], failures: 0 };
  const share = (of: number) => (ms.length === 0 ? '' : quantile(ms, of).toFixed(1));
  const delay = (metric('nodejs_eventloop_lag_max_seconds') * 1000).toFixed(0);
  const heap = megabytes(metric('nodejs_heap_size_used_bytes'));
  return {
    memory,
    cells: [
      when,
      megabytes(memory),
      heap,
      delay,
      share(0.5),
      share(0.99),
      ms.length,
      failures,
      megabytes(size(directory)),
    ],
  };
}

/** Files come and go while they are counted. */
function size(directory: string): number {
  let bytes = 0;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    if (found?.isFile()) bytes += found.size;
  }
  return bytes;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
