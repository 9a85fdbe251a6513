import { load } from './load.js';
import { machineLine, table } from './machine.js';
import { proseOf } from './prose.js';
import { startService, temporaryDirectory, untilSettled } from './service.js';
import { processorSeconds, residentMb } from './usage.js';
import { randomStream } from './words.js';

const rounds = 5;
const memories = 10_000;

/**
 * From the start of the process to the first answer of /readyz, and how much processor time all of its threads have used and how much memory
 * the process holds then. With DATABASE_URL in `env`, all starts are on that database.
 */
export async function benchStart(env: Readonly<Record<string, string>>): Promise<void> {
  const rows: (string | number)[][] = [
    [machineLine()],
    [],
    ['start', 'best s', 'median s', 'worst s', 'ratio', 'CPU s', 'memory MB'],
  ];
  const bare = await measure('node -e 0 (baseline)', () => startNode());
  const stores = Array.from({ length: rounds }, () => temporaryDirectory());
  const fresh = await measure('with an empty store', async (i) => startOnce(stores[i]?.path ?? '', env));
  const again = await measure('with a store that is there', async (i) => startOnce(stores[i]?.path ?? '', env));
  const filled = stores[0]?.path ?? '';
  await fill(filled, env);
  const large = await measure(`with ${memories} memories`, () => startOnce(filled, env));
  for (const store of stores) store.remove();
  for (const { name, seconds, cpu, memory } of [bare, fresh, again, large]) {
    const [best = 0, , median = 0, , worst = 0] = seconds.toSorted((a, b) => a - b);
    const ratio = median / (bare.seconds.toSorted((a, b) => a - b)[2] ?? median);
    const shown = [best, median, worst].map((one) => one.toFixed(2));
    rows.push([name, ...shown, ratio.toFixed(1), cpu.toFixed(2), memory.toFixed(0)]);
  }
  console.log(table(rows));
}

interface Start {
  readonly ms: number;
  /** Seconds. */
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
}

async function measure(name: string, start: (round: number) => Promise<Start>) {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round += 1) starts.push(await start(round));
  const memory = Math.max(...starts.map((one) => one.memory));
  const cpu = starts.map((one) => one.cpu).sort((a, b) => a - b)[rounds >> 1] ?? 0;
  return { name, seconds: starts.map((one) => one.ms / 1000), cpu, memory };
}

async function startOnce(path: string, env: Readonly<Record<string, string>>): Promise<Start> {
  const service = await startService(path, 8194, env);
  const used = { cpu: processorSeconds(service.process), memory: residentMb(service.process) };
  await service.stop();
  return { ms: service.startMs, ...used };
}

/** Memories of 500 bytes. */
async function fill(path: string, env: Readonly<Record<string, string>>): Promise<void> {
  const service = await startService(path, 8194, env);
  const text = proseOf(randomStream(23));
  await load(service, 32, memories, (send) => send('POST', '/v1/memories', { content: text(500) }));
  await untilSettled(service);
  await service.stop();
}

async function startNode(): Promise<Start> {
  const { spawn } = await import('node:child_process');
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('exit', resolve));
  return { ms: performance.now() - from, cpu: 0, memory: 0 };
}
