import { type BenchIndex, benchIndices, untilCopied } from './indexes.js';
import { type Load, latencies, load, type Send } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { processorSeconds } from './usage.js';
import { randomStream, sentence } from './words.js';

const searches = 400;

/**
 * Searches one after the other and with eight clients, in one namespace that grows to each of `sizes`. Each query is new, so little of
 * what it needs was needed before, as with the queries of most callers. The words follow Zipf's law, so queries hold frequent words as
 * well as rare ones. The baseline is GET of one memory in the same run. Each index gets the same queries, from a service of its own over
 * the same store. An answer with one arm only counts like others. The processor time is that of the service, and not of a server.
 */
export async function benchSearch(sizes: readonly number[], env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const indices = benchIndices();
  const start = (more: Readonly<Record<string, string>>) => startService(store.path, 8193, { ...env, ...more });
  try {
    const rows: (string | number)[][] = [
      [machineLine()],
      [],
      ['memories', 'index', 'request', 'clients', 'per second', 'ratio', 'processor ms', 'p50 ms', 'p95 ms', 'p99 ms'],
    ];
    const random = randomStream(11);
    let held = 0;
    for (const size of sizes) {
      const filling = await start(indices.writing);
      held = await fill(filling, random, held, size);
      await untilSettled(filling);
      await untilCopied(filling);
      await filling.stop();
      for (const index of indices.all) {
        const service = await start(index.env);
        rows.push(...(await measure(service, randomStream(size), size, index)));
        await service.stop();
      }
    }
    console.log(table(rows));
  } finally {
    await indices.remove();
    store.remove();
  }
}

async function fill(service: BenchService, random: () => number, held: number, size: number): Promise<number> {
  // The pipeline is let in between, or a backlog of 100,000 jobs would be measured instead of searches.
  for (let from = held; from < size; from += 5000) {
    const count = Math.min(5000, size - from);
    await load(service, 32, count, (send, i) =>
      send('POST', '/v1/memories', {
        content: `${from + i} ${sentence(random, 8, 24)}`,
        source: `talk ${(from + i) >> 5}`,
      }),
    );
    await untilSettled(service);
  }
  return size;
}

async function measure(
  service: BenchService,
  random: () => number,
  size: number,
  { name: indexName }: BenchIndex,
): Promise<(string | number)[][]> {
  const { json } = await service.get('/v1/memories?limit=1');
  const [, id] = /"id":"([^"]+)"/.exec(JSON.stringify(json)) ?? [];
  const measured = async (clients: number, request: (send: Send) => Promise<void>) => {
    const before = processorSeconds(service.process);
    const result = await load(service, clients, searches, request);
    return { ...result, processorMs: (1000 * (processorSeconds(service.process) - before)) / searches };
  };
  const get = await measured(1, (send) => send('GET', `/v1/memories/${id}`));
  const search = (clients: number) =>
    measured(clients, (send) => send('POST', '/v1/memories/search', { query: sentence(random, 3, 10), k: 8 }));
  await search(1);
  const row = (name: string, clients: number, result: Load & { readonly processorMs: number }) => [
    size,
    indexName,
    name,
    clients,
    result.perSecond.toFixed(0),
    (result.perSecond / get.perSecond).toFixed(3),
    result.processorMs.toFixed(2),
    ...latencies(result),
  ];
  return [
    row('GET /v1/memories/{id} (baseline)', 1, get),
    row('POST /v1/memories/search', 1, await search(1)),
    row('POST /v1/memories/search', 8, await search(8)),
  ];
}
