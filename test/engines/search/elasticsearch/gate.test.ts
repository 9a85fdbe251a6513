import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { apiKey, eagerWorld, type Service, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';
import { gateTo } from '../../../search/elasticsearch/gate.js';
import { elasticsearchUrl } from '../../../support/engines.js';

const cluster = lookAt();
let gate: Awaited<ReturnType<typeof gateTo>>;
let service: Service;
beforeAll(async () => {
  gate = await gateTo(elasticsearchUrl());
  service = await startService({ ...cluster.env, ELASTICSEARCH_URL: gate.url }, eagerWorld);
  await until('an index serves', async () => (await cluster.ask('GET', `_alias/${cluster.alias}`)).status === 200);
});
afterAll(async () => {
  await service?.stop();
  gate?.close();
  await cluster.remove();
});
beforeEach(() => gate.fail(() => undefined));

async function remember(content: string): Promise<string> {
  const { status, json } = await service.call('POST', '/v1/memories', { content });
  expect(status).toBe(202);
  return json.memory_id;
}

const rememberSome = (about: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => remember(`${about} number ${i}`)));

const isCopied = async (ids: readonly string[]) => {
  const there = await cluster.documents();
  return ids.every((id) => there.has(`${id}:0`));
};
const copied = (ids: readonly string[]) => until('everything is copied', () => isCopied(ids), 60_000);

async function searched(query: string): Promise<readonly string[]> {
  const { status, json } = await service.call('POST', '/v1/memories/search', { query });
  expect([status, json.mode, json.degraded]).toEqual([200, 'fused', []]);
  return json.data.map((hit: { memory_id: string }) => hit.memory_id);
}

// @covers ENG-ES-BUSY
it.each([
  ['without Retry-After', {}],
  ['with Retry-After', { 'retry-after': '1' }],
])('loses nothing while two of three bulk requests are answered with 429 %s, and the database answers', async (how, headers) => {
  let requests = 0;
  gate.fail((path) => {
    if (path.includes('_msearch')) return { status: 429, headers };
    requests += path.includes('_bulk') ? 1 : 0;
    return path.includes('_bulk') && requests % 3 !== 0 ? { status: 429, headers } : undefined;
  });
  const ids = await rememberSome(`the tide table ${how}`, 12);
  await service.settled();
  expect((await searched(`the tide table ${how}`)).some((id) => ids.includes(id))).toBe(true);
  await copied(ids);
  expect(gate.counts.faults).toBeGreaterThan(1);
});

// @covers ENG-ES-BUSY
it('sends changes again that a bulk request could not take', async () => {
  let isFirst = true;
  gate.fail((path) => {
    if (!path.includes('_bulk') || !isFirst) return undefined;
    isFirst = false;
    return { rejects: (at) => at % 2 === 0 };
  });
  const ids = await rememberSome('the pilot book', 6);
  await copied(ids);
  expect(gate.counts.faults).toBe(1);
});

// @covers ENG-ES-FRESH
it('sends a memory no more that was deleted while the cluster refused to take it', async () => {
  gate.fail((path) => (path.includes('_bulk') ? { status: 429 } : undefined));
  const ids = await rememberSome('the chart of the reef', 3);
  const [deleted = '', ...others] = ids;
  await service.settled();
  await until('the cluster has refused them', async () => gate.counts.faults > 2);
  const { status } = await ask(service.app.server.listeningOrigin, 'DELETE', `/v1/memories/${deleted}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(status).toBe(200);
  const sent: string[] = [];
  gate.fail((path, body) => {
    if (path.includes('_bulk')) sent.push(body);
    return undefined;
  });
  await copied(others);
  expect(sent.join()).not.toContain(`{"index":{"_id":"${deleted}`);
  expect([...(await cluster.documents()).keys()].filter((id) => id.startsWith(deleted))).toEqual([]);
});

// @covers ENG-ES-SLOW
it('answers searches by the database, and takes memories, while every answer comes 1 to 3 seconds late', async () => {
  const known = await rememberSome('the lamp oil', 3);
  await service.settled();
  await copied(known);
  let answers = 0;
  gate.fail(() => ({ delayMs: 1100 + ((answers++ % 3) * 1900) / 2 }));
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const began = performance.now();
    expect(await searched('lamp oil')).toEqual(expect.arrayContaining(known));
    times.push(Math.round(performance.now() - began));
  }
  let release = () => {};
  const heldUntil = new Promise<void>((resolve) => {
    release = resolve;
  });
  gate.fail(() => ({ heldUntil }));
  const more = await rememberSome('the spare wick', 6);
  await service.settled();
  expect(await searched('spare wick')).toEqual(expect.arrayContaining(more));
  expect(await isCopied(more)).toBe(false);
  release();
  await copied(more);
  console.log(`searches took ${times.join(', ')} ms`);
});
