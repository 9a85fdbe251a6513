import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { apiKey, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

const path = '/v1/memories/batch';

type Result = { index: number; status: number; memory_id?: string; receipt_id?: string; error?: { code: string } };

/** Many writes in one call, each a receipt. The same on every store. */
describe.each(stores)('batches of memories on %s', () => {
  const people = usePeople();
  const send = (memories: unknown, key?: string) =>
    people.service().call('POST', path, { memories }, key === undefined ? {} : { 'idempotency-key': key });
  const usage = async () => (await people.service().call('GET', '/v1/usage')).json.actions.used;
  const briefly = (results: readonly Result[]) => results.map(({ status, error }) => error?.code ?? status);

  // @covers BATCH-EACH BATCH-ORDER BATCH-DUPLICATE
  it('writes each memory or refuses it, in order, with a receipt each', async () => {
    const before = await usage();
    const sent = [
      { content: 'batch heron', metadata: { n: 1.0, big: 12345678901234567890n }, source: 'a' },
      { content: 'batch heron', namespace: 'default' },
      { content: '' },
      { content: 'batch stork', metadata: [] },
      { content: 'batch crane', namespace: 'nowhere' },
      'no object',
      { content: 'batch ibis', colour: 'red' },
      { content: 'x'.repeat(1_048_577) },
      { content: 'batch egret', metadata: { text: 'x'.repeat(65_536) } },
      { content: 'batch bittern' },
    ];
    const body = JSON.stringify({ memories: sent }, (_, value) => (typeof value === 'bigint' ? 'BIG' : value));
    const { status, json } = await people.service().call('POST', path, body.replace('"BIG"', '12345678901234567890'));
    expect(status).toBe(200);
    expect(briefly(json.results)).toEqual([
      202,
      200,
      'invalid_content',
      'invalid_metadata',
      'namespace_not_found',
      'invalid_request',
      'invalid_request',
      'content_too_large',
      'metadata_too_large',
      202,
    ]);
    expect(json.results.map(({ index }: Result) => index)).toEqual(sent.map((_, at) => at));
    expect(json).toMatchObject({ written: 2, duplicates: 1, refused: 7 });
    const [first, second] = json.results;
    expect(second).toMatchObject({ memory_id: first.memory_id, receipt_id: first.receipt_id, duplicate: true });
    expect(await usage()).toBe(before + 2);
    const receipt = await people.service().call('GET', `/v1/receipts/${first.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'memory.write', body: { memory_id: first.memory_id } });
    const memory = await people.service().call('GET', `/v1/memories/${first.memory_id}`);
    expect(memory.text).toContain('{"n":1,"big":12345678901234567890}');
  });

  // @covers BATCH-LIMIT ERR-too_many_memories
  it('takes 1 to 1,000 memories', async () => {
    for (const wrong of [undefined, null, {}, 'x', []]) {
      expect(code(await send(wrong))).toEqual([400, 'invalid_request']);
    }
    const many = Array.from({ length: 1001 }, (_, i) => ({ content: `of many ${i}` }));
    expect(code(await send(many))).toEqual([400, 'too_many_memories']);
    const { json } = await send(many.slice(1));
    expect(json).toMatchObject({ written: 1000, duplicates: 0, refused: 0 });
    expect(new Set(json.results.map(({ receipt_id }: Result) => receipt_id)).size).toBe(1000);
  });

  // @covers BATCH-REPEAT BATCH-WHOLE
  it('is continued under its key where it was stopped, and refused whole when nothing of it may be written', async () => {
    const { workspaceId } = people.first();
    await people.admin().provision(workspaceId, 'free');
    await people.admin().act(workspaceId, 10_000 - (await usage()) - 5);
    const memories = Array.from({ length: 8 }, (_, i) => ({ content: `continued ${i}` }));
    const first = await send(memories, 'continued');
    const limit = 'plan_action_limit';
    expect(briefly(first.json.results)).toEqual([202, 202, 202, 202, 202, limit, limit, limit]);
    const refused = await send([{ content: 'none of these' }, { content: 'is written' }], 'whole');
    expect([refused.status, refused.json.error, refused.json.limit]).toEqual([402, limit, 10_000]);
    await people.admin().provision(workspaceId, 'enterprise');
    const again = await send(memories, 'continued');
    expect(briefly(again.json.results)).toEqual(memories.map(() => 202));
    const five = (results: readonly Result[]) => results.slice(0, 5).map(({ memory_id }) => memory_id);
    expect(five(again.json.results)).toEqual(five(first.json.results));
    expect((await send(memories, 'continued')).text).toBe(again.text);
    for (const other of [memories.slice(1), [...memories, { content: 'more' }]]) {
      expect(code(await send(other, 'continued'))).toEqual([422, 'idempotency_key_reused']);
    }
    expect((await send([{ content: 'none of these' }], 'whole')).json.written).toBe(1);
    const rules = { pause_all: true, sensitive: 'redact', ask_owner: [] };
    await people.as('owner').call('PUT', '/v1/rules', rules);
    expect(code(await send([{ content: 'paused' }, { content: 'both' }]))).toEqual([423, 'tenant_paused']);
    // A memory that is wrong in itself is reported as such, and then the call is not about the pause alone.
    expect(briefly((await send([{ content: 'paused' }, { content: '' }])).json.results)).toEqual([
      'tenant_paused',
      'invalid_content',
    ]);
    await people.as('owner').call('PUT', '/v1/rules', { ...rules, pause_all: false, ask_owner: [{ source: 'asked' }] });
    const held = (await send([{ content: 'held', source: 'asked' }, { content: 'free' }])).json;
    expect(briefly(held.results)).toEqual(['approval_required', 202]);
    const { approval_id } = held.results[0].error.details;
    await people.as('owner').call('POST', `/v1/approvals/${approval_id}/approve`);
    expect(briefly((await send([{ content: 'held', source: 'asked', approval_id }])).json.results)).toEqual([202]);
  });

  // @covers BATCH-WHO
  it('needs the right to write', async () => {
    const { key } = await people.newKey({ scopes: ['memory.read'] });
    const memories = [{ content: 'by a reader' }];
    expect(code(await people.withKey(key, 'POST', path, { memories }))).toEqual([403, 'insufficient_scope']);
    const elsewhere = await people.namespaceNamed('elsewhere');
    const { json } = await send([{ content: 'by the first key', namespace: elsewhere }, { content: 'here' }]);
    expect(briefly(json.results)).toEqual(['namespace_out_of_scope', 202]);
  });

  // @covers BATCH-BUDGET
  it('counts as this number of writes: those beyond the budget are refused, and its key leads on', async () => {
    const service = await startService({ RATE_LIMITS: 'on', BOOTSTRAP_API_KEY: apiKey });
    const write = (from: number, count: number, key: string) =>
      service.call(
        'POST',
        path,
        { memories: Array.from({ length: count }, (_, i) => ({ content: `budget ${from + i}` })) },
        { 'idempotency-key': key },
      );
    // One call takes four fifths of what is left: of 600, of 120, of 24.
    expect((await write(0, 500, 'a')).json).toMatchObject({ written: 480, refused: 20 });
    const partly = await write(500, 200, 'b');
    expect(partly.json).toMatchObject({ written: 96, refused: 104 });
    expect(partly.json.results[150].error).toMatchObject({
      code: 'rate_limited',
      details: { retry_after_seconds: expect.any(Number) },
    });
    expect((await write(700, 2, 'c')).json).toMatchObject({ written: 2 });
    await service.stop();
  });
});
