import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../src/adapters/otlp/read.js';
import { planTrace } from '../../src/domain/otlp/plan.js';
import { receiptOf } from '../../src/domain/otlp/receipt.js';
import { countOf } from '../../src/domain/otlp/refused.js';
import { handleOf } from '../../src/domain/otlp/span.js';
import type { TraceNode } from '../../src/domain/otlp/trace.js';
import { agent, chat, exportOf, type SpanIn, spanId, startMs, tool, traceId } from './spans.js';

function read(spans: readonly SpanIn[], service?: string) {
  const body = Buffer.from(JSON.stringify(exportOf(spans, service)));
  const read = readExport({ body, format: 'json', gzip: false, most: { bytes: 1e6, values: 1e6 } });
  if (!('traces' in read)) throw new Error(JSON.stringify(read));
  return { refused: read.refused, traces: read.traces.map(({ part }) => JSON.parse(part)) };
}

/** The receipts of the one trace in an export, after what the trace remembers. */
function planned(spans: readonly SpanIn[], stored: readonly TraceNode[] = [], complete = false) {
  const { traces } = read(spans);
  const plan = planTrace({ traceId, stored, recorded: new Set() }, traces[0] ?? { spans: [], links: [] }, {
    complete,
    isFull: false,
  });
  return { ...plan, receipts: plan.trees.map(({ root, spans }) => receiptOf(traceId, root, spans)) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const [root, first, second, third] = [spanId(1), spanId(2), spanId(3), spanId(4)];

describe('the receipt of a root span', () => {
  // @covers OTLP-RECEIPT OTLP-TOOLS OTLP-USAGE
  it('has its handle, its times, its status and the calls below it', () => {
    const spans = [
      {
        id: first,
        parent: root,
        at: 5,
        ms: 100,
        attributes: chat({
          'gen_ai.response.model': 'gpt-9-2026',
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 3,
          'gen_ai.usage.cost': 0.1,
        }),
      },
      {
        id: second,
        parent: root,
        at: 110,
        ms: 40,
        status: 2,
        attributes: tool('search', {
          'gen_ai.tool.call.arguments': '{"q":"Grüße"}',
          'gen_ai.tool.call.result': { b: [1, 'x'], a: true },
        }),
      },
      {
        id: third,
        parent: root,
        at: 160,
        attributes: chat({
          'gen_ai.usage.prompt_tokens': 5,
          'gen_ai.usage.cache_read.input_tokens': 4,
          'gen_ai.usage.cache_creation.input_tokens': 2,
          'gen_ai.usage.cost': 0.2,
        }),
      },
      {
        id: root,
        ms: 200,
        attributes: agent({
          'gen_ai.agent.name': 'Travel Planner',
          'gen_ai.conversation.id': 'c-1',
          'gen_ai.usage.input_tokens': 15,
        }),
      },
    ];
    expect(planned(spans).receipts).toEqual([
      {
        receipt_id: `${traceId}-${root}`,
        agent_handle: '@travel-planner',
        platform: 'otel',
        model: 'gpt-9-2026',
        session_id: 'c-1',
        trace_id: traceId,
        span_id: root,
        started_at: new Date(startMs).toISOString(),
        ended_at: new Date(startMs + 200).toISOString(),
        status: 'success',
        task_summary: 'invoke_agent',
        tool_calls: [
          {
            tool: 'search',
            ok: false,
            input_hash: sha256('{"q":"Grüße"}'),
            output_hash: sha256('{"a":true,"b":[1,"x"]}'),
            latency_ms: 40,
          },
        ],
        tokens: { input: 15, output: 3, cache_read: 4, cache_write: 2 },
        cost_usd: 0.3,
      },
    ]);
  });

  // @covers OTLP-STATUS
  it('fails with the status 2 of the span, or with error.type, of which two say that something was denied', () => {
    const statusOf = (more: Partial<SpanIn>) => planned([{ id: root, ...more }]).receipts[0]?.status;
    expect(statusOf({ attributes: agent() })).toBe('success');
    expect(statusOf({ attributes: agent(), status: 1 })).toBe('success');
    expect(statusOf({ attributes: agent(), status: 2 })).toBe('error');
    expect(statusOf({ attributes: agent({ 'error.type': 'timeout' }) })).toBe('error');
    expect(statusOf({ attributes: agent({ 'error.type': 'tool_denied' }), status: 2 })).toBe('tool_denied');
    expect(statusOf({ attributes: agent({ 'error.type': 'policy_blocked' }), status: 2 })).toBe('policy_blocked');
  });

  // @covers OTLP-USAGE
  it('counts a call of a model once that two instrumentations describe', () => {
    const spans = [
      { id: root, attributes: agent() },
      { id: first, parent: root, attributes: chat({ 'gen_ai.usage.input_tokens': 7 }) },
      { id: second, parent: first, attributes: chat({ 'gen_ai.usage.input_tokens': 7 }) },
    ];
    expect(planned(spans).receipts[0]?.tokens).toEqual({ input: 7 });
  });

  // @covers OTLP-RECEIPT
  it('is made of a lone root of any other kind, and of each root of a trace', () => {
    const web = { id: spanId(9), attributes: { 'http.request.method': 'GET' } };
    const spans = [
      { id: first, parent: web.id, attributes: chat({ 'gen_ai.usage.input_tokens': 7 }) },
      { id: second, parent: web.id, attributes: tool('alone') },
      { ...web, id: third, parent: web.id },
      { id: root, parent: third, attributes: { 'openinference.span.kind': 'AGENT' } },
      web,
    ];
    const { receipts } = planned(spans);
    expect(receipts.map(({ span_id }) => span_id)).toEqual([first, second, root]);
    expect(receipts[0]).toMatchObject({
      parent_span_id: web.id,
      agent_handle: '@travel-service',
      tokens: { input: 7 },
    });
    expect(receipts[1]).toMatchObject({ tool_calls: [{ tool: 'alone', ok: true }] });
  });

  // @covers OTLP-PARTIAL
  it('holds at most 256 calls of tools; others are counted as refused', () => {
    const calls = Array.from({ length: 300 }, (_, i) => ({
      id: spanId(100 + i),
      parent: root,
      at: i,
      attributes: tool(`t${i}`),
    }));
    const { receipts, refused } = planned([...calls, { id: root, ms: 400, attributes: agent() }]);
    expect(receipts[0]?.tool_calls).toHaveLength(256);
    expect(countOf(refused)).toBe(44);
  });
});

describe('a trace in pieces', () => {
  const child = { id: first, parent: root, attributes: tool('search') };
  const whole = { id: root, ms: 50, attributes: agent() };

  // @covers OTLP-PIECES
  it('waits for its root, however the pieces are ordered', () => {
    const waiting = planned([child]);
    expect([waiting.receipts, [...waiting.missing]]).toEqual([[], [root]]);
    const then = planned([whole], waiting.nodes);
    expect(then.receipts).toHaveLength(1);
    expect(then.receipts[0]?.tool_calls).toHaveLength(1);
    expect(then.nodes.every(({ span, decided }) => !span && decided)).toBe(true);
  });

  // @covers OTLP-AGAIN OTLP-LATE
  it('knows a span that is sent again, and names one that comes too late', () => {
    const done = planned([child, whole]);
    const again = planned([child, whole], done.nodes);
    expect([again.receipts, countOf(again.refused)]).toEqual([[], 0]);
    const late = planned([{ id: second, parent: first, attributes: tool('late') }], done.nodes);
    expect([...late.refused]).toEqual([
      ['it came after the receipt of the span above it was recorded', { count: 1, examples: [`${traceId}-${second}`] }],
    ]);
  });

  // @covers OTLP-PIECES OTLP-OTHER
  it('finds the root above spans that are no GenAI spans and came in another export', () => {
    const web = { id: spanId(9) };
    const before = planned([{ id: first, parent: second, attributes: tool('deep') }]);
    const link = planned([{ id: second, parent: root }], before.nodes);
    expect(planned([{ ...whole, parent: web.id }, web], link.nodes).receipts).toMatchObject([
      { span_id: root, tool_calls: [{ tool: 'deep' }] },
    ]);
  });

  // @covers OTLP-UNROOTED
  it('ends when nothing more is waited for: what has no parent then is a root', () => {
    const waiting = planned([child, { id: second, parent: first, attributes: chat() }]);
    const { receipts } = planned([], waiting.nodes, true);
    expect(receipts.map(({ span_id }) => span_id)).toEqual([first]);
  });

  // @covers OTLP-PARTIAL
  it('refuses spans in a circle, and those beyond what a trace may let wait', () => {
    const circle = planned([
      { id: first, parent: second, attributes: chat() },
      { id: second, parent: first, attributes: chat() },
    ]);
    expect([countOf(circle.refused), circle.nodes]).toEqual([2, []]);
    const chats = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: spanId(from + i), parent: root, attributes: chat() }));
    const waiting = planned(chats(100, 900));
    expect(countOf(planned(chats(2000, 200), waiting.nodes).refused)).toBe(100);
  });
});

