import { describe, expect, it } from 'vitest';
import { readExport } from '../../src/adapters/otlp/read.js';
import { protobufAnswer } from '../../src/adapters/otlp/wire.js';
import { planTrace } from '../../src/domain/otlp/plan.js';
import { receiptOf } from '../../src/domain/otlp/receipt.js';
import { countOf, remarksOf, sentencesOf } from '../../src/domain/otlp/refused.js';
import { agent, chat, exportOf, type SpanIn, spanId, traceId } from './spans.js';

type Json = Record<string, unknown>;

function read(body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const found = readExport({ body: bytes, format: 'json', gzip: false, most: { bytes: 1e6, values: 1e6 } });
  if (!('traces' in found)) throw new Error(JSON.stringify(found));
  const receipts = found.traces.flatMap(({ traceId, part }) => {
    const known = { traceId, stored: [], recorded: new Set<string>() };
    const plan = planTrace(known, JSON.parse(part), { complete: true, isFull: false });
    return plan.trees.map(({ root, spans }) => receiptOf(traceId, root, spans));
  });
  const { refused, remarks, withoutOperation } = found;
  return {
    receipts,
    refused: countOf(refused),
    said: `${sentencesOf(refused)}${remarksOf(remarks)}`,
    withoutOperation,
  };
}

/** An export of one span with these members in place of its own. */
function changed(members: Json, more: Partial<SpanIn> = {}) {
  const whole = exportOf([{ id: spanId(1), attributes: agent(), ...more }]);
  const [resourceSpans] = whole.resourceSpans;
  const [scopeSpans] = resourceSpans?.scopeSpans ?? [];
  return { resourceSpans: [{ ...resourceSpans, scopeSpans: [{ spans: [{ ...scopeSpans?.spans[0], ...members }] }] }] };
}
const attribute = (key: string, value: unknown) => ({ key, value });

describe('a status', () => {
  // @covers OTLP-STATUS
  it.each([
    [{ code: 'STATUS_CODE_ERROR' }, 'error'],
    [{ code: 'STATUS_CODE_OK' }, 'success'],
    [{ code: 'STATUS_CODE_UNSET' }, 'success'],
    [{ code: 'error' }, 'error'],
    [{ code: '2' }, 'error'],
    [{ code: 1 }, 'success'],
    [{ message: 'no code' }, 'success'],
    [null, 'success'],
  ])('%j is %s', (status, expected) => expect(read(changed({ status })).receipts[0]?.status).toBe(expected));

  it.each([
    [{ code: 'STATUS_CODE_BROKEN' }],
    [{ code: 7 }],
    [{ code: 1.5 }],
    [{ code: true }],
    ['ERROR'],
  ])('%j is refused by its name', (status) => {
    const { receipts, refused, said } = read(changed({ status }));
    expect([receipts, refused]).toEqual([[], 1]);
    expect(said).toContain(JSON.stringify(typeof status === 'object' ? status.code : status));
  });
});

describe('ids and times', () => {
  it('zeros are no parent', () => {
    for (const parentSpanId of ['0000000000000000', '', null]) {
      const [receipt] = read(changed({ parentSpanId })).receipts;
      expect([receipt?.span_id, receipt?.parent_span_id]).toEqual([spanId(1), undefined]);
    }
    const between = { ...exportOf([{ id: spanId(2), parent: '0'.repeat(16) }]) };
    expect(read(between)).toMatchObject({ receipts: [], refused: 0, said: '' });
  });

  it.each([
    [{ startTimeUnixNano: '0' }, 'a span has no start'],
    [{ startTimeUnixNano: undefined }, 'a span has no start'],
    [{ endTimeUnixNano: 0 }, 'a span has no end'],
    [{ endTimeUnixNano: null }, 'a span has no end'],
    [{ startTimeUnixNano: '2026-03-14T09:26:53Z' }, 'the start of a span is no number of nanoseconds'],
    [
      { startTimeUnixNano: 1773480400000, endTimeUnixNano: 1773480413000 },
      'the start of a span is before the year 2000',
    ],
    [{ traceId: '0'.repeat(32) }, 'a trace id is not 16 bytes, or is zero'],
  ])('%j is refused', (members, sentence) => {
    const { receipts, refused, said } = read(changed(members));
    expect([receipts, refused]).toEqual([[], 1]);
    expect(said).toContain(sentence);
  });
});

