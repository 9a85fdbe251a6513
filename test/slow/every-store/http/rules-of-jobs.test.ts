import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../../http/keys.js';
import { type Service, startService } from '../../../http/service.js';
import { giveJobs } from '../../../support/given-jobs.js';
import { stores } from '../../../support/stores.js';

/** The rules of ingest jobs one by one. The same on every store. */
describe.each(stores)('rules of jobs on %s', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const ingest = (content: string, source?: string) =>
    service.call('POST', '/v1/ingest', { kind: 'text', content, ...(source ? { source } : {}) });
  const names = ['job_id', 'memory_id', 'namespace_id', 'stage', 'stage_timestamps', 'failed_stage', 'failure_reason'];
  const fields = [...names, 'attempts', 'created_at', 'updated_at', 'stalled', 'terminal', 'poll_after_ms'];

  // @covers JOB-FIELDS JOB-POLL
  it('shows a job with every field, and when to ask again while it runs', async () => {
    const { json } = await ingest('a job to look at');
    await service.settled();
    const path = `/v1/ingest/${json.job_id}`;
    const done = (await service.call('GET', path)).json;
    expect(Object.keys(done).sort()).toEqual(fields.sort());
    expect([done.stage, done.terminal, done.poll_after_ms]).toEqual(['done', true, null]);
    // Held by a worker that never comes to an end.
    await service.app.database.transaction(giveJobs);
    await service.app.database.transaction((tx) =>
      tx.query(
        `update jobs set stage = 'embedding', lease_owner = gen_random_uuid(), lease_until = '2100-01-01'
                 where job_id = $1`,
        [json.job_id],
      ),
    );
    const running = (await service.call('GET', path)).json;
    expect([running.terminal, running.stalled]).toEqual([false, false]);
    expect(running.poll_after_ms).toBeGreaterThan(0);
    await service.app.database.transaction((tx) =>
      tx.query(`update jobs set stage = 'done', lease_owner = null, lease_until = null where job_id = $1`, [
        json.job_id,
      ]),
    );
  });

  // @covers IMPORT-TEXT-SOURCE
  it('names the source of an imported text', async () => {
    const source = async (given?: string) => {
      const { json } = await ingest(`imported as ${given}`, given);
      return (await service.call('GET', `/v1/memories/${json.memory_id}`)).json.source;
    };
    expect(await source('import:file')).toBe('import:file');
    for (const given of [undefined, 'import:url', 'mine']) expect(await source(given)).toBe('import:text');
  });

  // @covers JOB-LIST JOB-LIST-LIMIT JOB-LIST-LIMIT-DEFAULT JOB-LIST-LABEL
  it('lists jobs newest first, page by page, with source and label', async () => {
    const long = 'x'.repeat(61);
    for (let i = 0; i < 26; i += 1) await ingest(`job number ${i}`);
    const { json } = await ingest(long);
    await service.settled();
    const list = (query = '') => service.call('GET', `/v1/ingest${query}`);
    const first = (await list()).json;
    expect(first.data).toHaveLength(25);
    expect(Object.keys(first.data[0]).sort()).toEqual([...fields, 'source', 'label'].sort());
    expect(first.data[0]).toMatchObject({ job_id: json.job_id, source: 'import:text', label: `${'x'.repeat(60)}…` });
    const all = (await list('?limit=100')).json;
    expect(all.next_cursor).toBeNull();
    const rest = (await list(`?limit=100&cursor=${first.next_cursor}`)).json.data;
    expect([...first.data, ...rest]).toEqual(all.data);
    const times = all.data.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const limit of [0, 101]) expect((await list(`?limit=${limit}`)).json.error.code).toBe('invalid_request');
  });

  // @covers JOBS-RETRY JOBS-RETRY-PAGES JOBS-RETRY-SCOPE
  it('retries the failed jobs that a filter selects, page by page, in reach of the caller', async () => {
    const admin = administration(service);
    const { workspaceId, namespaceId } = await admin.first();
    const { key: foreign } = await admin.workspace();
    const other = '018f0000-0000-7000-8000-00000000abcd';
    const jobs: string[] = [];
    for (let i = 0; i < 5; i += 1) jobs.push((await ingest(`to be retried ${i}`)).json.job_id);
    await service.settled();
    await service.app.database.transaction(giveJobs);
    const fail = (ids: readonly string[], stage: string, at: string) =>
      service.app.database.transaction((tx) =>
        tx.query(
          `update jobs set stage = 'failed', failed_stage = $2, updated_at = $3, failure_reason = 'x'
            where job_id = any($1::uuid[])`,
          [ids, stage, at],
        ),
      );
    const failAll = async () => {
      await fail(jobs.slice(0, 4), 'embedding', '2026-01-01T10:00:00Z');
      await fail(jobs.slice(4), 'chunking', '2026-01-01T11:00:00Z');
    };
    const retry = async (body: object, key?: string, headers = {}) =>
      service.call('POST', '/v1/ingest/retry', body, {
        ...headers,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      });
    await failAll();
    for (const none of [
      { failed_stage: 'indexing' },
      { until: '2026-01-01T10:00:00Z' },
      { since: '2026-01-01T11:00:01Z' },
    ]) {
      expect((await retry(none)).json).toEqual({ retried: 0, job_ids: [], next_cursor: null });
    }
    expect((await retry({}, foreign)).json.retried).toBe(0);
    expect((await retry({ namespace_ids: [other] })).json.error.code).toBe('namespace_out_of_scope');
    const reader = await admin.key(workspaceId, { scopes: ['memory.read'], namespaceIds: [namespaceId] });
    expect((await retry({}, reader)).json.error.code).toBe('insufficient_scope');
    const embedding = { failed_stage: 'embedding', namespace_ids: [namespaceId], limit: 3 };
    const first = (await retry(embedding, undefined, { 'idempotency-key': 'retries' })).json;
    expect(first).toEqual({
      retried: 3,
      job_ids: jobs.slice(1, 4).toReversed(),
      next_cursor: expect.any(String),
    });
    expect((await retry(embedding, undefined, { 'idempotency-key': 'retries' })).json).toEqual(first);
    await service.settled();
    expect((await service.call('GET', `/v1/ingest/${jobs[1]}`)).json).toMatchObject({ stage: 'done', attempts: 0 });
    // A job that has failed again is not retried twice by those who follow the cursor.
    await fail(jobs.slice(1, 2), 'embedding', '2026-01-01T12:00:00Z');
    const { next_cursor: cursor } = first;
    expect((await retry({ ...embedding, cursor })).json.job_ids).toEqual(jobs.slice(0, 1));
    expect((await retry({ ...embedding, limit: 4, cursor })).json.next_cursor).toBeNull();
    expect((await retry({ cursor })).json.error.code).toBe('invalid_cursor');
    await failAll();
    expect((await retry({ stage: 'failed', since: '2026-01-01T10:30:00Z' })).json.job_ids).toEqual(jobs.slice(4));
    for (const wrong of [{ limit: 0 }, { limit: 1001 }, { since: 'then' }, { all: true }]) {
      expect((await retry(wrong)).json.error.code).toBe('invalid_request');
    }
    for (const wrong of [{ stage: 'done' }, { failed_stage: 'queued' }]) {
      expect((await retry(wrong)).json.error.code).toBe('invalid_stage');
    }
  });
});
