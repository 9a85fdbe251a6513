import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realWorld, type World } from '../../../src/base/world.js';
import { type EmbeddingsServer, embeddingsServer } from '../../http/embeddings-server.js';
import { laterWorld, type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';
import { until } from '../../support/until.js';

/** A clock that can be put forward, and pauses that are over at once. */
function fastWorld(): World & { forward(ms: number): void } {
  let ahead = 0;
  return {
    ...laterWorld(realWorld, () => ahead),
    sleep: (ms, signal) => realWorld.sleep(Math.min(ms, 20), signal),
    forward(ms) {
      ahead += ms;
    },
  };
}

let directory: string;
let embeddings: EmbeddingsServer;
let service: Service | undefined;
let world: ReturnType<typeof fastWorld>;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-pipeline-'));
  await preparedDirectory(directory);
  embeddings = await embeddingsServer();
  world = fastWorld();
});
afterEach(async () => {
  await service?.stop();
  await embeddings.close();
  rmSync(directory, { recursive: true, force: true });
});

const start = async (env: Record<string, string> = {}) => {
  service = await startService({ DATA_DIR: directory, ...env }, world);
  return service;
};

/** With a constraint that nothing meets, every job fails. */
const alterIndex = ({ database }: Service['app'], change: string) =>
  database.transaction((tx) => tx.query(`alter table search_documents ${change}`));

// @covers MEM-STATUS LIST-READY JOB-TERMINAL JOB-FAILED JOB-FAILED-MEMORY JOB-FIVE-TRIES JOB-RETRY-FAILED
test('a job is tried five times with growing pauses, fails with a reason, and can be queued again', async () => {
  const { call, app } = await start(embeddings.env);
  await alterIndex(app, 'add constraint nothing_new check (false) not valid');
  const { json } = await call('POST', '/v1/memories', { content: 'a text that no error may repeat' });
  const job = async () => (await call('GET', `/v1/ingest/${json.job_id}`)).json;
  const pauses = [1000, 4000, 16_000, 64_000];
  for (const [i, pause] of pauses.entries()) {
    await until(async () => (await job()).attempts === i + 1);
    expect(await job()).toMatchObject({ stage: 'embedding', terminal: false, failed_stage: null });
    world.forward(pause - 300);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await job()).attempts).toBe(i + 1);
    world.forward(300);
  }
  await until(async () => (await job()).stage === 'failed');
  const failed = await job();
  expect(failed).toMatchObject({ failed_stage: 'embedding', attempts: 5, terminal: true, poll_after_ms: null });
  expect(failed.failure_reason).toContain('nothing_new');
  expect(failed.failure_reason).not.toContain('a text that');
  expect((await call('GET', `/v1/memories/${json.memory_id}`)).json.status).toBe('failed');
  expect((await call('GET', '/v1/memories')).json.data).toEqual([]);
  expect((await call('GET', '/v1/ingest?stage=failed')).json.data).toHaveLength(1);

  await alterIndex(app, 'drop constraint nothing_new');
  const retried = await call('POST', `/v1/ingest/${json.job_id}/retry`);
  expect([retried.status, retried.json.stage, retried.json.failure_reason]).toEqual([202, 'queued', null]);
  await until(async () => (await job()).stage === 'done');
  expect((await call('GET', `/v1/memories/${json.memory_id}`)).json.status).toBe('ready');
});

// @covers SEARCH-READY JOB-LEASE
test('a job of a worker that is gone is taken over when its lease has run out', async () => {
  const { call, app, settled } = await start();
  const { json } = await call('POST', '/v1/memories', {
    content: `left in the middle ${'of a long text '.repeat(400)}`,
  });
  await settled();
  await app.database.transaction((tx) =>
    tx.query(
      `update jobs set stage = 'chunking', lease_owner = gen_random_uuid(), lease_until = now() + interval '2 seconds'`,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await call('GET', `/v1/ingest/${json.job_id}`)).json.stage).toBe('chunking');
  // It is the database's clock that ends it.
  world.forward(61_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await call('GET', `/v1/ingest/${json.job_id}`)).json.stage).toBe('chunking');
  await settled();
  const found = await call('POST', '/v1/memories/search', { query: 'left in the middle' });
  expect(found.json.data).toHaveLength(1);
});

// @covers JOB-POLL JOB-STALLED JOB-RETRY-IDLE JOB-RETRY-STALLED JOB-RETRY-REFUSED
test('a job without progress may be queued again after 15 minutes, and is stalled after four hours', async () => {
  const { call, app } = await start();
  await alterIndex(app, 'add constraint nothing_new check (false) not valid');
  const { json } = await call('POST', '/v1/memories', { content: 'waiting' });
  // Held by a worker that hangs but lives.
  const hold = () =>
    app.database.transaction((tx) =>
      tx.query(`update jobs set lease_owner = gen_random_uuid(), lease_until = '2100-01-01'`),
    );
  await hold();
  const retry = () => call('POST', `/v1/ingest/${json.job_id}/retry`);
  expect((await retry()).json.error.code).toBe('job_not_retryable');
  world.forward(15 * 60_000);
  expect((await retry()).status).toBe(202);
  await hold();
  world.forward(4 * 3_600_000 + 60_000);
  const job = await call('GET', `/v1/ingest/${json.job_id}`);
  expect(job.json).toMatchObject({ stalled: true, terminal: false, poll_after_ms: null });
  expect((await retry()).status).toBe(202);
});

