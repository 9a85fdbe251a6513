import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';
import { eventually } from '../../support/until.js';

const path = '/v1/memories/delete';
const week = 7 * 24 * 3_600_000;

/** Deletes by filters through an approval. The same on every store. */
describe.each(stores)('deletes by filters on %s', () => {
  const people = usePeople();
  const call = (method: string, url: string, body?: object) => people.service().call(method, url, body);
  const remove = (body: object) => call('POST', path, body);
  const idOf = async (body: object): Promise<string> => {
    const held = await remove(body);
    expect(code(held)).toEqual([409, 'approval_required']);
    return held.json.error.details.approval_id;
  };
  const decide = async (id: string, word: string): Promise<string> =>
    (await people.as('owner').call('POST', `/v1/approvals/${id}/${word}`)).json.receipt_id;
  const texts = (like: string) =>
    people
      .service()
      .app.database.read((tx) => tx.query('select 1 from vault where others like $1 or content like $1', [like]));
  const faults = async () => {
    const { database } = people.service().app;
    return (await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined })).faults;
  };

  // @covers SELECT-ASKED SELECT-PARTS SELECT-USED SELECT-SHOWN
  it('delete in parts what was approved, and destroy the filter and the ids then', async () => {
    const of = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        content: `marten ${from + n}`,
        source: 'den',
        metadata: { hidden: 'value' },
      }));
    for (const from of [0, 600])
      await call('POST', '/v1/memories/batch', { memories: of(from, from === 0 ? 600 : 405) });
    await call('POST', '/v1/memories', { content: 'another marten', source: 'elsewhere' });
    const body = { filters: { source: ['den'], metadata: { hidden: 'value' } } };
    const id = await idOf(body);
    await call('POST', '/v1/memories', { content: 'a later marten', source: 'den', metadata: { hidden: 'value' } });
    expect(await idOf({ filters: { metadata: { hidden: 'value' }, source: ['den'] } })).toBe(id);
    const shown = (await people.as('admin').call('GET', `/v1/approvals/${id}`)).json;
    expect(shown).toMatchObject({ kind: 'bulk_delete', selected: { count: 1005, left: 1005 } });
    expect(shown.summary).toBe('Delete 1,005 memories, selected by source, metadata.');
    const list = (await people.as('admin').call('GET', `/v1/approvals/${id}/memories?limit=2`)).json;
    expect(list).toMatchObject({
      filter: body,
      count: 1005,
      left: 1005,
      data: [{ excerpt: 'marten 1004' }, {}],
    });
    const next = `/v1/approvals/${id}/memories?limit=2&cursor=${list.next_cursor}`;
    expect((await people.as('admin').call('GET', next)).json.data[0].excerpt).toBe('marten 1002');
    for (const [who, reply] of [
      ['another key', await people.withKey((await people.newKey()).key, 'GET', `/v1/approvals/${id}/memories`)],
      ['a member', await people.as('member').call('GET', `/v1/approvals/${id}/memories`)],
    ] as const) {
      expect([who, ...code(reply)]).toEqual([who, 404, 'approval_not_found']);
    }
    const approval_receipt_id = await decide(id, 'approve');
    const wrong = { filters: { source: 'den' }, approval_receipt_id };
    expect(code(await remove(wrong))).toEqual([403, 'approval_invalid']);
    const first = await remove({ ...body, approval_receipt_id });
    expect([first.status, first.json.deleted.length, first.json.left]).toEqual([200, 1000, 5]);
    expect((await texts('%hidden%')).length).toBeGreaterThan(0);
    // What is left follows from the chain alone: a process that is killed here loses nothing.
    expect(await faults()).toBeNull();
    const replies = await Promise.all(Array.from({ length: 4 }, () => remove({ ...body, approval_receipt_id })));
    expect(replies.map(code).sort()).toEqual([[200, null], ...Array(3).fill([403, 'approval_invalid'])]);
    const last = replies.find(({ status }) => status === 200)?.json;
    expect([last.deleted.length, last.not_found, last.left]).toEqual([5, [], 0]);
    const receipt = (await call('GET', `/v1/receipts/${last.deleted[0].receipt_id}`)).json;
    expect(receipt).toMatchObject({ kind: 'memory.delete', body: { approval: { approval_id: id } } });
    expect((await people.as('owner').call('GET', `/v1/approvals/${id}`)).json.status).toBe('used');
    const left = await call('GET', '/v1/memories/export?limit=10');
    expect(left.json.data.map((one: { content: string }) => one.content)).toEqual(['another marten', 'a later marten']);
    expect(code(await people.as('owner').call('GET', `/v1/approvals/${id}/memories`))).toEqual([
      404,
      'approval_not_found',
    ]);
    expect(await texts('%"filter"%')).toEqual([]);
  });

  // @covers SELECT-ENDS
  it('destroy the filter and the ids of a request that was rejected or has expired', async () => {
    const body = { filters: { source: 'den' } };
    await decide(await idOf(body), 'reject');
    expect(await texts('%"filter"%')).toEqual([]);
    const id = await idOf(body);
    expect(await texts('%"filter"%')).toHaveLength(1);
    people.ahead(week + 1000);
    try {
      await eventually(async () => (await texts('%"filter"%')).length === 0);
    } finally {
      people.ahead(0);
    }
    const { json } = await call('GET', '/v1/receipts?kind=approval.ended');
    expect(json.data).toMatchObject([{ actor: { type: 'system' }, body: { approval_id: id, reason: 'expired' } }]);
    expect(await faults()).toBeNull();
  });

  // @covers SELECT-BOUNDS ERR-nothing_selected
  it('refuse a filter that is empty, wrong, too long, or selects nothing', async () => {
    const elsewhere = await people.namespaceNamed('elsewhere');
    const before = (await people.as('owner').call('GET', '/v1/approvals')).json.data.length;
    for (const [body, refused] of [
      [{}, [400, 'invalid_request']],
      [{ filters: {} }, [400, 'invalid_request']],
      [{ filters: { include_playground: true } }, [400, 'invalid_request']],
      [{ filter: { source: 'den' } }, [400, 'invalid_request']],
      [{ filters: { sauce: 'den' } }, [400, 'invalid_filters']],
      [{ filters: { source: Array.from({ length: 70 }, (_, n) => `${n}`.repeat(700)) } }, [400, 'invalid_filters']],
      [{ status: 'gone' }, [400, 'invalid_request']],
      [{ namespace_ids: ['x'] }, [400, 'invalid_namespace_ids']],
      [{ namespace_ids: [elsewhere] }, [403, 'namespace_out_of_scope']],
      [{ filters: { source: 'nothing of this' } }, [404, 'nothing_selected']],
      [{ filters: { source: 'den' }, approval_receipt_id: 'rcp_0' }, [403, 'approval_invalid']],
    ] as const) {
      expect([body, ...code(await remove(body))]).toEqual([body, ...refused]);
    }
    expect(code(await people.as('reader').call('POST', path, { filters: { source: 'den' } }))).toEqual([
      403,
      'read_only',
    ]);
    expect((await people.as('owner').call('GET', '/v1/approvals')).json.data).toHaveLength(before);
  });
});