describe('a span', () => {
  // @covers OTLP-OTHER
  it('that is no GenAI span is not refused, no matter what is wrong with it', () => {
    const { traces, refused } = read([{ id: 'x' }, { id: spanId(7), ms: -5 }]);
    expect([countOf(refused), traces[0].spans]).toEqual([0, []]);
  });

  // @covers OTLP-PARTIAL
  it('is refused for wrong ids, times and names', () => {
    const wrong: SpanIn[] = [
      { id: 'x', attributes: chat() },
      { id: spanId(0), attributes: chat() },
      { id: root, parent: root, attributes: chat() },
      { id: root, parent: 'abc', attributes: chat() },
      { id: root, trace: '00', attributes: chat() },
      { id: root, ms: -5, attributes: chat() },
      { id: root, attributes: chat({ 'gen_ai.request.model': 'm'.repeat(5000) }) },
    ];
    expect(countOf(read(wrong).refused)).toBe(wrong.length);
  });
});

describe('a handle', () => {
  // @covers OTLP-HANDLE
  it.each([
    ['Travel Planner', '@travel-planner'],
    ['  --Über_Agent!! 2 ', '@u-ber-agent-2'],
    ['ﬁnance', '@finance'],
    ['x', `@agent-${sha256('x').slice(0, 8)}`],
    ['旅行', `@agent-${sha256('旅行').slice(0, 8)}`],
    ['', `@agent-${sha256('').slice(0, 8)}`],
    ['a'.repeat(40), `@${'a'.repeat(32)}`],
  ])('of %j is %s', (name, handle) => {
    expect(handleOf(name)).toBe(handle);
  });
});
