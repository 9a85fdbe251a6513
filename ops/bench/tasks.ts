import { parseArgs } from 'node:util';
import { latencies, load } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';
import { signIn } from './sign-in.js';
import { processorSeconds, residentMb } from './usage.js';
import { randomStream, sentence } from './words.js';

const clients = 8;
const perBatch = 100;
const owner = { OWNER_EMAIL: 'owner@localhost', OWNER_PASSWORD: 'a password of a bench' };

/**
 * Task receipts in batches of 100 with 8 clients, and the memory of the service on the way. The baseline is the same clients
 * asking for /healthz in the same run. With --publish the receipts are public, and their facts are stored too.
 */
export async function benchTasks(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      receipts: { type: 'string', default: '20000' },
      parts: { type: 'string', default: '5' },
      publish: { type: 'boolean', default: false },
    },
  });
  const [receipts, parts] = [Number(values.receipts), Number(values.parts)];
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8192, { ...owner, ...env });
    if (values.publish) await publish(service);
    const submit = submitter(service);
    await submit(20);
    const bare = await load(service, clients, 3000, (send) => send('GET', '/healthz'));
    const rows = [];
    for (let part = 1; part <= parts; part += 1) {
      const before = processorSeconds(service.process);
      const result = await submit(Math.ceil(receipts / parts / perBatch));
      const used = processorSeconds(service.process) - before;
      const perSecond = result.perSecond * perBatch;
      rows.push([
        Math.round((receipts / parts) * part).toLocaleString('en'),
        perSecond.toFixed(0),
        (perSecond / bare.perSecond).toFixed(2),
        ...latencies(result),
        ((used * 1e6 * parts) / receipts).toFixed(0),
        residentMb(service.process),
      ]);
    }
    await service.stop();
    console.log(
      table([
        [machineLine()],
        [`GET /healthz (baseline): ${bare.perSecond.toFixed(0)} a second`],
        [],
        ['receipts', 'per second', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms', 'µs of processor', 'MiB'],
        ...rows,
      ]),
    );
  } finally {
    store.remove();
  }
}

async function publish(service: BenchService): Promise<void> {
  const cookie = await signIn(service, owner.OWNER_EMAIL, owner.OWNER_PASSWORD);
  const { ok } = await fetch(`${service.origin}/v1/workspace`, {
    method: 'PATCH',
    headers: { cookie },
    body: JSON.stringify({ publish_task_receipts: true }),
  });
  if (!ok) throw new Error('the workspace could not be made public');
}

/** Sends batches of receipts that were never sent before. Bodies are made in advance, so that this costs the service nothing. */
function submitter(service: BenchService) {
  const random = randomStream(11);
  let made = 0;
  const body = (): string => {
    const receipts = Array.from({ length: perBatch }, () => {
      made += 1;
      return task(random, made);
    });
    return JSON.stringify({ receipts });
  };
  /** The bodies of this number of batches are in memory at the same time. */
  const prepared = 500;
  return async (batches: number) => {
    let ms: readonly number[] = [];
    let seconds = 0;
    for (let left = batches; left > 0; left -= prepared) {
      const bodies = Array.from({ length: Math.min(prepared, left) }, body);
      const result = await load(service, clients, bodies.length, (send, i) => send('POST', '/v1/receipts', bodies[i]));
      ms = [...ms, ...result.ms];
      seconds += bodies.length / result.perSecond;
    }
    return { perSecond: batches / seconds, ms };
  };
}

const hex = (random: () => number, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/** A receipt of about 800 bytes, like those of a platform that reports steps of a longer run. */
function task(random: () => number, number: number) {
  const started = Date.UTC(2026, 0, 1) + number * 1000;
  const tools = ['files.read', 'files.move', 'mail.send', 'search.web'];
  return {
    receipt_id: `run-${Math.floor(number / 4)}-step-${number}`,
    agent_handle: `@agent-${number % 50}`,
    platform: 'sdk',
    model: 'a-model-of-some-vendor-2026',
    session_id: `session-${Math.floor(number / 4)}`,
    trace_id: hex(random, 32),
    span_id: hex(random, 16),
    started_at: new Date(started).toISOString(),
    ended_at: new Date(started + 5000 * random()).toISOString(),
    status: random() < 0.9 ? 'success' : 'error',
    task_summary: sentence(random, 10, 20),
    tool_calls: tools.slice(0, 1 + (number % 3)).map((tool) => ({ tool, ok: true, latency_ms: number % 700 })),
    tokens: { input: 100 + (number % 4000), output: number % 900 },
    cost_usd: Math.round(random() * 1e5) / 1e6,
    declared_scope: ['files.*', 'mail.send'],
    customer: { tier: 'gold', region: `eu-${number % 9}` },
  };
}
