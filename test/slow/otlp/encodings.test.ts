import { gzipSync } from 'node:zlib';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readExport } from '../../../src/adapters/otlp/read.js';
import { openTraceReader } from '../../../src/adapters/otlp/reader.js';
import { protobufAnswer } from '../../../src/adapters/otlp/wire.js';
import { countOf } from '../../../src/domain/otlp/refused.js';
import { chat, exportOf, spanId } from '../../otlp/spans.js';

const limit = 64 * 1024 * 1024;
const most = { bytes: limit, values: 2_000_000 };
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const readJson = (value: unknown) => readExport({ body: json(value), format: 'json', gzip: false, most });
const readBytes = (body: Uint8Array) => readExport({ body, format: 'protobuf', gzip: false, most });

/** Spans as the official SDK makes them. */
function spansOfSdk() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('test');
  const root = tracer.startSpan('invoke_agent shop', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
  const below = trace.setSpan(ROOT_CONTEXT, root);
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 12, 'gen_ai.usage.cost': 0.25 };
  tracer.startSpan('chat', { attributes }, below).end();
  tracer.startSpan('GET /', {}, below).setStatus({ code: 2, message: 'x' }).end();
  root.addEvent('e', { a: 1 }).end();
  return exporter.getFinishedSpans();
}

describe('an export of the official SDK', () => {
  // @covers OTLP-ENCODINGS
  it('reads the same from protobuf and from JSON', () => {
    const spans = spansOfSdk();
    const fromProtobuf = readBytes(ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array());
    const fromJson = readExport({
      body: JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array(),
      format: 'json',
      gzip: false,
      most,
    });
    expect(fromProtobuf).toEqual(fromJson);
    if (!('traces' in fromProtobuf)) throw new Error('unreadable');
    const part = JSON.parse(fromProtobuf.traces[0]?.part ?? '');
    expect(part.spans).toMatchObject([
      { operation: 'chat', handle: '@shop', usage: { tokens: { input: 12 }, costUsd: 0.25 } },
      { operation: 'invoke_agent', status: 'success' },
    ]);
    expect(part.links).toHaveLength(1);
  });

  it('is answered in protobuf as the SDK reads it', () => {
    expect(ProtobufTraceSerializer.deserializeResponse(protobufAnswer(0, ''))).toMatchObject({});
    expect(ProtobufTraceSerializer.deserializeResponse(protobufAnswer(300, 'too many'))).toMatchObject({
      partialSuccess: { errorMessage: 'too many' },
    });
  });
});

