import { beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';
import { eventually } from '../../support/until.js';

const week = 7 * 24 * 3_600_000;
const absent = '018f0000-0000-7000-8000-00000000abcd';

/** The memories that a delete by ids would delete. The same on every store. */
describe.each(stores)('approvals of deletes by ids on %s', () => {
  const people = usePeople({}, eagerWorld);
  let key: string;
  beforeAll(async () => {
    ({ key } = await people.newKey({ name: 'the desk' }));
  });
  const call = (method: string, path: string, body?: unknown) => people.withKey(key, method, path, body);
  const remove = (body: object) => call('POST', '/v1/memories/bulk-delete', body);
  const write = async (content: string): Promise<string> =>
    (await call('POST', '/v1/memories', { content, source: 'desk' })).json.memory_id;
  const held = async (ids: readonly string[]): Promise<string> => {
    const reply = await remove({ ids });
    expect(code(reply)).toEqual([409, 'approval_required']);
    return reply.json.error.details.approval_id;
  };
  const memories = (id: string, by = 'admin', query = '') =>
    people.as(by).call('GET', `/v1/approvals/${id}/memories${query}`);
  const approve = async (id: string): Promise<string> =>
    (await people.as('owner').call('POST', `/v1/approvals/${id}/approve`)).json.receipt_id;
  const storedLists = () =>
    people.service().app.database.read((tx) =>
      tx.query(`select 1 from vault v join receipts r using (receipt_id)
                   where r.kind = 'approval.requested' and v.content is not null`),
    );

  // @covers BULK-SHOWN
  it('show those who decide every memory, page by page, and the requester what to send again', async () => {
    const ids = [await write('the first letter'), await write('the second letter'), await write('the third letter')];
    const id = await held([absent, ...ids.map((one) => one.toUpperCase())]);
    const all = [...ids.toReversed(), absent];
    const shown = await memories(id);
    expect(shown.json).toMatchObject({ filter: null, ids: all, count: 4, left: 4, next_cursor: null });
    expect(shown.json.data).toMatchObject(
      ['third', 'second', 'first'].map((word) => ({
        excerpt: `the ${word} letter`,
        namespace_id: people.first().namespaceId,
      })),
    );
    expect((await call('GET', `/v1/approvals/${id}/memories`)).text).toBe(shown.text);
    expect((await people.as('owner').call('GET', `/v1/approvals/${id}`)).json.selected).toEqual({ count: 4, left: 4 });
    const first = (await memories(id, 'owner', '?limit=2')).json;
    expect(first.data.map((one: { id: string }) => one.id)).toEqual(all.slice(0, 2));
    const second = (await memories(id, 'owner', `?limit=2&cursor=${first.next_cursor}`)).json;
    expect([second.data.map((one: { id: string }) => one.id), second.next_cursor]).toEqual([[ids[0]], null]);
    for (const by of ['member', 'reader']) expect(code(await memories(id, by))).toEqual([404, 'approval_not_found']);
    const other = (await people.newKey()).key;
    expect(code(await people.withKey(other, 'GET', `/v1/approvals/${id}/memories`))).toEqual([
      404,
      'approval_not_found',
    ]);
    await call('DELETE', `/v1/memories/${ids[1]}`);
    expect((await memories(id)).json.data).toHaveLength(2);

    const approval_receipt_id = await approve(id);
    const again = (await call('GET', `/v1/approvals/${id}/memories`)).json.ids;
    const done = await remove({ ids: again, approval_receipt_id });
    expect([done.status, done.json.deleted.length, done.json.not_found.length]).toEqual([200, 2, 2]);
    const used = (await people.as('owner').call('GET', `/v1/approvals/${id}`)).json;
    expect([used.status, used.selected]).toEqual(['used', { count: 4, left: 0 }]);
    expect(code(await memories(id))).toEqual([404, 'approval_not_found']);
    expect(await storedLists()).toEqual([]);
  });

  // @covers BULK-SHOWN
  it('lose the ids when they are rejected or expire, and leave a sound store', async () => {
    const ids = [await write('a fourth letter')];
    const rejected = await held(ids);
    await people.as('owner').call('POST', `/v1/approvals/${rejected}/reject`);
    expect(code(await memories(rejected))).toEqual([404, 'approval_not_found']);
    expect(await storedLists()).toEqual([]);
    const id = await held(ids);
    expect(await storedLists()).toHaveLength(1);
    const { database } = people.service().app;
    const faults = async () =>
      (await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined })).faults;
    expect(await faults()).toBeNull();
    people.ahead(week + 1000);
    try {
      await eventually(async () => (await storedLists()).length === 0);
    } finally {
      people.ahead(0);
    }
    expect((await people.as('owner').call('GET', '/v1/receipts?kind=approval.ended')).json.data).toMatchObject([
      { body: { approval_id: id, reason: 'expired' } },
    ]);
    expect(await faults()).toBeNull();
  }, 180_000);

  // @covers BULK-SHOWN
  it('have no list of memories when they are about a write', async () => {
    const owner = people.as('owner');
    const rules = { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'crawler' }] };
    expect((await owner.call('PUT', '/v1/rules', rules)).status).toBe(200);
    const reply = await call('POST', '/v1/memories', { content: 'held', source: 'crawler' });
    expect(code(await memories(reply.json.error.details.approval_id))).toEqual([404, 'approval_not_found']);
  });
});
