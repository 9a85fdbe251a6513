import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { textPdf } from '../../test/import/pdf.js';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, benchKey, startService, temporaryDirectory } from './service.js';
import { type StallRequest, stallBodies } from './stall-bodies.js';
import { stallReceipts } from './stall-receipts.js';
import { stallTexts } from './stall-texts.js';
import { peakMb, residentMb } from './usage.js';

const port = 18_971;
const quietMs = 10_000;
/** Of one case, the ingest of its memory included. */
const patienceMs = 120_000;

const json = (value: unknown) => () => JSON.stringify(value);
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const post = (name: string, path: string, body: () => string): StallRequest => ({ name, method: 'POST', path, body });

/** Everything that is done with a text of a caller. The word makes a search find the text no matter what it consists of. */
function waysOf(text: string, word: string): StallRequest[] {
  const content = `${word} ${text}`;
  const start = text.slice(0, 2000);
  // Node refuses addresses of more than 16 KiB before the service sees them.
  const q = encodeURIComponent([...start].slice(0, 1300).join('').toWellFormed());
  const file = (filename: string, bytes: string) => json({ kind: 'file', filename, data_base64: base64(bytes) });
  return [
    post('write', '/v1/memories', json({ content })),
    post('import text', '/v1/ingest', file('a.txt', `${content} text`)),
    post('import html', '/v1/ingest', file('a.html', `${content} html`)),
    post('search for it', '/v1/memories/search', json({ query: start.toWellFormed(), token_budget: 32_000, k: 50 })),
    { name: 'list by it', method: 'GET', path: `/v1/memories?limit=100&q=${q}` },
    post('search that finds it', '/v1/memories/search', json({ query: word, token_budget: 32_000, k: 50 })),
    { name: 'export', method: 'GET', path: '/v1/memories/export?limit=10' },
    post('verify', '/v1/receipts/verify', json({ receipt_hash: text.slice(0, 100_000) })),
  ];
}

function pdfCase(): StallRequest {
  const page = Array.from(
    { length: 50 },
    (_, i) => `Line ${i} of a page: the heron is in the shallows and waits for you`,
  );
  const pdf = textPdf(Array.from({ length: 300 }, (_, n) => [`Page ${n}`, ...page]));
  return post('import pdf', '/v1/ingest', json({ kind: 'file', filename: 'a.pdf', data_base64: base64(pdf) }));
}

type Waits = number[];

