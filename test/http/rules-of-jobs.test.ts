// @projects slow server
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stores } from '../stores.js';
import { type Service, startService } from './service.js';

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
});
