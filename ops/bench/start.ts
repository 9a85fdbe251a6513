import { machineLine, table } from './machine.js';
import { startService, temporaryDirectory } from './service.js';

const rounds = 5;

/** From the start of the process to the first answer of /readyz, and how much memory the process holds then. */
export async function benchStart(env: Readonly<Record<string, string>>): Promise<void> {
  const rows: (string | number)[][] = [
    [machineLine()],
    [],
    ['start', 'best s', 'median s', 'worst s', 'ratio', 'memory MB'],
  ];
  const bare = await measure('node -e 0 (baseline)', () => startNode());
  const stores = Array.from({ length: rounds }, () => temporaryDirectory());
  const fresh = await measure('with an empty store', async (i) => startOnce(stores[i]?.path ?? '', env));
  const again = await measure('with a store that is there', async (i) => startOnce(stores[i]?.path ?? '', env));
  for (const store of stores) store.remove();
  for (const { name, seconds, memory } of [bare, fresh, again]) {
    const [best = 0, , median = 0, , worst = 0] = seconds.toSorted((a, b) => a - b);
    const ratio = median / (bare.seconds.toSorted((a, b) => a - b)[2] ?? median);
    rows.push([name, best.toFixed(2), median.toFixed(2), worst.toFixed(2), ratio.toFixed(1), memory.toFixed(0)]);
  }
  console.log(table(rows));
}

interface Start {
  readonly ms: number;
  readonly memory: number;
}

async function measure(name: string, start: (round: number) => Promise<Start>) {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round += 1) starts.push(await start(round));
  const memory = Math.max(...starts.map((one) => one.memory)) / 2 ** 20;
  return { name, seconds: starts.map((one) => one.ms / 1000), memory };
}

async function startOnce(path: string, env: Readonly<Record<string, string>>): Promise<Start> {
  const service = await startService(path, 8194, env);
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  const [, bytes] = /^process_resident_memory_bytes (\S+)/m.exec(metrics) ?? [];
  await service.stop();
  return { ms: service.startMs, memory: Number(bytes ?? 0) };
}

async function startNode(): Promise<Start> {
  const { spawn } = await import('node:child_process');
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('exit', resolve));
  return { ms: performance.now() - from, memory: 0 };
}