describe('a body that is no export', () => {
  it.each([
    ['an empty text', ''],
    ['half of an object', '{"resourceSpans":['],
    ['a list', '[]'],
    ['no list of spans', '{"resourceSpans":{}}'],
    ['a span that is a number', '{"resourceSpans":[{"scopeSpans":[{"spans":[1]}]}]}'],
    ['the same key twice', '{"resourceSpans":[],"resourceSpans":[]}'],
    ['too many levels', `{"resourceSpans":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('is unreadable as JSON: %s', (_name, body) => {
    const read = readExport({ body: Buffer.from(body), format: 'json', gzip: false, most });
    expect(read).toHaveProperty('unreadable');
  });

  // @covers OTLP-UNREADABLE
  it('is unreadable, or has no spans, as protobuf: no matter what the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const read = readBytes(bytes);
        return 'unreadable' in read || 'traces' in read;
      }),
    );
  });

  it('has nothing to record when it is empty, or has members that are not known', () => {
    for (const read of [readBytes(new Uint8Array()), readJson({}), readJson({ later: [1], resourceSpans: [] })]) {
      expect(read).toMatchObject({ traces: [] });
    }
  });
});

describe('JSON as other exporters write it', () => {
  // @covers OTLP-ENCODINGS
  it('may have numbers for integers of 64 bits, capitals in ids, and no times', () => {
    const span = {
      traceId: '0AF7651916CD43DD8448EB211C80319C',
      spanId: 'B7AD6B7169203331',
      parentSpanId: '',
      startTimeUnixNano: 1_544_712_660_000_000_000,
      endTimeUnixNano: '1544712661000000000',
      status: {},
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: 5 } },
        { key: 'gen_ai.usage.output_tokens', value: { doubleValue: 2 } },
        { key: 'gen_ai.request.model', value: { stringValue: 'a\ud800' } },
      ],
    };
    const read = readJson({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    if (!('traces' in read)) throw new Error('unreadable');
    expect(JSON.parse(read.traces[0]?.part ?? '').spans).toMatchObject([
      { id: 'b7ad6b7169203331', parent: null, usage: { tokens: { input: 5, output: 2 } }, model: 'a\ufffd' },
    ]);
  });
});

describe('a large export', () => {
  const reader = openTraceReader();
  afterAll(() => reader.close());

  // @covers OTLP-BOUNDS
  it('is refused when it is larger than 64 MiB after decompression, and read when it is not', async () => {
    const bomb = gzipSync(Buffer.alloc(limit + 1, 0x20));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await reader.read('a workspace', bomb, { format: 'json', gzip: true })).toEqual({ tooLarge: true });
    const padded = gzipSync(
      Buffer.concat([json(exportOf([{ id: spanId(1), attributes: chat() }])), Buffer.alloc(1e6, 0x20)]),
    );
    expect(await reader.read('a workspace', padded, { format: 'json', gzip: true })).toMatchObject({ traces: [{}] });
  });

  // @covers OTLP-BOUNDS
  it('is refused when its values would take too much memory', async () => {
    const many = gzipSync(Buffer.from(`{"resourceSpans":[${'{},'.repeat(2_100_000)}{}]}`));
    expect(await reader.read('a workspace', many, { format: 'json', gzip: true })).toMatchObject({
      unreadable: 'it has more than 2000000 values',
    });
  });

  // @covers OTLP-BOUNDS
  it.each([
    ['messages without content', Buffer.from([0x0a, 0x00])],
    ['numbers in a field that is skipped', Buffer.from([0x08, 0x01])],
    ['messages in messages', Buffer.from([0x0a, 0x06, 0x12, 0x04, 0x12, 0x00, 0x12, 0x00])],
  ])('is refused when it unfolds to many %s', async (_, part) => {
    const bomb = gzipSync(Buffer.alloc(63 * 1024 * 1024, part));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await reader.read('a workspace', bomb, { format: 'protobuf', gzip: true })).toMatchObject({
      unreadable: 'it has more than 2000000 values',
    });
  });

  // @covers OTLP-BOUNDS
  it('of many values goes to the thread, however short it is', async () => {
    const none = Buffer.alloc(60 * 1024, Buffer.from([0x0a, 0x00]));
    const read = reader.read('a workspace', none, { format: 'protobuf', gzip: false });
    let isRead = false;
    void read.then(() => {
      isRead = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isRead).toBe(false);
    expect(await read).toMatchObject({ traces: [] });
  });

  // @covers OTLP-BOUNDS
  it('has its spans beyond 20,000 counted as refused, however small they are', async () => {
    // Messages without fields: 2 bytes for each span.
    const scope = Buffer.alloc(2 * 1_000_000, Buffer.from([0x12, 0x00]));
    const length = (bytes: Uint8Array) => {
      const digits = [];
      for (let rest = bytes.length; ; rest >>= 7) {
        if (rest < 128) return Buffer.from([...digits, rest]);
        digits.push((rest & 127) | 128);
      }
    };
    const within = (tag: number, bytes: Uint8Array) => Buffer.concat([Buffer.from([tag]), length(bytes), bytes]);
    const read = await reader.read('a workspace', gzipSync(within(0x0a, within(0x12, scope))), {
      format: 'protobuf',
      gzip: true,
    });
    if (!('traces' in read)) throw new Error('unreadable');
    expect(countOf(read.refused)).toBe(980_000);
  });

  it('with 20,000 GenAI spans is read, of one trace the first 1,000', async () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => ({
      trace: (i < 5000 ? 0xa : i).toString(16).padStart(32, '1'),
      id: spanId(i + 1),
      attributes: chat(),
    }));
    const read = await reader.read('a workspace', json(exportOf(spans)), { format: 'json', gzip: false });
    if (!('traces' in read)) throw new Error('unreadable');
    expect([read.traces.length, countOf(read.refused)]).toEqual([15_001, 4000]);
    expect(JSON.parse(read.traces[0]?.part ?? '').spans).toHaveLength(1000);
  });
});