// @covers SEARCH-KEYWORD-ONLY SEARCH-DENSE-UNAVAILABLE SEARCH-DENSE-DISABLED SEARCH-KEYWORD-UNAVAILABLE
test('a search continues with one arm when the other cannot run, and says why', async () => {
  const { call, settled } = await start(embeddings.env);
  await call('POST', '/v1/memories', { content: 'the ferry leaves at nine' });
  await settled();
  const search = async (on: Service = service ?? expect.fail()) => {
    const { json } = await on.call('POST', '/v1/memories/search', { query: 'when does the ferry leave' });
    return { mode: json.mode, degraded: json.degraded, hits: json.data.length };
  };
  expect(await search()).toEqual({ mode: 'fused', degraded: [], hits: 1 });
  embeddings.state.behaviour = 'fails';
  expect(await search()).toEqual({ mode: 'keyword', degraded: ['dense_unavailable'], hits: 1 });
  embeddings.state.behaviour = 'answers';
  await service?.stop();
  await start({ ...embeddings.env, SEARCH_ARMS: 'keyword' });
  expect(await search()).toEqual({ mode: 'keyword', degraded: ['dense_disabled'], hits: 1 });
  await service?.stop();
  await start({ ...embeddings.env, SEARCH_ARMS: 'dense' });
  expect(await search()).toEqual({ mode: 'dense', degraded: ['keyword_unavailable'], hits: 1 });
});

// @covers ERR-search_unavailable ESR-NO-ARM
test('a search is refused, and is never an empty answer, when no arm can run', async () => {
  const { call } = await start({ ...embeddings.env, SEARCH_ARMS: 'dense' });
  embeddings.state.behaviour = 'fails';
  const { status, json } = await call('POST', '/v1/memories/search', { query: 'ferry' });
  expect([status, json.error.code]).toEqual([503, 'search_unavailable']);
  embeddings.state.behaviour = 'answers';
  expect((await call('POST', '/v1/memories/search', { query: 'ferry' })).status).toBe(200);
});

// @covers SEARCH-REINDEXING JOB-REEMBED
test('a changed model embeds everything again in the background, continues after a restart, and never mixes', async () => {
  const first = await start();
  const count = 200;
  for (let i = 0; i < count; i += 1) await first.call('POST', '/v1/memories', { content: `memory number ${i}` });
  await first.settled();
  await first.stop();

  const outdated = async (on: Service) => {
    const [row] = await on.app.database.read((tx) =>
      tx.query<{ n: number }>(`select count(*) as n from search_documents where model <> 'openai:eight'`),
    );
    return row?.n ?? 0;
  };
  embeddings.state.behaviour = 'fails';
  const waiting = await start(embeddings.env);
  expect(await outdated(waiting)).toBe(count);
  embeddings.state.behaviour = 'answers';
  // Stopped in the middle: at least one batch is done, and not all of them.
  await until(async () => (await outdated(waiting)) < count);
  const during = await waiting.call('POST', '/v1/memories/search', { query: 'memory number 7' });
  const left = await outdated(waiting);
  if (left > 0) expect(during.json.degraded).toEqual(['reindexing']);
  await waiting.stop();

  const again = await start(embeddings.env);
  await until(async () => (await outdated(again)) === 0);
  // A batch in progress when the service stopped may have been sent twice; nothing else.
  expect(embeddings.state.texts).toBeLessThanOrEqual(count + 64 + 2);
  await until(
    async () => (await again.call('POST', '/v1/memories/search', { query: 'memory' })).json.degraded.length === 0,
  );
  const [spaces] = await again.app.database.read((tx) =>
    tx.query<{ n: number; dims: number }>(
      'select count(*) as n, max(vector_dims(embedding)) as dims from search_vectors',
    ),
  );
  expect(spaces).toEqual({ n: count, dims: 8 });
});

// @covers ADD-REFUSED-NOTHING SEARCH-NO-RECEIPT
test('without a receipt nothing is written and no hits are given', async () => {
  const { call, app, settled } = await start();
  await call('POST', '/v1/memories', { content: 'on record' });
  await settled();
  const alter = (change: string) => app.database.transaction((tx) => tx.query(`alter table entries ${change}`));
  await alter('add constraint nothing_new check (false) not valid');
  const write = await call('POST', '/v1/memories', { content: 'off the record' });
  expect([write.status, write.json.error.code]).toEqual([503, 'receipt_unavailable']);
  const search = await call('POST', '/v1/memories/search', { query: 'record' });
  expect([search.status, search.json.error.code]).toEqual([503, 'recall_receipt_unavailable']);
  await alter('drop constraint nothing_new');
  expect((await call('POST', '/v1/memories/search', { query: 'record' })).json.data).toHaveLength(1);
  expect((await call('POST', '/v1/memories', { content: 'off the record' })).json.duplicate).toBe(false);
});
