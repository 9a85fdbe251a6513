import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { type Attributes, type Dialect, dialects } from './spans-dialects.js';

export const spansFolder = join(packageRoot, 'test/corpus/files/spans');

export interface SpansCase {
  readonly file: string;
  readonly text: string;
  readonly expected: SpansExpected;
}

/** The receipts by some of their members, and what the answer says. */
export interface SpansExpected {
  readonly receipts: readonly object[];
  readonly refused?: number;
  /** A part of the message of the answer. Without it the answer has none. */
  readonly says?: string;
}

interface Situation {
  readonly name: string;
  spans(dialect: Dialect): object[];
  readonly expected: SpansExpected;
}

const [root, first, second] = ['00000000000000a1', '00000000000000a2', '00000000000000a3'];
const startMs = Date.UTC(2026, 2, 14, 9, 26, 53);

function span(id: string, attributes: Attributes, members: object = {}) {
  const nanoseconds = (ms: number) => `${startMs + ms}000000`;
  return {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: id,
    name: 'a span',
    kind: 1,
    startTimeUnixNano: nanoseconds(0),
    endTimeUnixNano: nanoseconds(20),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
    ...members,
  };
}

const run = { agent_handle: '@harbour-pilot', model: 'm-1', status: 'success', tokens: { input: 12, output: 5 } };
const isRoot = { parentSpanId: '' };
const below = { parentSpanId: root };

const situations: readonly Situation[] = [
  {
    name: 'run',
    spans: (by) => [
      span(first, by.call('m-1', 12, 5), below),
      span(second, by.tool('tides'), { ...below, status: { code: 1 } }),
      span(root, by.agent('Harbour Pilot'), isRoot),
    ],
    expected: { receipts: [{ ...run, tool_calls: [{ tool: 'tides', ok: true, latency_ms: 20 }] }] },
  },
  {
    name: 'call',
    spans: (by) => [span(root, by.call('m-1', 12, 5))],
    expected: { receipts: [{ model: 'm-1', status: 'success', tokens: { input: 12, output: 5 } }] },
  },
  {
    name: 'failed-tool',
    spans: (by) => [
      span(first, by.tool('tides'), { ...below, status: { code: 'STATUS_CODE_ERROR', message: 'no tide' } }),
      span(root, by.agent('Harbour Pilot'), { status: { code: 'STATUS_CODE_UNSET' } }),
    ],
    expected: { receipts: [{ status: 'success', tool_calls: [{ tool: 'tides', ok: false, latency_ms: 20 }] }] },
  },
  {
    name: 'names-and-zeros',
    spans: (by) => [
      span(first, by.call('m-1', 12, 5), { ...below, kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_OK' } }),
      span(root, by.agent('Harbour Pilot'), {
        parentSpanId: '0000000000000000',
        status: { code: 'STATUS_CODE_ERROR' },
      }),
    ],
    expected: { receipts: [{ ...run, status: 'error' }] },
  },
  {
    name: 'embeddings',
    spans: (by) => [span(root, by.embedding('e-1', 7))],
    expected: { receipts: [{ model: 'e-1', task_summary: 'embeddings', tokens: { input: 7 } }] },
  },
  {
    name: 'counts-as-texts',
    spans: (by) => [span(first, by.call('m-1', '12', '5'), below), span(root, by.agent('Harbour Pilot'))],
    expected: { receipts: [run] },
  },
  {
    name: 'unclear-counts',
    spans: (by) => [span(root, by.call('m-1', 'a few', 5))],
    expected: { receipts: [{ model: 'm-1', tokens: { output: 5 } }], says: 'is "a few", which counts no tokens' },
  },
  {
    name: 'no-end',
    spans: (by) => [span(root, by.agent('Harbour Pilot'), { endTimeUnixNano: '0' })],
    expected: { receipts: [], refused: 1, says: 'a span has no end' },
  },
  {
    name: 'unknown-status',
    spans: (by) => [span(root, by.agent('Harbour Pilot'), { status: { code: 'FAILED_SOMEHOW' } })],
    expected: { receipts: [], refused: 1, says: 'its status code is "FAILED_SOMEHOW"' },
  },
];

const exported = (spans: object[]) => ({
  resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'corpus' }, spans }] }],
});

/** All exports of the corpus, those of each instrumentation with what is expected of them. Every call makes the same bytes. */
export function spansCorpus(): SpansCase[] {
  return dialects.flatMap((dialect) =>
    situations.map(({ name, spans, expected }) => ({
      file: `${dialect.name}--${name}.json`,
      text: `${JSON.stringify(exported(spans(dialect)), null, 1)}\n`,
      expected,
    })),
  );
}

/** The expectations as `expected.json` has them. */
export function spansExpectations(corpus: readonly SpansCase[]): string {
  return `${JSON.stringify(Object.fromEntries(corpus.map(({ file, expected }) => [file, expected])), null, 2)}\n`;
}

/** Writes the corpus into its folder: `node dist/test/corpus/make/spans.js` after a build. */
function write(): void {
  const corpus = spansCorpus();
  rmSync(spansFolder, { recursive: true, force: true });
  mkdirSync(spansFolder, { recursive: true });
  for (const { file, text } of corpus) writeFileSync(join(spansFolder, file), text);
  writeFileSync(join(spansFolder, 'expected.json'), spansExpectations(corpus));
  console.log(`${corpus.length} exports in ${spansFolder}`);
}

if (process.argv[1] === import.meta.filename) write();
