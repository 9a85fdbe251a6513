import { latencies, load } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { randomStream, sentence } from './words.js';

const clients = 32;

/**
 * Receipted writes with 32 clients. The baseline is the same clients asking for /healthz, which is all of the HTTP stack and
 * nothing of the service: what is lost against it is what a receipt costs. The last row is the same again in a store whose
 * log is extended and signed every second, 600 times as often as it is by default.
 */
export async function benchWrites(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8192, env);
    const texts = await warmUp(service, count);
    const bare = await load(service, clients, 5000, (send) => send('GET', '/healthz'));
    const alone = await load(service, 1, 300, (send, i) => send('POST', '/v1/memories', { content: `alone ${i}` }));
    const from = performance.now();
    const writes = await write(service, texts);
    await untilSettled(service);
    const ready = texts.length / ((performance.now() - from) / 1000);
    const batches = await writeBatches(service, count);
    await service.stop();
    const signed = await whileSigning(count, env);
    const row = (name: string, at: number, result: typeof bare) => [
      name,
      at,
      result.perSecond.toFixed(0),
      (result.perSecond / bare.perSecond).toFixed(2),
      ...latencies(result),
    ];
    console.log(
      table([
        [machineLine()],
        [],
        ['request', 'clients', 'per second', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms'],
        row('GET /healthz (baseline)', clients, bare),
        row('POST /v1/memories', clients, writes),
        row('POST /v1/memories', 1, alone),
        [
          'memories by POST /v1/memories/batch, 1000 each',
          1,
          (batchSize * batches.perSecond).toFixed(0),
          '',
          ...latencies(batches),
        ],
        ['memories made ready, from the first write', '', ready.toFixed(0)],
        row('POST /v1/memories, a checkpoint every second', clients, signed),
      ]),
    );
  } finally {
    store.remove();
  }
}

const batchSize = 1000;

async function writeBatches(service: BenchService, count: number) {
  const random = randomStream(11);
  const made = Array.from({ length: Math.max(1, Math.ceil(count / batchSize)) }, (_, batch) => ({
    memories: Array.from({ length: batchSize }, (_, i) => ({
      content: `batch ${batch}, ${i} ${sentence(random, 8, 24)}`,
      source: `talk ${Math.floor(i / 30)}`,
    })),
  }));
  return load(service, 1, made.length, (send, i) => send('POST', '/v1/memories/batch', made[i] ?? {}));
}

async function whileSigning(count: number, env: Readonly<Record<string, string>>) {
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8192, { ...env, ANCHOR_INTERVAL: '1s' });
    const texts = await warmUp(service, count);
    const writes = await write(service, texts);
    await service.stop();
    return writes;
  } finally {
    store.remove();
  }
}

/** @returns as many texts as asked for, after others were written */
async function warmUp(service: BenchService, count: number): Promise<string[]> {
  const random = randomStream(7);
  const texts = Array.from({ length: count + 200 }, (_, i) => `${i} ${sentence(random, 8, 24)}`);
  const warm = texts.splice(0, 200);
  await load(service, clients, warm.length, (send, i) => send('POST', '/v1/memories', { content: warm[i] }));
  return texts;
}

function write(service: BenchService, texts: readonly string[]) {
  return load(service, clients, texts.length, (send, i) =>
    send('POST', '/v1/memories', { content: texts[i], source: `talk ${Math.floor(i / 30)}` }),
  );
}
