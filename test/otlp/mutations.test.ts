import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../src/adapters/otlp/read.js';
import { planTrace } from '../../src/domain/otlp/plan.js';
import { receiptOf } from '../../src/domain/otlp/receipt.js';
import { remarksOf, sentencesOf } from '../../src/domain/otlp/refused.js';
import { agent, chat, exportOf, spanId, tool } from './spans.js';

type Json = Record<string, unknown>;

function read(body: Uint8Array, format: 'json' | 'protobuf' = 'json') {
  const found = readExport({ body, format, gzip: false, most: { bytes: 1e6, values: 1e6 } });
  if (!('traces' in found)) return { receipts: [], said: JSON.stringify(found) };
  const receipts = found.traces.flatMap(({ traceId, part }) => {
    const plan = planTrace({ traceId, stored: [], recorded: new Set() }, JSON.parse(part), {
      complete: true,
      isFull: false,
    });
    return plan.trees.map(({ root, spans }) => receiptOf(traceId, root, spans));
  });
  return {
    receipts,
    said: `${sentencesOf(found.refused)}${remarksOf(found.remarks)}`,
    withoutOperation: found.withoutOperation,
  };
}

const whole = () =>
  exportOf([
    { id: spanId(1), status: 2, attributes: agent({ 'gen_ai.conversation.id': 'c-1' }) },
    { id: spanId(2), parent: spanId(1), status: 1, attributes: chat({ 'gen_ai.usage.cost': 0.5 }) },
    { id: spanId(3), parent: spanId(1), status: 2, attributes: tool('tides', { 'error.type': 'no tide' }) },
  ]);

const readWhole = (body: object) => read(Buffer.from(JSON.stringify(body)));

const values: readonly unknown[] = [
  ...[5, -1, 1.5, true, 'x', '', [], ['x'], {}, { x: 1 }, 'NaN', '\ud800', { code: 'ERROR' }],
  ...[{ stringValue: 5 }, { intValue: null }, { boolValue: 'true' }, { intValue: 'abc' }, { doubleValue: '' }],
  ...[{ arrayValue: 'x' }, { arrayValue: { values: [{ stringValue: 5 }] } }, { bytesValue: 7 }, { kvlistValue: [] }],
  ...[{ stringValue: 'x', intValue: 1 }, { string_value: 'x' }],
];

/** Values that mean something else than what was there, and are right: texts for texts, numbers for numbers, and none. */
function isRight(name: string, value: unknown): boolean {
  if (JSON.stringify(value) === '{}' || JSON.stringify(value) === '{"intValue":null}') return true;
  if (name === 'key') return typeof value === 'string';
  if (name === 'resource') return typeof value === 'object' && !Array.isArray(value);
  if (name === 'stringValue') return typeof value === 'string' && value.isWellFormed();
  if (name === 'intValue' || name === 'doubleValue') return typeof value === 'number' && value >= 0;
  if (name === 'parentSpanId') return value === '';
  return ['resourceSpans', 'scopeSpans', 'spans', 'attributes'].includes(name) && JSON.stringify(value) === '[]';
}

/** Members that no receipt depends on. */
const unread = new Set(['kind', 'scope', 'name']);

/** The members of an export, at any depth. */
function countOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const own = Array.isArray(node) ? [] : Object.keys(node).filter((name) => !unread.has(name));
  return Object.values(node).reduce((sum: number, value) => sum + countOf(value), own.length);
}

