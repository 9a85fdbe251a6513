import { setTimeout as sleep } from 'node:timers/promises';
import { startEventStoreProcess } from '../../test/support/eventstore-server/process.js';
import { latencies } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';

/** Clients of each process. They write all the time, so the two processes meet with nearly every append. */
const clients = 4;
const ports = [8193, 8194] as const;

/**
 * Two processes whose clients write to one workspace, on the empty database of a server. What counts is how many writes are refused.
 * @param args seconds, and `eventstore` for the ledger on the protocol of EventStoreDB
 */
export async function benchContention(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  if (env.DATABASE_URL === undefined) throw new Error('Set DATABASE_URL: two processes need a server.');
  const seconds = Number(args[0] ?? 60);
  const directory = temporaryDirectory();
  const streams = args.includes('eventstore') ? await startEventStoreProcess(`${directory.path}/streams`) : null;
  const settings = streams ? { ...env, EVENTSTORE_URL: streams.url } : env;
  const services: BenchService[] = [];
  try {
    for (const port of ports) services.push(await startService(directory.path, port, settings));
    const results = await Promise.all(services.map((service, at) => writeFor(service, at, seconds)));
    const rows = await Promise.all(
      results.map(async ({ refused, ...written }, at) => [
        `process ${at + 1}`,
        written.ms.length,
        written.perSecond.toFixed(0),
        ...latencies(written),
        (await appendsOf(services[at])).join(', '),
        refused.size === 0 ? 'none' : [...refused].map(([what, count]) => `${count} × ${what}`).join(', '),
      ]),
    );
    console.log(
      table([
        [`${machineLine()}, ${streams ? 'EventStoreDB protocol' : 'ledger in PostgreSQL'}, ${seconds} s`],
        [],
        ['', 'writes', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'appends', 'refused'],
        ...rows,
      ]),
    );
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await streams?.stop();
    directory.remove();
  }
}

async function writeFor(service: BenchService, at: number, seconds: number) {
  const until = performance.now() + 1000 * seconds;
  const ms: number[] = [];
  const refused = new Map<string, number>();
  let written = 0;
  const client = async () => {
    while (performance.now() < until) {
      written += 1;
      const since = performance.now();
      const what = await service.post('/v1/memories', { content: `memory ${written} of process ${at}` }).then(
        ({ status, json }) => (status < 300 ? null : `${status} ${JSON.stringify(json).slice(0, 200)}`),
        (error: unknown) => String(error),
      );
      if (what === null) ms.push(performance.now() - since);
      else refused.set(what, (refused.get(what) ?? 0) + 1);
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { ms, perSecond: ms.length / seconds, refused };
}

/** How many appends a process has made, by what became of them. */
async function appendsOf(service: BenchService | undefined): Promise<string[]> {
  const text = service ? await (await fetch(`${service.origin}/metrics`)).text() : '';
  const found = text.matchAll(/^counterfoil_ledger_appends_total\{outcome="(\w+)"\} (\d+)/gm);
  return [...found].map(([, outcome, count]) => `${count} ${outcome}`);
}
