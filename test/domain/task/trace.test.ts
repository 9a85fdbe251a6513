import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Spanned, type TraceTree, traceParts, traceTree } from '../../../src/domain/task/trace.js';

/** A receipt in short: its span, a > and its parent, and a trace after a colon. */
function receipt(text: string): Spanned {
  const [, span = '', parent = '', trace = ''] = /^(\w*)>?(\w*):?(\w*)$/.exec(text) ?? [];
  return { span_id: span || null, parent_span_id: parent || null, trace_id: trace || null };
}

/** The tree as nested lists of the texts that it was made from. */
function shown(...texts: readonly string[]): unknown {
  const parts = traceParts(traceTree(texts.map(receipt)));
  const json = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(texts[part]))).join('');
  const nested = (nodes: { receipt: string; children: [] }[]): unknown =>
    nodes.map(({ receipt: text, children }) => (children.length === 0 ? text : [text, ...[nested(children)].flat()]));
  return nested(JSON.parse(json));
}

describe('the tree of a trace', () => {
  // @covers TRACE-TREE
  it('has each receipt below its parent, in their order', () => {
    expect(shown('a', 'b>a', 'c>a', 'd>b')).toEqual([['a', ['b>a', 'd>b'], 'c>a']]);
    // A parent usually ends, and is recorded, after its children.
    expect(shown('d>b', 'c>a', 'b>a', 'a')).toEqual([['a', 'c>a', ['b>a', 'd>b']]]);
    expect(shown('a', 'b')).toEqual(['a', 'b']);
    expect(shown()).toEqual([]);
  });

  // @covers TRACE-ORPHANS
  it('has orphans, and receipts without a span, at the root', () => {
    expect(shown('b>a', 'c>b', '', '>b', '>x')).toEqual([['b>a', 'c>b', '>b'], '', '>x']);
  });

  it('connects only spans of the same trace', () => {
    expect(shown('a:1', 'b>a:2', 'c>a:1', 'd>a')).toEqual([['a:1', 'c>a:1'], 'b>a:2', 'd>a']);
  });

  // @covers TRACE-CYCLES
  it('neither loops nor loses receipts of cycles and of spans that are there twice', () => {
    expect(shown('a>a')).toEqual(['a>a']);
    expect(shown('b>a', 'a>b', 'c>a')).toEqual([['b>a', ['a>b', 'c>a']]]);
    expect(shown('x>c', 'a>c', 'b>a', 'c>b')).toEqual([['a>c', ['b>a', ['c>b', 'x>c']]]]);
    // Children are below the first receipt of a span.
    expect(shown('a', 'a', 'b>a')).toEqual([['a', 'b>a'], 'a']);
    expect(shown('a', 'a>a', 'b>a')).toEqual([['a', 'a>a', 'b>a']]);
  });

  // @covers TRACE-CYCLES
  it('has every receipt exactly once, and in order, no matter what the spans are', () => {
    const span = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: null });
    const trace = fc.option(fc.constantFrom('1', '2'), { nil: null });
    const any = fc.array(fc.record({ span_id: span, parent_span_id: span, trace_id: trace }), { maxLength: 30 });
    fc.assert(
      fc.property(any, (receipts) => {
        const tree = traceTree(receipts);
        expect(found(tree).sort((a, b) => a - b)).toEqual([...receipts.keys()]);
        for (const list of [tree.roots, ...tree.children]) expect(list).toEqual([...list].sort((a, b) => a - b));
        for (const [at, below] of tree.children.entries()) {
          for (const child of below) expect(receipts[child]?.parent_span_id).toBe(receipts[at]?.span_id);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('may be as deep as it is long', () => {
    const chain = Array.from({ length: 1000 }, (_, at) => receipt(at === 0 ? 's0' : `s${at}>s${at - 1}`));
    const json = traceParts(traceTree(chain)).join('');
    expect(json.match(/"receipt":\d+/g)).toHaveLength(1000);
    expect(json.endsWith(`${']}'.repeat(1000)}]`)).toBe(true);
    const cycle = Array.from({ length: 100_000 }, (_, at) => receipt(`s${at}>s${(at + 1) % 100_000}`));
    expect(traceTree(cycle).roots).toEqual([0]);
  });
});

function found({ roots, children }: TraceTree): number[] {
  const all = [...roots];
  for (const at of all) all.push(...(children[at] ?? []));
  return all;
}