/** Another client's small requests, one after the other, and how long each was waited for, in milliseconds. */
function startOthers(service: BenchService) {
  let waits: Waits = [];
  let stopped = false;
  const refused = new Map<number, number>();
  const running = (async () => {
    for (let n = 0; !stopped; n += 1) {
      const from = performance.now();
      const { status } = (await [
        () => service.get('/v1/memories?limit=5'),
        () => service.post('/v1/memories/search', { query: 'where does the heron stand', k: 3 }),
        () => service.post('/v1/memories', { content: `a small note of another client, number ${n} ${from}` }),
      ][n % 3]?.()) ?? { status: 0 };
      waits.push(performance.now() - from);
      if (status >= 400) refused.set(status, (refused.get(status) ?? 0) + 1);
      await pause(5);
    }
  })();
  return {
    take(): Waits {
      const taken = waits;
      waits = [];
      return taken;
    },
    refused,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

const inMs = (waits: Waits) => [0.5, 0.99, 1].map((share) => quantile(waits, share).toFixed(0));

/** Sends one request that is meant to be expensive. @returns its status, and the memory that it wrote, if any */
async function ask(service: BenchService, { method, path, body }: StallRequest) {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${benchKey}` },
    signal: AbortSignal.timeout(patienceMs),
    ...(body ? { body: body() } : {}),
  });
  const answer = await response.text();
  const written = response.status === 202 ? z.object({ memory_id: z.string() }).parse(JSON.parse(answer)) : null;
  return { status: String(response.status), memoryId: written?.memory_id };
}

const send = async (service: BenchService, request: StallRequest): Promise<string> =>
  (await ask(service, request)).status;

/** Waits until nothing is in the pipeline but what the other client keeps writing. */
async function untilIndexed(service: BenchService): Promise<boolean> {
  const before = Date.now();
  for (let tries = 0; Date.now() - before < patienceMs; tries += 1) {
    const { json: page } = await service.get(
      '/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=100',
    );
    const open =
      typeof page === 'object' && page !== null && 'data' in page && Array.isArray(page.data) ? page.data : [];
    const old = open.some((job) => new Date(job.created_at).getTime() < before - 50);
    if (!old && tries > 0) return true;
    await pause(100);
  }
  return false;
}

/** @returns rows: the case, its time, the statuses of its requests, and what the rest waited; and the same of its deletion */
async function measure(
  service: BenchService,
  others: ReturnType<typeof startOthers>,
  name: string,
  requests: readonly StallRequest[],
) {
  const from = performance.now();
  others.take();
  const said: string[] = [];
  const written: string[] = [];
  for (const request of requests) {
    const { status, memoryId } = await ask(service, request).catch((error: Error) => ({
      status: error.name,
      memoryId: undefined,
    }));
    said.push(status);
    if (memoryId) written.push(memoryId);
    if (request.method === 'POST' && !said.at(-1)?.startsWith('4')) {
      if (!(await untilIndexed(service))) said.push('not indexed');
    }
  }
  const row = (of: string, since: number, answers: readonly string[]) => {
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    return [of, seconds, ...inMs(others.take()), residentMb(service.process), answers.join(' ')];
  };
  const rows = [row(name, from, said)];
  if (written.length === 0) return rows;
  const deleting = performance.now();
  const deleted: string[] = [];
  for (const id of written) {
    const request: StallRequest = { name: 'delete', method: 'DELETE', path: `/v1/memories/${id}` };
    deleted.push(await send(service, request).catch((error: Error) => error.name));
  }
  return [...rows, row(`  deleting ${written.length} of it`, deleting, deleted)];
}

/** People who do not exist sign in, this number at once, and try again as soon as they are answered. */
const flooding = 64;

/** @returns a row like those of `measure` */
async function measureFlood(service: BenchService, others: ReturnType<typeof startOthers>) {
  others.take();
  const until = performance.now() + quietMs;
  const said = new Map<string, number>();
  const oneAfterTheOther = async (client: number) => {
    for (let n = 0; performance.now() < until; n += 1) {
      const body = () =>
        JSON.stringify({ email: `unknown-${client}-${n}@example.org`, password: 'wrong horse battery' });
      const status = await send(service, post('sign-in', '/v1/session', body)).catch((error: Error) => error.name);
      said.set(status, (said.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: flooding }, (_, client) => oneAfterTheOther(client)));
  const answers = [...said].map(([status, count]) => `${count} × ${status}`).join(', ');
  return [floodName, (quietMs / 1000).toFixed(1), ...inMs(others.take()), residentMb(service.process), answers];
}

const floodName = `sign-in flood, ${flooding} at once`;

/**
 * What other clients wait for while one sends the worst there is. The baseline is the same client on the quiet service.
 * @param only cases whose name holds this
 */
export async function benchStall(only: string, env: Readonly<Record<string, string>>): Promise<void> {
  const directory = temporaryDirectory();
  const service = await startService(directory.path, port, env);
  try {
    for (let n = 0; n < 50; n += 1)
      await service.post('/v1/memories', { content: `note ${n}: the heron is in the shallows` });
    await untilIndexed(service);
    const others = startOthers(service);
    await pause(1000);
    others.take();
    await pause(quietMs);
    const rows: (string | number)[][] = [
      [machineLine()],
      [],
      ['case', 's', 'others p50 ms', 'p99', 'max', 'RSS MB', 'answers'],
      ['nothing (baseline)', (quietMs / 1000).toFixed(1), ...inMs(others.take()), residentMb(service.process), ''],
    ];
    const cases: (readonly [string, readonly StallRequest[]])[] = [
      ...stallTexts.map(({ name, text }, n) => [name, waysOf(text(), `zebra${n}`)] as const),
      ['PDF of 300 pages', [pdfCase()]],
      ...[...stallBodies, ...stallReceipts].map((request) => [request.name, [request]] as const),
    ];
    for (const [name, requests] of cases.filter(([name]) => name.includes(only))) {
      const measured = await measure(service, others, name, requests);
      rows.push(...measured);
      console.error(measured.map((row) => row.join('  ')).join('\n'));
    }
    if (floodName.includes(only)) rows.push(await measureFlood(service, others));
    await others.stop();
    console.log(table(rows));
    console.log(`at most ${peakMb(service.process)} MB; refusals of others: ${JSON.stringify([...others.refused])}`);
  } finally {
    await service.stop();
    directory.remove();
  }
}