describe('attributes', () => {
  // @covers OTLP-USAGE
  it('takes tokens and cost that are texts', () => {
    const attributes = chat({
      'gen_ai.usage.input_tokens': '120',
      'gen_ai.usage.output_tokens': ' 7 ',
      'gen_ai.usage.cost': '0.0025',
    });
    expect(read(exportOf([{ id: spanId(1), attributes }]))).toMatchObject({
      receipts: [{ tokens: { input: 120, output: 7 }, cost_usd: 0.0025 }],
      said: '',
    });
  });

  it('says which values a receipt was recorded without', () => {
    const attributes = chat({
      'gen_ai.usage.input_tokens': 'many',
      'gen_ai.usage.output_tokens': -1,
      'gen_ai.usage.cost': '$1',
    });
    const { receipts, refused, said } = read(exportOf([{ id: spanId(1), attributes }]));
    expect([receipts.length, refused, receipts[0]?.tokens]).toEqual([1, 0, undefined]);
    expect(said).toBe(
      'Once: gen_ai.usage.input_tokens is "many", which counts no tokens. ' +
        'Once: gen_ai.usage.output_tokens is -1, which counts no tokens. Once: gen_ai.usage.cost is "$1", which is no amount.',
    );
  });

  it('takes a number for a name, and says so of another value', () => {
    const named = (value: string | number | boolean) =>
      read(exportOf([{ id: spanId(1), attributes: agent({ 'gen_ai.agent.name': value }) }]));
    expect(named(42)).toMatchObject({ receipts: [{ agent_handle: '@42' }], said: '' });
    expect(named(true).said).toBe('Once: gen_ai.agent.name is true, which is no name.');
  });

  it('refuses a value of a type that OTLP does not have', () => {
    const attributes = [attribute('gen_ai.operation.name', { string_value: 'chat' })];
    const { receipts, refused, said } = read(changed({ attributes }));
    expect([receipts, refused]).toEqual([[], 1]);
    expect(said).toContain('gen_ai.operation.name has a value that OTLP does not have: {"string_value":"chat"}');
  });
});

describe('what is no export of spans', () => {
  it.each<[object, number, string]>([
    [{ resource_spans: changed({}).resourceSpans }, 1, '"resource_spans"'],
    [{ batches: [{ scopeSpans: [{ spans: [{}, {}] }] }] }, 2, '"batches"'],
    [{ resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [{}] }] }] }, 1, '"instrumentationLibrarySpans"'],
    [
      { resourceSpans: [{ scopeSpans: [], instrumentationLibrarySpans: [{ spans: [{}] }] }] },
      1,
      '"instrumentationLibrarySpans"',
    ],
    [{ resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }] }, 0, '"resourceLogs"'],
    [{ resourceMetrics: [{ scopeMetrics: [] }] }, 0, '"resourceMetrics"'],
    [{ resourceSpans: [{ scopeSpans: [{ spans: [{ body: 'a log' }] }] }] }, 0, 'logs and metrics'],
  ])('%j is named', (body, refused, name) => {
    const found = read(body);
    expect([found.receipts, found.refused]).toEqual([[], refused]);
    expect(found.said).toContain(name);
  });

  it('an empty export says nothing, and unknown members beside spans are ignored', () => {
    for (const body of [{}, { resourceSpans: [] }, { ...changed({ flags: 1, newer: ['x'] }), newer: [1] }]) {
      expect(read(body).said).toBe('');
    }
  });

  it('a warning without refused spans is sent in protobuf too', () => {
    expect(protobufAnswer(0, '')).toHaveLength(0);
    expect(Buffer.from(protobufAnswer(0, 'a warning')).toString('latin1')).toContain('a warning');
  });
});

describe('a span without an operation', () => {
  const lone = (attributes: SpanIn['attributes'] = {}) => read(exportOf([{ id: spanId(1), attributes }]));

  it.each<[string, NonNullable<SpanIn['attributes']>, string]>([
    ['tokens and an agent', { 'gen_ai.usage.input_tokens': 3, 'gen_ai.agent.name': 'a b' }, 'invoke_agent'],
    ['tokens and a tool', { 'gen_ai.usage.input_tokens': 3, 'gen_ai.tool.name': 'search' }, 'execute_tool'],
    [
      'embeddings of the AI SDK',
      { 'ai.operationId': 'ai.embed', 'ai.usage.tokens': 9, 'ai.model.id': 'm' },
      'embeddings',
    ],
  ])('is read by %s', (_name, attributes, operation) => {
    const found = lone(attributes);
    expect([found.receipts[0]?.task_summary, found.withoutOperation]).toEqual([operation, 0]);
  });

  it.each(['RERANKER', 'GUARDRAIL', 'EVALUATOR'])('is read by the kind %s of OpenInference', (kind) =>
    expect(lone({ 'openinference.span.kind': kind }).receipts).toHaveLength(1));

  it('is counted when it looks like one of GenAI', () => {
    expect(lone({ 'gen_ai.usage.input_tokens': 3 })).toMatchObject({ receipts: [], refused: 0, withoutOperation: 1 });
    expect(lone({ 'openinference.span.kind': 'PROMPT' }).withoutOperation).toBe(1);
    expect(lone({ 'session.id': 's' }).withoutOperation).toBe(0);
  });
});

it('the receipts of a trace are the same no matter the words of its statuses and the zeros of its ids', () => {
  const receipts = [1, 'STATUS_CODE_OK', 'ok'].map(
    (code) => read(changed({ status: { code }, parentSpanId: '0'.repeat(16) })).receipts,
  );
  expect(receipts[0]?.[0]?.trace_id).toBe(traceId);
  expect(receipts[1]).toEqual(receipts[0]);
  expect(receipts[2]).toEqual(receipts[0]);
});
