import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { apiKey } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';

/** Bodies of task receipts over HTTP, small ones and those that are read in a thread. */
describe('bodies of task receipts', () => {
  const people = usePeople();
  const send = (body: string) => people.service().call('POST', '/v1/receipts', body);
  const get = async (id: string) => (await people.service().call('GET', `/v1/receipts/${id}`)).json.task;
  /** More bytes than are read on the main thread. */
  const long = Array.from({ length: 3 }, () => taskReceipt({ filler: 'x'.repeat(60_000) }));

  // @covers TASK-LIMIT-OF-BODIES
  it('may be 100 receipts of 4,096 values, or have 1,000 members', async () => {
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`member-${at}`, at]));
    const receipts = Array.from({ length: 100 }, () => taskReceipt({ x: Array(4096 - 1008).fill(0), ...members }));
    const { status, json } = await send(JSON.stringify({ receipts }));
    expect([status, json.data.length]).toEqual([201, 100]);
    expect(await get(json.data[99].id)).toEqual(receipts[99]);
    const alone = taskReceipt(members);
    const { json: one } = await send(JSON.stringify(alone));
    expect(await get(one.data[0].id)).toEqual(alone);
  });

  // @covers TASK-FAULT-NAMED TASK-FAULT-ORDER
  it('are refused in the same way by the thread', async () => {
    const refusal = async (...receipts: object[]) => {
      const { json } = await send(JSON.stringify({ receipts: [...long, ...receipts] }));
      return [json.error.code, json.error.details];
    };
    expect(await refusal({ ...taskReceipt(), status: 'x' })).toMatchObject([
      'invalid_receipt',
      { index: 3, issues: [{ path: 'status' }] },
    ]);
    expect(await refusal(taskReceipt(), taskReceipt({ tool_calls: Array(257).fill(0) }))).toEqual([
      'receipt_too_large',
      { index: 4, limit: 256, got: 257 },
    ]);
    expect(await refusal(taskReceipt({ anchor_tx: null }))).toMatchObject(['server_assigned_field', { index: 3 }]);
    expect(code(await send(JSON.stringify({ receipts: long }).slice(0, -1)))).toEqual([400, 'invalid_json']);
    // None of them was recorded.
    const ids = long.map(({ receipt_id }) => encodeURIComponent(receipt_id));
    for (const id of ids) expect((await people.service().call('GET', `/v1/receipts/${id}`)).status).toBe(404);
  });

  // @covers TASK-STRICT-JSON
  it('are UTF-8', async () => {
    const { origin } = new URL(people.service().app.server.listeningOrigin);
    const body = Buffer.concat([Buffer.from('{"receipt_id":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { authorization: `Bearer ${apiKey}` };
    const reply = await fetch(`${origin}/v1/receipts`, { method: 'POST', headers, body });
    expect(await reply.json()).toMatchObject({ error: { code: 'invalid_json' } });
  });

  // @covers TASK-ATTESTATION TASK-SENT-BACK
  it('come back with members of any name and spelling, also through the thread', async () => {
    const odd = '"__proto__":{"a":[1.50]},"":-0,"constructor":1e400,"\\u0065\\u0301":"\\/"';
    const attestations = '[{"type":"photo","__proto__":{"b":[1]},"toString":null}]';
    const text = (receipt: object) => `${JSON.stringify(receipt).slice(0, -1)},${odd},"attestations":${attestations}}`;
    for (const others of [[], long]) {
      const sent = [...others.map((one) => JSON.stringify(one)), text(taskReceipt())];
      const { status, json } = await send(`{"receipts":[${sent.join(',')}]}`);
      expect(status).toBe(201);
      const { text: got } = await people.service().call('GET', `/v1/receipts/${json.data.at(-1).id}`);
      expect(got).toContain(odd);
      expect(got).toContain('"__proto__":{"b":[1]}');
      expect(got).toContain('"toString":null');
    }
  });
});
