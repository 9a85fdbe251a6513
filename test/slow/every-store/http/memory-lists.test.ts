import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { giveJobs } from '../../../support/given-jobs.js';
import { stores } from '../../../support/stores.js';

type Listed = { id: string; excerpt: string; status?: string };

/** Lists by metadata, source and status, and their totals. The same on every store. */
describe.each(stores)('lists by what memories say of themselves on %s', () => {
  const people = usePeople();
  const list = (query: string) => people.service().call('GET', `/v1/memories?${query}`);
  const texts = async (query: string) => (await list(query)).json.data.map(({ excerpt }: Listed) => excerpt);
  const jobsOf = (sources: string, change: string) =>
    people
      .service()
      .app.database.transaction((tx) =>
        tx.query(
          `update jobs set ${change} where memory_id in (select id from memories where source = any($1::text[]))`,
          [sources.split(',')],
        ),
      );
  beforeAll(async () => {
    const memories = [
      { content: 'one swift', source: 'a', metadata: { topic: 'birds', n: 2, ok: true } },
      { content: 'two swifts', source: 'b', metadata: { topic: 'birds', n: '2' } },
      { content: 'three swifts', source: 'a', metadata: { topic: 'sky', 'a[b]': 'x' } },
      { content: 'four swifts', source: 'a', metadata: { topic: 'birds', n: 3 }, playground: true },
      { content: 'five swifts', source: 'c', metadata: { topic: 'birds', deep: { n: 2 } } },
      { content: 'six swifts', source: 'd', metadata: { topic: 'birds' } },
      { content: 'seven swifts', source: 'e', metadata: { topic: 'birds' } },
    ];
    await people.service().call('POST', '/v1/memories/batch', { memories });
    await people.settled();
    await people.service().app.database.transaction(giveJobs);
    await jobsOf('d', `stage = 'failed', failed_stage = 'embedding'`);
    await jobsOf('e', `stage = 'embedding', run_after = '2100-01-01'`);
  });

  // @covers LIST-METADATA LIST-SOURCE
  it('selects by source and by text, number or boolean under a key', async () => {
    expect(await texts('source=a')).toEqual(['three swifts', 'one swift']);
    expect(await texts('source=a&include_playground=true')).toEqual(['four swifts', 'three swifts', 'one swift']);
    expect(await texts('metadata[topic]=birds')).toEqual(['five swifts', 'two swifts', 'one swift']);
    expect(await texts('metadata[n]=2')).toEqual(['two swifts', 'one swift']);
    expect(await texts('metadata[n]=2.0')).toEqual(['one swift']);
    expect(await texts('metadata[ok]=true')).toEqual(['one swift']);
    expect(await texts('metadata%5Ba%5Bb%5D%5D=x')).toEqual(['three swifts']);
    expect(await texts('source=a&metadata[topic]=birds&metadata[n]=2')).toEqual(['one swift']);
    expect(await texts('q=swifts&metadata[topic]=birds')).toEqual(['five swifts', 'two swifts', 'one swift']);
    expect(await texts('q=swift&source=b')).toEqual(['two swifts']);
    for (const none of ['source=A', 'metadata[topic]=bird', 'metadata[deep]=2']) {
      expect(await texts(none)).toEqual([]);
    }
    expect(code(await list('source='))).toEqual([400, 'invalid_source']);
  });

  // @covers LIST-STATUS
  it('selects by status, and shows it then only', async () => {
    expect((await list('status=failed')).json.data).toMatchObject([{ excerpt: 'six swifts', status: 'failed' }]);
    expect((await list('status=pending&metadata[topic]=birds')).json.data).toMatchObject([
      { excerpt: 'seven swifts', status: 'pending' },
    ]);
    expect(await texts('status=pending&source=d')).toEqual([]);
    expect((await list('status=ready&limit=1')).json.data).toMatchObject([{ status: 'ready' }]);
    expect((await list('source=a')).json.data[0]).not.toHaveProperty('status');
    expect(code(await list('q=swift&status=failed'))).toEqual([400, 'invalid_request']);
  });

  // @covers EXPORT-ALL
  it('are not what is exported: that is every memory, with its status', async () => {
    const { json } = await people.service().call('GET', '/v1/memories/export');
    const statuses = json.data.map(({ content, status }: { content: string; status: string }) => [content, status]);
    expect(statuses.slice(-2)).toEqual([
      ['six swifts', 'failed'],
      ['seven swifts', 'pending'],
    ]);
    expect(statuses).toHaveLength(7);
  });

  // @covers LIST-CURSOR-BOUND LIST-METADATA LIST-STATUS
  it('pages through such lists with cursors that are bound to them', async () => {
    const first = (await list('metadata[topic]=birds&limit=2')).json;
    expect(first.data.map(({ excerpt }: Listed) => excerpt)).toEqual(['five swifts', 'two swifts']);
    const next = (await list(`metadata[topic]=birds&limit=2&cursor=${first.next_cursor}`)).json;
    expect(next.data.map(({ excerpt }: Listed) => excerpt)).toEqual(['one swift']);
    expect(next.next_cursor).toBeNull();
    for (const other of ['metadata[topic]=sky&limit=2', 'source=a', '', 'status=failed']) {
      expect(code(await list(`${other}&cursor=${first.next_cursor}`))).toEqual([400, 'invalid_cursor']);
    }
    expect(await texts('metadata[topic]=birds&limit=2&page=2')).toEqual(['one swift']);
    expect((await list('status=failed&limit=1')).json.next_cursor).toBeNull();
  });

  // @covers LIST-TOTAL
  it('counts all pages when asked', async () => {
    expect((await list('metadata[topic]=birds&limit=1&include=total')).json.total).toEqual({
      value: 3,
      relation: 'eq',
    });
    expect((await list('include=total&limit=1')).json.total).toEqual({ value: 4, relation: 'eq' });
    expect((await list('q=swifts&include=total&limit=1')).json.total).toEqual({ value: 4, relation: 'eq' });
    expect((await list('source=a')).json).not.toHaveProperty('total');
  });

  it('refuses what no list can mean, and shows nothing out of reach', async () => {
    for (const [query, refusal] of [
      ['metadata=x', 'invalid_filters'],
      ['metadata[a]=1&metadata[a]=2', 'invalid_filters'],
      [Array.from({ length: 17 }, (_, at) => `metadata[k${at}]=1`).join('&'), 'invalid_filters'],
      ['metadata[%00]=1', 'invalid_filters'],
      ['metadata[__proto__]=x', 'invalid_filters'],
      ['source=a&source=b', 'invalid_source'],
      ['status=done', 'invalid_request'],
      ['include=stats', 'invalid_request'],
    ] as const) {
      expect([query, ...code(await list(query))]).toEqual([query, 400, refusal]);
    }
    const { key: foreign } = await people.admin().workspace();
    for (const query of ['source=a', 'metadata[topic]=birds', 'status=failed', 'include=total']) {
      const { json } = await people.withKey(foreign, 'GET', `/v1/memories?${query}`);
      expect([json.data, json.total?.value ?? 0]).toEqual([[], 0]);
    }
  });
});
