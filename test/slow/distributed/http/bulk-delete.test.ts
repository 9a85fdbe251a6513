import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../../http/people.js';
import { stores } from '../../../support/stores.js';

const path = '/v1/memories/bulk-delete';

/** Many deletes at once, each a receipt. The same on every store. */
describe.each(stores)('bulk delete on %s', () => {
  const people = usePeople();
  const remove = (body: object) => people.service().call('POST', path, body);
  const add = async (content: string, body: object = {}): Promise<string> =>
    (await people.as('owner').call('POST', '/v1/memories', { content, ...body })).json.memory_id;
  const approvedFor = async (ids: readonly string[]): Promise<string> => {
    const held = await remove({ ids });
    expect(code(held)).toEqual([409, 'approval_required']);
    const { approval_id } = held.json.error.details;
    return (await people.as('owner').call('POST', `/v1/approvals/${approval_id}/approve`)).json.receipt_id;
  };

  // @covers BULK-ANSWER BULK-APPROVAL BULK-EXACT
  it('deletes exactly what was approved, once, with a receipt each', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => add(`bulk marmot ${i}`)));
    const kept = await add('kept marmot');
    await people.settled();
    const absent = '018f0000-0000-7000-8000-00000000abcd';
    const asked = [...ids, absent];
    const approval_receipt_id = await approvedFor(asked);
    for (const wrong of [ids, [...asked, kept], [kept], asked.slice(1)]) {
      expect(code(await remove({ ids: wrong, approval_receipt_id }))).toEqual([403, 'approval_invalid']);
    }
    for (const wrong of ['rcp_0', '', 'apr_1']) {
      expect(code(await remove({ ids: asked, approval_receipt_id: wrong }))).toEqual([403, 'approval_invalid']);
    }
    const shuffled = [...asked.toReversed().map((id) => id.toUpperCase()), ids[0]];
    const done = await remove({ ids: shuffled, approval_receipt_id });
    expect(done.status).toBe(200);
    expect(done.json.not_found).toEqual([absent]);
    expect(done.json.deleted.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    const [one] = done.json.deleted;
    expect(one).toEqual({ id: one.id, deleted: true, receipt_id: expect.stringMatching(/^rcp_/) });
    const receipt = (await people.service().call('GET', `/v1/receipts/${one.receipt_id}`)).json;
    expect(receipt).toMatchObject({ kind: 'memory.delete', body: { memory_id: one.id } });
    expect(code(await remove({ ids: asked, approval_receipt_id }))).toEqual([403, 'approval_invalid']);
    const found = await people.service().call('POST', '/v1/memories/search', { query: 'marmot', k: 50 });
    expect(found.json.data.map((hit: { memory_id: string }) => hit.memory_id)).toEqual([kept]);
  });

  // @covers BULK-SCOPE
  it('refuses all when one of them is out of reach', async () => {
    const namespace = await people.namespaceNamed('elsewhere');
    const [near, far] = [await add('near'), await add('far', { namespace })];
    expect(code(await remove({ ids: [near, far] }))).toEqual([403, 'memory_out_of_scope']);
    expect((await people.as('owner').call('GET', `/v1/memories/${near}`)).status).toBe(200);
    expect(code(await people.as('reader').call('POST', path, { ids: [near] }))).toEqual([403, 'read_only']);
  });

  // @covers BULK-LIMIT ERR-invalid_ids ERR-too_many_ids ERR-approval_required
  it('is shown what is wrong', async () => {
    const id = '018f0000-0000-7000-8000-00000000abcd';
    for (const ids of [undefined, null, [], 'x', {}, [1], ['x'], [id, null]]) {
      expect(code(await remove({ ids }))).toEqual([400, 'invalid_ids']);
    }
    const many = Array.from({ length: 1001 }, (_, i) => `018f0000-0000-7000-8000-${String(i).padStart(12, '0')}`);
    expect(code(await remove({ ids: many }))).toEqual([400, 'too_many_ids']);
    expect(code(await remove({ ids: many.slice(1) }))).toEqual([409, 'approval_required']);
    for (const approval_receipt_id of [7, '\u0000', 'x'.repeat(129)]) {
      expect(code(await remove({ ids: [id], approval_receipt_id }))).toEqual([400, 'invalid_request']);
    }
  });

  // @covers BULK-EXACT
  it('has no approval used twice by requests that come at once, and leaves a sound store', async () => {
    const ids = await Promise.all(['one', 'two', 'three'].map((content) => add(content)));
    const approval_receipt_id = await approvedFor(ids);
    const replies = await Promise.all(Array.from({ length: 8 }, () => remove({ ids, approval_receipt_id })));
    expect(replies.map(code).sort()).toEqual([[200, null], ...Array(7).fill([403, 'approval_invalid'])]);
    const { database } = people.service().app;
    const models = rebuildables(lexicalEmbedder());
    expect((await fsck(database, models, { onProgress: () => undefined })).faults).toBeNull();
  });

  // @covers BULK-LIMIT
  it('takes a thousand', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 1000; i += 100) {
      ids.push(...(await Promise.all(Array.from({ length: 100 }, (_, j) => add(`one of a thousand, ${i + j}`)))));
    }
    await people.settled();
    const approval_receipt_id = await approvedFor(ids);
    expect((await remove({ ids, approval_receipt_id })).json.deleted).toHaveLength(1000);
  });
});
