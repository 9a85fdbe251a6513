import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddingsServer, embeddingsServer, outages } from '../../http/embeddings-server.js';
import { type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

let directory: string;
let embeddings: EmbeddingsServer;
let service: Service | undefined;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-embedder-'));
  await preparedDirectory(directory);
  embeddings = await embeddingsServer();
});
afterEach(async () => {
  await service?.stop();
  await embeddings.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<Service> {
  service = await startService({ DATA_DIR: directory, ...embeddings.env });
  return service;
}

async function until(what: string, ms: number, condition: () => Promise<boolean>): Promise<void> {
  for (const from = performance.now(); !(await condition()); ) {
    if (performance.now() - from > ms) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Found {
  readonly mode: string;
  readonly degraded: readonly string[];
  readonly data: readonly { memory_id: string; signals: { dense: object | null; keyword: object | null } }[];
}

const search = async ({ call }: Service, query: string): Promise<Found> =>
  (await call('POST', '/v1/memories/search', { query })).json;

/** Writes a memory and waits until it is ready. @returns its id */
async function write({ call }: Service, content: string): Promise<string> {
  const { status, json } = await call('POST', '/v1/memories', { content });
  expect(status).toBe(202);
  await until(`${content} is ready`, 6000, async () => {
    const job = (await call('GET', `/v1/ingest/${json.job_id}`)).json;
    expect([job.stage, job.failure_reason]).not.toContain('failed');
    return job.stage === 'done';
  });
  expect((await call('GET', `/v1/memories/${json.memory_id}`)).json.status).toBe('ready');
  return json.memory_id;
}

const idsOf = ({ data }: Found): string[] => data.map(({ memory_id }) => memory_id);

/** The memories that a search finds by vectors: `query` has words as long as theirs, and no word of theirs. */
const foundByVector = async (on: Service, query: string): Promise<string[]> =>
  (await search(on, query)).data.filter(({ signals }) => signals.dense !== null).map(({ memory_id }) => memory_id);

async function expectNoFault({ app }: Service): Promise<void> {
  const outcome = await app.maintenance.get('fsck')?.([], () => undefined);
  expect(outcome?.text).toContain('No fault');
}

// @covers JOB-EMBEDDER-AWAY JOB-EMBEDDER-BACK SEARCH-WRONG-VECTORS
test('what is written while the embedder is away is found by words at once, and by vectors when it is back', async () => {
  const on = await start();
  await write(on, 'before everything');
  const written: string[] = [];
  for (const [i, outage] of outages.entries()) {
    embeddings.state.behaviour = outage;
    const id = await write(on, `outage${i} happened yesterday`);
    written.push(id);
    const from = performance.now();
    const found = await search(on, `outage${i}`);
    expect(performance.now() - from).toBeLessThan(15_000);
    expect([outage, found.mode, found.degraded, idsOf(found)]).toEqual([
      outage,
      'keyword',
      ['dense_unavailable'],
      [id],
    ]);
  }
  const metrics = await on.call('GET', '/metrics');
  expect(metrics.text).toContain('counterfoil_engine_up{engine="embeddings"} 0');
  expect(/^counterfoil_memories_without_vectors .*$/m.exec(metrics.text)?.[0]).toBe(
    `counterfoil_memories_without_vectors ${outages.length}`,
  );
  const ready = await on.call('GET', '/readyz');
  expect([ready.status, ready.text]).toEqual([200, expect.stringContaining('embeddings server')]);
  await expectNoFault(on);

  embeddings.state.behaviour = 'answers';
  const alike = 'letters abcdefgh ninefolds';
  await until(
    'every memory has a vector',
    20_000,
    async () => (await foundByVector(on, alike)).filter((id) => written.includes(id)).length === outages.length,
  );
  await until('the answer is complete', 5000, async () => (await search(on, alike)).degraded.length === 0);
  await expectNoFault(on);
}, 90_000);

// @covers JOB-EMBEDDER-START
test('a store starts during an outage, also when its index must be built again, and recovers later', async () => {
  let on = await start();
  const first = await write(on, 'the ferry leaves tonight');
  embeddings.state.behaviour = 'hangs';
  const second = await write(on, 'the train leaves tonight');
  await on.app.database.transaction((tx) =>
    tx.query(`update projections set version = version - 1 where name = 'search'`),
  );
  await on.stop();

  on = await start();
  const third = await write(on, 'the coach leaves tonight');
  await until('the index is built again', 20_000, async () => idsOf(await search(on, 'leaves')).length === 3);
  expect(idsOf(await search(on, 'leaves')).sort()).toEqual([first, second, third].sort());
  embeddings.state.behaviour = 'answers';
  await until(
    'every memory has a vector',
    20_000,
    async () => (await foundByVector(on, 'any plane escape between')).length === 3,
  );
  await expectNoFault(on);
}, 60_000);

// @covers JOB-TEXT-REFUSED
test('a text that alone is refused stays found by words, is not sent again, and holds up no other', async () => {
  const on = await start();
  embeddings.state.behaviour = 'fails';
  const before = await write(on, 'ordinary note of today');
  const refused = await write(on, 'an unembeddable note of today');
  const after = await write(on, 'another note of today');
  embeddings.state.behaviour = 'answers';
  await until('the rest have vectors', 20_000, async () => (await foundByVector(on, 'abcdefgh zzzz')).length === 2);
  expect((await foundByVector(on, 'abcdefgh zzzz')).sort()).toEqual([before, after].sort());
  expect(idsOf(await search(on, 'unembeddable'))).toEqual([refused]);
  expect(idsOf(await search(on, 'note today')).sort()).toEqual([before, refused, after].sort());
  const { requests } = embeddings.state;
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(embeddings.state.requests).toBe(requests);
  expect((await on.call('GET', '/metrics')).text).toContain(
    'counterfoil_engine_records_total{engine="embeddings",outcome="refused"} 1',
  );
  await expectNoFault(on);
  for (const id of [before, refused, after]) await on.call('DELETE', `/v1/memories/${id}`);
  const [left] = await on.app.database.read((tx) =>
    tx.query<{ n: number }>(
      'select (select count(*) from search_documents) + (select count(*) from search_vectors) + (select count(*) from search_texts) as n',
    ),
  );
  expect(left?.n).toBe(0);
}, 60_000);

// @covers JOB-REEMBED
test('after a change of the size of the vectors everything is embedded again, and nothing is mixed', async () => {
  let on = await start();
  const first = await write(on, 'the ferry leaves tonight');
  await on.stop();
  embeddings.state.dimensions = 12;
  on = await start();
  expect(await search(on, 'ferry')).toMatchObject({ mode: 'keyword', degraded: ['dense_unavailable'] });
  const second = await write(on, 'the train leaves tonight');
  await until('both have vectors', 20_000, async () => {
    const found = await foundByVector(on, 'any plane escape between');
    return String(found.sort()) === String([first, second].sort());
  });
  const spaces = await on.app.database.read((tx) =>
    tx.query<{ dims: number }>('select distinct vector_dims(embedding) as dims from search_vectors'),
  );
  expect(spaces).toEqual([{ dims: 12 }]);
  await expectNoFault(on);
}, 60_000);
