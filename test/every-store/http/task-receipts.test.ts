import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('task receipts on %s', () => {
  const people = usePeople();
  const submit = (body: unknown, headers: Record<string, string> = {}) =>
    people.service().call('POST', '/v1/receipts', body, headers);
  const actions = async () => (await people.service().call('GET', '/v1/usage')).json.actions.used;
  const receiptsOf = async () => (await people.service().call('GET', '/v1/receipts?kind=task&limit=100')).json.data;

  // @covers TASK-RECORDED TASK-DUPLICATE METER-ACTIONS
  it('are recorded alone or in a batch, once each, and each new one is an action', async () => {
    const before = await actions();
    const first = taskReceipt({ declared_scope: ['files.*'], tool_calls: [{ tool: 'mail.send', ok: true }], more: 1 });
    const alone = await submit(first);
    expect([alone.status, alone.json.data[0]]).toEqual([
      201,
      {
        id: expect.stringMatching(/^rcp_[0-9a-f]{32}$/),
        receipt_id: first.receipt_id,
        receipt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        seq: expect.any(Number),
        hash: alone.json.data[0].receipt_hash,
        prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        scope_violations: ['mail.send'],
        duplicate: false,
      },
    ]);
    const [second, third] = [taskReceipt(), taskReceipt()];
    const batch = await submit({ receipts: [second, first, third, second] });
    expect(batch.status).toBe(201);
    expect(batch.json.data.map((one: { receipt_id: string }) => one.receipt_id)).toEqual(
      [second, first, third, second].map(({ receipt_id }) => receipt_id),
    );
    expect(batch.json.data[1]).toEqual({ ...alone.json.data[0], duplicate: true });
    expect(batch.json.data[3]).toEqual({ ...batch.json.data[0], duplicate: true });
    const again = await submit({ receipts: [third, first] });
    expect([again.status, again.json.data[0]]).toEqual([200, { ...batch.json.data[2], duplicate: true }]);
    expect(await actions()).toBe(before + 3);
  });

  // @covers TASK-SENSITIVE TASK-PRIVATE
  it('lose sensitive values of their private text before it is stored, also in a batch for the thread', async () => {
    const marker = 'grace@example.org';
    const receipts = Array.from({ length: 100 }, (_, i) => taskReceipt({ task_summary: `To ${marker}, number ${i}` }));
    expect((await submit({ receipts })).status).toBe(201);
    const rows = await people
      .service()
      .app.database.read((tx) => tx.query<{ content: string }>(`select content from vault where content like '%To %'`));
    expect(rows).toHaveLength(100);
    expect(rows.filter(({ content }) => !/^\{"task_summary":"To \[redacted\], number \d+"\}$/.test(content))).toEqual(
      [],
    );
  });

  // @covers TASK-IDEMPOTENT
  it('are answered once under an Idempotency-Key', async () => {
    const [body, key] = [taskReceipt(), { 'idempotency-key': 'tasks-1' }];
    const answers = [await submit(body, key), await submit(body, key)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [201, answers[0]?.text],
      [201, answers[0]?.text],
    ]);
    expect(code(await submit(taskReceipt(), key))).toEqual([422, 'idempotency_key_reused']);
  });

  // @covers TASK-TOGETHER
  it('are recorded once when eight clients send the same ids at the same time', async () => {
    const receipts = Array.from({ length: 100 }, () => taskReceipt());
    const before = await actions();
    // Each begins at another place, so that their batches overlap in every way.
    const from = (at: number) => [...receipts.slice(at), ...receipts.slice(0, at)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, client) => submit({ receipts: from(12 * client) })),
    );
    const recorded = answers.flatMap(({ json }) => json.data).filter(({ duplicate }) => !duplicate);
    const ids = recorded.map(({ receipt_id }) => receipt_id);
    expect([new Set(ids).size, ids.length]).toEqual([100, 100]);
    expect(await actions()).toBe(before + 100);
    const named = new Map(recorded.map((one) => [one.receipt_id, one.id]));
    for (const { json } of answers) for (const one of json.data) expect(one.id).toBe(named.get(one.receipt_id));
  });

  // @covers TASK-WORKSPACES
  it('of two workspaces have the same ids at the same time, and neither notices the other', async () => {
    const { key } = await people.admin().workspace();
    const batches = Array.from({ length: 10 }, () => Array.from({ length: 100 }, () => taskReceipt({ more: 1.0 })));
    const answers = await Promise.all(
      batches.flatMap((receipts) => [
        submit({ receipts }),
        people.withKey(key, 'POST', '/v1/receipts', { receipts: receipts.map((one) => ({ ...one, more: 2 })) }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const all = answers.flatMap(({ json }) => json.data);
    expect(all.filter(({ duplicate }) => duplicate)).toEqual([]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2000);
  });

  it('leave a store without fault', async () => {
    expect((await receiptsOf()).length).toBe(100);
    const { database } = people.service().app;
    const checked = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    expect(checked.faults).toBeNull();
  });
});
