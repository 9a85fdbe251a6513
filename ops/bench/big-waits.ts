import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { takeSample } from './big-queries.js';
import { load } from './load.js';
import { quantile } from './machine.js';
import { type BenchService, untilSettled } from './service.js';
import { ask } from './sign-in.js';

const idleMs = 10_000;
/** Tables are cleaned of what was deleted some time after the answer. */
const afterMs = 60_000;
const moved = 2000;
const pollMs = 20;
const polled = 20;

type Row = (string | number)[];

const accepted = z.object({ memory_id: z.string() });
const shown = z.object({ status: z.string() });

/** From the answer to a write until its memory is ready, which is when searches find it, looked at every 20 ms. */
export async function measureSearchable(service: BenchService): Promise<Row[]> {
  const ms: number[] = [];
  for (let n = 0; n < polled; n += 1) {
    const { json } = await service.post('/v1/memories', { content: `a memory that is waited for, number ${n}` });
    const { memory_id: id } = accepted.parse(json);
    const from = performance.now();
    for (;;) {
      if (shown.parse((await service.get(`/v1/memories/${id}`)).json).status === 'ready') break;
      await pause(pollMs);
    }
    ms.push(performance.now() - from);
  }
  return [
    ['write to searchable, polled every 20 ms', 'p50 ms', 'p95', 'longest'],
    ['', ...[0.5, 0.95, 1].map((share) => quantile(ms, share).toFixed(0))],
  ];
}

/** Everything that other clients wait for during a deletion, deletions in bulk and a move, and in the minute after each. */
export async function measureWaits(service: BenchService, cookie: string): Promise<Row[]> {
  const { ids } = await takeSample(service);
  const [probe = '', single = '', ...rest] = ids;
  const others = startOthers(service, probe);
  const rows: Row[] = [['while', 's', 'GET p50 ms', 'longest GET', 'search', 'write', 'waits over 200 ms']];
  const during = async (name: string, work: () => Promise<unknown>) => {
    others.take();
    const from = performance.now();
    await work();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    rows.push([name, seconds, ...others.take()]);
    console.error(rows.at(-1)?.join('  '));
  };
  const minute = (name: string) => during(name, () => pause(afterMs));
  await pause(1000);
  await during('nothing (baseline)', () => pause(idleMs));
  await during('DELETE of one', () => ask(service, 'DELETE', `/v1/memories/${single}`));
  await minute('  the minute after it');
  const bulk = await approvedBulk(service, cookie, rest);
  await during(`bulk delete of ${rest.length}`, () => ask(service, 'POST', '/v1/memories/bulk-delete', {}, bulk));
  await minute('  the minute after it');
  const move = await filledNamespace(service, cookie);
  await during(`move of a namespace of ${moved}`, () => ask(service, 'DELETE', move, { cookie }));
  await minute('  the minute after it');
  await others.stop();
  return rows;
}

const held = z.object({ error: z.object({ details: z.object({ approval_id: z.string() }) }) });
const approved = z.object({ receipt_id: z.string() });

/** Asks for the bulk delete and approves it. @returns the body that will do it */
async function approvedBulk(service: BenchService, cookie: string, ids: readonly string[]): Promise<unknown> {
  const asked = await ask(service, 'POST', '/v1/memories/bulk-delete', {}, { ids }, 409);
  const { approval_id } = held.parse(asked).error.details;
  const answer = await ask(service, 'POST', `/v1/approvals/${approval_id}/approve`, { cookie });
  return { ids, approval_receipt_id: approved.parse(answer).receipt_id };
}

const namespace = z.object({ id: z.string() });
const namespaces = z.object({ data: z.array(z.object({ id: z.string(), is_default: z.boolean() })) });

/** @returns the path whose DELETE moves the memories of a new namespace into the default one */
async function filledNamespace(service: BenchService, cookie: string): Promise<string> {
  const { id } = namespace.parse(await ask(service, 'POST', '/v1/namespaces', { cookie }, { name: `b${Date.now()}` }));
  await load(service, 16, moved, (send, i) =>
    send(
      'POST',
      '/v1/memories',
      { content: `moved ${i} with some words about rivers, mountains and boats`, namespace: id },
      { cookie },
    ),
  );
  await untilSettled(service);
  const { data } = namespaces.parse(await ask(service, 'GET', '/v1/namespaces', { cookie }));
  return `/v1/namespaces/${id}?move_to=${data.find((one) => one.is_default)?.id}`;
}

/** Another client's requests of three kinds, one after the other, and how long each was waited for. */
function startOthers(service: BenchService, probe: string) {
  let waits = { get: [] as number[], search: [] as number[], write: [] as number[] };
  let stopped = false;
  const timed = async (into: 'get' | 'search' | 'write', work: () => Promise<unknown>) => {
    const from = performance.now();
    await work();
    waits[into].push(performance.now() - from);
  };
  const running = (async () => {
    for (let n = 0; !stopped; n += 1) {
      for (let reads = 0; reads < 8; reads += 1) {
        await timed('get', () => service.get(`/v1/memories/${probe}`));
        await pause(5);
      }
      await timed('search', () => service.post('/v1/memories/search', { query: 'rivers and boats', k: 3 }));
      await timed('write', () => service.post('/v1/memories', { content: `a note beside others, ${n} ${Date.now()}` }));
    }
  })();
  return {
    take(): Row {
      const { get, search, write } = waits;
      waits = { get: [], search: [], write: [] };
      const over = [...get, ...search, ...write].filter((ms) => ms > 200).length;
      const longest = [get, search, write].map((one) => (one.length === 0 ? '' : Math.max(...one).toFixed(0)));
      return [quantile(get, 0.5).toFixed(1), ...longest, over];
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
