import { gzipSync } from 'node:zlib';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { describe, expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { apiKey, eagerWorld } from '../../http/service.js';
import { agent, chat, exportOf, type SpanIn, spanId, tool } from '../../otlp/spans.js';
import { stores } from '../../support/stores.js';
import { until } from '../../support/until.js';

const path = '/v1/otlp/v1/traces';
const json = { 'content-type': 'application/json' };
let made = 0;
/** A trace of its own for each test. */
const newTrace = () => {
  made += 1;
  return made.toString(16).padStart(32, 'a');
};

describe.each(stores)('spans of OpenTelemetry on %s', () => {
  const people = usePeople({}, eagerWorld);
  const send = (spans: readonly SpanIn[], headers: Record<string, string> = {}) =>
    people.service().call('POST', path, exportOf(spans), { ...json, ...headers });
  const sendBytes = (body: Uint8Array, headers: Record<string, string>) =>
    people.service().call('POST', path, Buffer.from(body).toString('latin1'), headers);
  const receiptOf = async (trace: string, span: string) => {
    const { status, json: body } = await people.service().call('GET', `/v1/receipts/${trace}-${span}`);
    return status === 200 ? body : null;
  };
  const rejected = ({ json: body }: { json: { partialSuccess?: { rejectedSpans: number; errorMessage: string } } }) => [
    body.partialSuccess?.rejectedSpans ?? 0,
    body.partialSuccess?.errorMessage ?? '',
  ];
  const stored = async (trace: string) =>
    (
      await people
        .service()
        .app.database.read((tx) => tx.query('select 1 from open_traces where trace_id = $1', [trace]))
    ).length;
  const [root, first, second] = [spanId(1), spanId(2), spanId(3)];

  // @covers OTLP-RECEIPT OTLP-AGAIN
  it('become one receipt for each root, with what was called below it', async () => {
    const trace = newTrace();
    const spans: SpanIn[] = [
      { trace, id: first, parent: root, attributes: chat({ 'gen_ai.usage.input_tokens': 7 }) },
      { trace, id: second, parent: root, attributes: tool('search') },
      { trace, id: root, ms: 50, attributes: agent({ 'gen_ai.agent.name': 'Planner' }) },
    ];
    const sent = await send(spans);
    expect([sent.status, sent.json]).toEqual([200, {}]);
    const receipt = await receiptOf(trace, root);
    expect(receipt).toMatchObject({
      receipt_id: `${trace}-${root}`,
      actor: { type: 'key', via: 'otlp' },
      task: { agent_handle: '@planner', platform: 'otel', trace_id: trace, tokens: { input: 7 } },
    });
    expect(receipt.task.tool_calls).toMatchObject([{ tool: 'search', ok: true }]);
    expect(rejected(await send(spans))).toEqual([0, '']);
    expect(await receiptOf(trace, root)).toEqual(receipt);
  });

  // @covers OTLP-PIECES OTLP-LATE OTLP-AGAIN
  it('that come in pieces wait for their root; one that comes after it is counted and named', async () => {
    const trace = newTrace();
    await send([{ trace, id: first, parent: root, attributes: tool('early') }]);
    expect(await receiptOf(trace, root)).toBeNull();
    await send([{ trace, id: root, ms: 50, attributes: agent() }]);
    expect((await receiptOf(trace, root)).task.tool_calls).toMatchObject([{ tool: 'early' }]);
    expect(rejected(await send([{ trace, id: second, parent: root, attributes: tool('late') }]))).toEqual([
      1,
      `1 span refused: it came after the receipt of the span above it was recorded (${trace}-${second}).`,
    ]);
    expect(rejected(await send([{ trace, id: first, parent: root, attributes: tool('early') }]))).toEqual([0, '']);
  });

  // @covers OTLP-UNROOTED
  it('whose root does not come are recorded on their own, and forgotten after that', async () => {
    const trace = newTrace();
    await send([
      { trace, id: second, parent: first, attributes: tool('inner') },
      { trace, id: first, parent: root, attributes: chat() },
    ]);
    people.ahead(9 * 60_000);
    await new Promise((next) => setTimeout(next, 500));
    expect(await receiptOf(trace, first)).toBeNull();
    people.ahead(11 * 60_000);
    await until(async () => (await receiptOf(trace, first)) !== null);
    expect((await receiptOf(trace, first)).task).toMatchObject({
      parent_span_id: root,
      tool_calls: [{ tool: 'inner' }],
    });
    expect(rejected(await send([{ trace, id: second, parent: first, attributes: tool('inner') }]))).toEqual([0, '']);
    people.ahead(30 * 60_000);
    await until(async () => (await stored(trace)) === 0);
    people.ahead(0);
  });

  // @covers OTLP-PARTIAL OTLP-OTHER
  it('that are wrong are counted with the reason, and the rest is recorded', async () => {
    const [right, future] = [newTrace(), newTrace()];
    const day = 86_400_000;
    const sent = await send([
      { trace: right, id: root, attributes: agent() },
      { trace: future, id: first, parent: root, at: 400 * day, attributes: tool('x') },
      { trace: future, id: root, at: 400 * day, attributes: agent() },
      { trace: newTrace(), id: 'no id', attributes: chat() },
      { trace: newTrace(), id: root, attributes: { 'http.method': 'GET' } },
    ]);
    const [count, message] = rejected(sent);
    expect(count).toBe(3);
    expect(message).toContain('1 span refused: a span id is not 8 bytes, or is zero.');
    expect(message).toContain(`2 spans refused: invalid_receipt: ended_at: must not be more than 5 minutes after`);
    expect(message).toContain(`(${future}-${root}, …)`);
    expect(await receiptOf(right, root)).not.toBeNull();
    expect(await receiptOf(future, root)).toBeNull();
  });

  // @covers OTLP-ENCODINGS
  it('are answered in the encoding in which they were sent, with and without gzip', async () => {
    const trace = newTrace();
    const body = JSON.stringify(exportOf([{ trace, id: root, attributes: agent() }]));
    const origin = people.service().app.server.listeningOrigin;
    const authorization = `Bearer ${apiKey}`;
    const post = (bytes: Uint8Array, headers: Record<string, string>) =>
      fetch(`${origin}${path}`, { method: 'POST', body: Buffer.from(bytes), headers: { authorization, ...headers } });
    const zipped = await post(gzipSync(body), { ...json, 'content-encoding': 'gzip' });
    expect([zipped.status, await zipped.text()]).toEqual([200, '{}']);
    expect(await receiptOf(trace, root)).not.toBeNull();
    const empty = await post(new Uint8Array(), { 'content-type': 'application/x-protobuf' });
    expect(empty.headers.get('content-type')).toBe('application/x-protobuf');
    expect([empty.status, (await empty.arrayBuffer()).byteLength]).toEqual([200, 0]);
    // A resource with a scope with a span that has one attribute, gen_ai.operation.name, and no ids.
    const attribute = Buffer.concat([Buffer.from('\x0a\x15gen_ai.operation.name\x12\x06\x0a\x04chat', 'latin1')]);
    const within = (tag: number, bytes: Uint8Array) => Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
    const wrong = await post(within(0x0a, within(0x12, within(0x12, within(0x4a, attribute)))), {
      'content-type': 'application/x-protobuf',
    });
    const answer = ProtobufTraceSerializer.deserializeResponse(new Uint8Array(await wrong.arrayBuffer()));
    expect(answer.partialSuccess?.errorMessage).toBe('1 span refused: a trace id is not 16 bytes, or is zero.');
    expect(Number(answer.partialSuccess?.rejectedSpans)).toBe(1);
  });

  it('have one answer under an Idempotency-Key, in the encoding of the request', async () => {
    const spans = [
      { trace: newTrace(), id: root, attributes: agent() },
      { trace: newTrace(), id: root, ms: -5, attributes: agent() },
    ];
    const key = { 'idempotency-key': newTrace() };
    const first = await send(spans, key);
    expect(rejected(first)[0]).toBe(1);
    const again = await send(spans, key);
    expect([again.status, again.json]).toEqual([200, first.json]);
    const other = await send([{ trace: newTrace(), id: root, attributes: agent() }], key);
    expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('of two workspaces have nothing to do with each other, also under the same ids', async () => {
    const trace = newTrace();
    const { key } = await people.admin().workspace();
    const authorization = `Bearer ${key}`;
    await send([{ trace, id: first, parent: root, attributes: tool('theirs') }], { authorization });
    await send([{ trace, id: root, ms: 50, attributes: agent() }]);
    expect((await receiptOf(trace, root)).task.tool_calls).toBeUndefined();
    await send([{ trace, id: root, ms: 50, attributes: agent() }], { authorization });
    const path = `/v1/receipts/${trace}-${root}`;
    const theirs = await people.service().call('GET', path, undefined, { authorization });
    expect(theirs.json.task.tool_calls).toMatchObject([{ tool: 'theirs' }]);
  });

  // @covers OTLP-UNREADABLE
  it('are refused as a whole when they cannot be read', async () => {
    const refusals: [Uint8Array | string, Record<string, string>, number, string][] = [
      ['{"resourceSpans":[', json, 400, 'invalid_json'],
      ['{}', {}, 400, 'invalid_request'],
      ['{}', { 'content-type': 'text/plain' }, 400, 'invalid_request'],
      ['{}', { ...json, 'content-encoding': 'br' }, 400, 'invalid_request'],
      ['{}', { ...json, 'content-encoding': 'gzip' }, 400, 'invalid_json'],
      ['\x0a\x7f', { 'content-type': 'application/x-protobuf' }, 400, 'invalid_request'],
    ];
    for (const [body, headers, status, code] of refusals) {
      const { status: got, json: refused } = await sendBytes(Buffer.from(body), headers);
      expect([body, got, refused.error.code]).toEqual([body, status, code]);
    }
  });

  // @covers OTLP-RIGHTS
  it('need the rights of a write, and are not stored while the workspace is paused', async () => {
    const spans = [{ trace: newTrace(), id: first, parent: root, attributes: tool('x') }];
    expect((await send(spans, { authorization: 'Bearer ak_wrong' })).status).toBe(401);
    const { workspaceId, namespaceId } = people.first();
    const reader = await people.admin().key(workspaceId, { namespaceIds: [namespaceId], scopes: ['memory.read'] });
    expect((await send(spans, { authorization: `Bearer ${reader}` })).json.error.code).toBe('insufficient_scope');
    await people.as('owner').call('PUT', '/v1/rules', { pause_all: true, sensitive: 'redact', ask_owner: [] });
    const paused = await send(spans);
    await people.as('owner').call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
    expect([paused.status, paused.json.error.code]).toEqual([423, 'tenant_paused']);
    expect(await stored(spans[0]?.trace ?? '')).toBe(0);
  });
});
