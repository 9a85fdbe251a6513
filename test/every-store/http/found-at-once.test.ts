import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { usePeople } from '../../http/people.js';
import type { Service } from '../../http/service.js';
import { onEngines, stores } from '../../support/stores.js';

/** No worker runs: what is found here was indexed with its write. A ledger or an index of its own leaves everything to workers. */
describe.skipIf(onEngines).each(stores)('a memory that was just written, on %s', () => {
  const people = usePeople({ ROLES: 'http' });
  const call: Service['call'] = (...request) => people.as('owner').call(...request);
  const write = async (content: string, more: object = {}) =>
    (await call('POST', '/v1/memories', { content, ...more })).json;
  const find = async (query: string) => {
    const { json } = await call('POST', '/v1/memories/search', { query });
    return { degraded: json.degraded, ids: json.data.map((one: { memory_id: string }) => one.memory_id) };
  };
  const found = async (query: string) => (await find(query)).ids;
  const rows = async (table: string, id: string) => {
    const [row] = await people
      .service()
      .app.database.read((tx) =>
        tx.query<{ n: number }>(`select count(*) as n from ${table} where memory_id = $1::uuid`, [id]),
      );
    return row?.n;
  };
  const faults = async () => {
    const { faults: all } = await fsck(people.service().app.database, rebuildables(lexicalEmbedder()), {
      onProgress: () => undefined,
    });
    return all;
  };

  // @covers JOB-AT-WRITE SEARCH-READY JOB-DONE MEM-STATUS
  it('is found by words and by its vector, is listed and read as ready, and has no row of a job', async () => {
    const { memory_id: id, job_id, stage } = await write('The heron nests by the weir.');
    expect(stage).toBe('queued');
    expect(await find('heron')).toEqual({ degraded: [], ids: [id] });
    // No word of it: the vector finds the other form.
    expect(await found('herons nesting')).toEqual([id]);
    expect((await call('GET', '/v1/memories?q=weir')).json.data).toMatchObject([{ id }]);
    const memory = (await call('GET', `/v1/memories/${id}`)).json;
    expect(memory.status).toBe('ready');
    expect(await rows('jobs', id)).toBe(0);
    const job = (await call('GET', `/v1/ingest/${job_id}`)).json;
    expect(job).toEqual({
      job_id,
      memory_id: id,
      namespace_id: memory.namespace_id,
      stage: 'done',
      stage_timestamps: { queued: memory.created_at, done: memory.created_at },
      failed_stage: null,
      failure_reason: null,
      attempts: 0,
      created_at: memory.created_at,
      updated_at: memory.created_at,
      stalled: false,
      terminal: true,
      poll_after_ms: null,
    });
    const waited = await call('POST', '/v1/memories', { content: 'Ended before the answer.' }, { prefer: 'wait=5' });
    expect([waited.status, waited.json.stage]).toEqual([202, 'done']);
    const retry = await call('POST', `/v1/ingest/${job_id}/retry`);
    expect([retry.status, retry.json.error.code]).toEqual([409, 'job_not_retryable']);
    const again = await call('POST', '/v1/memories', { content: 'The heron nests by the weir.' });
    expect([again.status, again.json]).toMatchObject([200, { memory_id: id, job_id, stage: 'done', duplicate: true }]);
  });

  // @covers JOB-AT-WRITE SEARCH-READY
  it('is found when many are written at once, in one call and in several', async () => {
    const memories = Array.from({ length: 300 }, (_, n) => ({ content: `crate ${n} holds zephyr${n} rope` }));
    const batch = await call('POST', '/v1/memories/batch', { memories });
    expect(batch.json.results.every((one: { stage: string }) => one.stage === 'queued')).toBe(true);
    const several = await Promise.all(
      Array.from({ length: 40 }, (_, n) => write(`parcel ${n} holds sextant${n} twine`)),
    );
    for (const n of [0, 131, 299]) {
      expect(await found(`zephyr${n}`)).toContain(batch.json.results[n].memory_id);
    }
    for (const n of [0, 17, 39]) expect(await found(`sextant${n}`)).toContain(several[n].memory_id);
  });

  // @covers JOB-AT-WRITE
  it('waits for a worker if it is longer than 4 KiB, and no search finds it until then', async () => {
    const long = `kittiwake ${'a colony of gulls on the cliff, '.repeat(140)}`;
    const { memory_id: id, stage } = await write(long);
    expect(stage).toBe('queued');
    expect(await rows('jobs', id)).toBe(1);
    expect(await found('kittiwake')).toEqual([]);
    const open = await call('GET', '/v1/ingest?stage=queued');
    expect(open.json.data).toMatchObject([{ memory_id: id, stage: 'queued' }]);
    expect((await call('DELETE', `/v1/memories/${id}`)).status).toBe(200);
  });

  // @covers JOB-LIST JOB-LIST-STAGE
  it('is in the list of jobs, page by page, beside those that have a row', async () => {
    const { memory_id: queued } = await write(`fulmar ${'on the ledge above the sea, '.repeat(160)}`);
    const { memory_id: done } = await write('a petrel at dusk');
    const page = async (more: string) => (await call('GET', `/v1/ingest?limit=1${more}`)).json;
    const first = await page('');
    expect(first.data).toMatchObject([{ memory_id: done, stage: 'done', label: 'a petrel at dusk' }]);
    const second = await page(`&cursor=${first.next_cursor}`);
    expect(second.data).toMatchObject([{ memory_id: queued, stage: 'queued' }]);
    const ended = await page('&stage=done');
    expect(ended.data).toMatchObject([{ memory_id: done }]);
    const next = await page(`&stage=done&cursor=${ended.next_cursor}`);
    expect(next.data[0].stage).toBe('done');
    expect(next.data[0].memory_id).not.toBe(done);
    expect((await page('&stage=queued')).data).toMatchObject([{ memory_id: queued }]);
    expect((await call('DELETE', `/v1/memories/${queued}`)).status).toBe(200);
  });

  // @covers JOB-AT-WRITE INVALID-SEARCH INVALID-SEARCH-AGAIN
  it('is not found any more when it is deleted or invalidated at once, and leaves nothing in the index', async () => {
    const { memory_id: gone } = await write('a cormorant dries its wings');
    expect((await call('DELETE', `/v1/memories/${gone}`)).status).toBe(200);
    expect(await found('cormorant')).toEqual([]);
    for (const table of ['search_documents', 'search_texts', 'search_vectors', 'jobs', 'admissions']) {
      expect([table, await rows(table, gone)]).toEqual([table, 0]);
    }
    const { memory_id: wrong } = await write('a grebe dives for eels');
    const body = { reason: 'it was a diver' };
    expect((await call('POST', `/v1/memories/${wrong}/invalidate`, body)).status).toBe(200);
    expect(await found('grebe')).toEqual([]);
    expect((await call('POST', `/v1/memories/${wrong}/reinstate`, {})).status).toBe(200);
    expect(await found('grebe')).toEqual([wrong]);
  });

  // @covers JOB-AT-WRITE
  it('is found in the namespace that it is moved to at once, also if its metadata are long', async () => {
    const { json: shed } = await call('POST', '/v1/namespaces', { name: 'shed' });
    const { memory_id: short } = await write('an osprey takes a mullet', { namespace: 'shed' });
    const { memory_id: long } = await write(`a merlin above the moor ${'and its shadow '.repeat(200)}`, {
      namespace: 'shed',
      metadata: { note: 'n'.repeat(1500) },
    });
    expect(await found('merlin')).toEqual([long]);
    const moving = await call('DELETE', `/v1/namespaces/${shed.id}?move_to=default`);
    expect(moving.status).toBe(200);
    expect(await found('osprey')).toEqual([short]);
    // It is indexed again by a job, as before.
    expect(await rows('jobs', long)).toBe(1);
    people.service().app.start({ roles: ['http', 'ingest'] });
    await people.service().settled();
    expect(await found('merlin')).toEqual([long]);
    expect((await call('GET', `/v1/ingest/${long}`)).json).toMatchObject({ stage: 'done', job_id: long });
  });

  // @covers JOB-AT-WRITE-FAILS ADD-REFUSED-NOTHING
  it('is written and left to its job if the index cannot take it', async () => {
    const alter = (change: string) =>
      people.service().app.database.transaction((tx) => tx.query(`alter table search_texts ${change}`));
    await alter('add constraint nothing_new check (false) not valid');
    const { memory_id: id, stage } = await write('a whimbrel calls seven times');
    await alter('drop constraint nothing_new');
    expect(stage).toBe('queued');
    await people.service().settled();
    expect(await found('whimbrel')).toEqual([id]);
  });

  it('leaves a store in which nothing is wrong', async () => {
    expect(await faults()).toBeNull();
  });
});