describe('an export in JSON of which one member is changed', () => {
  const receipts = JSON.stringify(readWhole(whole()).receipts);
  const count = countOf(whole());

  /** The export with its member at this place changed. */
  function changed(at: number, change: (parent: Json, name: string) => void): { name: string; body: object } {
    const body = whole();
    let left = at;
    let name = '';
    const walk = (node: unknown): void => {
      if (Array.isArray(node)) for (const item of node) walk(item);
      else if (typeof node === 'object' && node !== null) {
        for (const member of Object.keys(node)) {
          const value = Reflect.get(node, member);
          const isCounted = !unread.has(member);
          if (isCounted && left === 0) {
            name = member;
            left = -1;
            const parent: Json = Object.fromEntries(Object.entries(node));
            change(parent, member);
            for (const old of Object.keys(node)) Reflect.deleteProperty(node, old);
            Object.assign(node, parent);
            return;
          }
          if (isCounted) left -= 1;
          if (left >= 0) walk(value);
          if (left < 0) return;
        }
      }
    };
    walk(body);
    return { name, body };
  }

  it.each(values.map((value) => [value]))('to %j gives the same receipts, or says so', (value) => {
    for (let at = 0; at < count; at += 1) {
      const { name, body } = changed(at, (parent, member) => {
        parent[member] = value;
      });
      const found = readWhole(body);
      if (isRight(name, value)) continue;
      const isSame = JSON.stringify(found.receipts) === receipts;
      expect([name, isSame || found.said !== '', found.said]).toEqual([name, true, found.said]);
    }
  });

  it.each<[string, (name: string) => string]>([
    ['underscores', (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    ['capitals', (name) => name.toUpperCase()],
    ['a capital', (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`],
  ])('to a name with %s names it', (_, renamed) => {
    for (let at = 0; at < count; at += 1) {
      const { name, body } = changed(at, (parent, member) => {
        const { [member]: value } = parent;
        delete parent[member];
        parent[renamed(member)] = value;
      });
      if (renamed(name) === name) continue;
      const { said } = readWhole(body);
      expect(said === '' ? name : '').toBe('');
    }
  });

  it.each([
    [{ data: whole() }, '"data"'],
    [{ request: { resourceSpans: [] } }, '"request"'],
  ])('%# as a member of another object is named', (body, name) => {
    expect(readWhole(body)).toMatchObject({ receipts: [], said: expect.stringContaining(name) });
  });
});

describe('names of operations and kinds', () => {
  it.each([
    [{ 'gen_ai.operation.name': 'CHAT', 'gen_ai.usage.input_tokens': 3 }, { tokens: { input: 3 } }],
    [{ 'openinference.span.kind': 'llm', 'llm.token_count.prompt': 3 }, { tokens: { input: 3 } }],
    [{ 'traceloop.span.kind': 'AGENT' }, { task_summary: 'invoke_agent' }],
  ])('are read in other capitals: %j', (attributes, receipt) => {
    expect(readWhole(exportOf([{ id: spanId(1), attributes }]))).toMatchObject({ receipts: [receipt], said: '' });
  });

  it.each([['gen_ai.operation.name'], ['openinference.span.kind']])('are refused when %s is none', (name) => {
    for (const value of [5, true, ['chat']]) {
      const { receipts, said } = readWhole(exportOf([{ id: spanId(1), attributes: { [name]: value } }]));
      expect(receipts).toEqual([]);
      expect(said).toContain(`${name} is ${JSON.stringify(value)}, which is no name`);
    }
  });
});

type Write = (writer: BinaryWriter) => BinaryWriter;
const message = (write: Write): Uint8Array => write(new BinaryWriter()).finish();
const bytesOf =
  (field: number, bytes: Uint8Array): Write =>
  (writer) =>
    writer.tag(field, WireType.LengthDelimited).bytes(bytes);
const number =
  (field: number, value: number): Write =>
  (writer) =>
    writer.tag(field, WireType.Varint).int64(value);
const time =
  (field: number): Write =>
  (writer) =>
    writer.tag(field, WireType.Bit64).fixed64(1_773_480_400_000_000_000n);
const text = (field: number, value: string): Write => bytesOf(field, Buffer.from(value));
const all =
  (...parts: readonly Write[]): Write =>
  (writer) =>
    parts.reduce((so, part) => part(so), writer);

const attribute = (key: string, value: Write): Write =>
  bytesOf(9, message(all(text(1, key), bytesOf(2, message(value)))));

const fields = {
  traceId: bytesOf(1, Buffer.alloc(16, 1)),
  spanId: bytesOf(2, Buffer.alloc(8, 2)),
  parent: bytesOf(4, Buffer.alloc(8)),
  start: time(7),
  end: time(8),
  operation: attribute('gen_ai.operation.name', text(1, 'chat')),
  tokens: attribute('gen_ai.usage.input_tokens', number(3, 7)),
  status: bytesOf(15, message(number(3, 2))),
} as const;

/** An export of one span, with other fields in place of its own. */
function protobuf(other: Partial<Record<keyof typeof fields, Write>> = {}, scopes = 2) {
  const span = message(all(...Object.values({ ...fields, ...other })));
  const inScope = message(bytesOf(2, span));
  return read(message(bytesOf(1, message(bytesOf(scopes, inScope)))), 'protobuf');
}

describe('an export in protobuf', () => {
  it('is read as it is meant', () => {
    expect(protobuf()).toMatchObject({ receipts: [{ status: 'error', tokens: { input: 7 } }], said: '' });
    expect(protobuf().receipts[0]).not.toHaveProperty('parent_span_id');
  });

  it.each<[keyof typeof fields, Write, string]>([
    ['traceId', number(1, 5), 'trace'],
    ['spanId', number(2, 5), 'a span id is not 8 bytes'],
    ['parent', number(4, 5), 'parent_span_id has the wire type 0'],
    ['start', number(7, 5), 'start'],
    ['start', (writer) => writer.tag(7, WireType.Bit64).fixed64(0), 'a span has no start'],
    ['end', text(8, '2026'), 'end'],
    ['end', (writer) => writer, 'a span has no end'],
    ['status', number(15, 2), 'status has the wire type 0'],
    ['status', bytesOf(15, message(text(3, 'ERROR'))), 'code of its status has the wire type 2'],
    ['status', bytesOf(15, message(number(3, 9))), 'its status code is 9'],
    ['status', bytesOf(15, message(number(3, -1))), 'its status code is -1'],
    ['operation', attribute('gen_ai.operation.name', number(1, 1)), 'gen_ai.operation.name has a value'],
    [
      'operation',
      attribute('gen_ai.operation.name', bytesOf(7, Buffer.from('chat'))),
      'gen_ai.operation.name is bytes',
    ],
    ['operation', attribute('gen_ai.operation.name', number(3, 4)), 'gen_ai.operation.name is 4'],
    ['tokens', attribute('gen_ai.usage.input_tokens', text(9, 'x')), 'gen_ai.usage.input_tokens has a value'],
    ['tokens', attribute('gen_ai.usage.input_tokens', number(4, 7)), 'gen_ai.usage.input_tokens has a value'],
  ])('is refused with the name of a wrong field: %s %#', (name, write, sentence) => {
    const { receipts, said } = protobuf({ [name]: write });
    expect(receipts).toEqual([]);
    expect(said).toContain(sentence);
  });

  it('says which text is no UTF-8, and which attribute is there twice', () => {
    const bad = attribute('gen_ai.agent.name', bytesOf(1, Buffer.from([0x61, 0x62, 0xff])));
    expect(protobuf({ tokens: bad }).said).toBe('Once: gen_ai.agent.name is no UTF-8; wrong bytes became U+FFFD.');
    expect(protobuf({ tokens: all(fields.tokens, fields.tokens) }).said).toContain(
      'gen_ai.usage.input_tokens is there twice',
    );
  });

  it('says that spans of the former field are not read', () => {
    const { receipts, said } = protobuf({}, 1000);
    expect(receipts).toEqual([]);
    expect(said).toContain('1 span refused: nothing was read of the field 1000, instrumentation_library_spans');
  });
});
