import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Part, partsOf } from '../../../src/base/json-outline.js';
import { isObject } from '../../../src/base/json-text.js';
import { mergeTask } from '../../../src/domain/task/private-members.js';
import { canonical } from '../../../src/verifier/canonical.js';
import { repeats } from '../../support/repeats.js';
import { receipt } from './arbitrary.js';
import { accepted, full, least, marketOf, statements } from './samples.js';

const blank = fc.constantFrom('', '', '', ' ', '\n  ', '\t');

/** JSON that a parser and a writer would not give back as it was sent. */
const oddJson = fc.oneof(
  fc.constantFrom('1.0', '-0', '1E400', '0.10', '12345678901234567890', '1e-999', '"caf\\u00e9"', '"\\/"', '{}', '[ ]'),
  fc.constantFrom('{"b":1,"a":[1.50, {"\\u0063" : null}]}', '"\\ud83d\\ude00"', '{"__proto__":1}', '{"2":0,"1":0}'),
  fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => JSON.stringify(value))
    .filter(isClean),
);

/** Names that the schema does not have, in the spelling of JSON. */
const oddKey = fc.oneof(
  fc.constantFrom(
    '"x"',
    '""',
    '"\\u0061"',
    '"__proto__"',
    '"constructor"',
    '"receipts"',
    '"task summary"',
    '"10"',
    '"2"',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .map((name) => JSON.stringify(`x-${name}`))
    .filter(isClean),
);

function isClean(text: string): boolean {
  return !/\\u(?:0000|[dD][89a-fA-F])/.test(text);
}

const unknown = fc
  .uniqueArray(fc.tuple(oddKey, oddJson, blank), { maxLength: 4, selector: ([key]) => JSON.parse(key) })
  .map((members) => members.map(([key, value, space]) => `${key}${space}:${space}${value}`));

interface Sent {
  readonly text: string;
  readonly value: object;
}

const member = (name: string, text: string) => `${JSON.stringify(name)}:${text}`;
const objectText = (members: readonly string[], space: string) => `{${space}${members.join(`${space},`)}${space}}`;
const membersOf = (value: object) => Object.entries(value).map(([name, one]) => member(name, JSON.stringify(one)));

/** The text of a receipt with unknown members at all places where they are allowed, and its members in any order. */
const sent: fc.Arbitrary<Sent> = fc
  .tuple(
    receipt,
    unknown,
    fc.array(unknown, { minLength: 4, maxLength: 4 }),
    unknown,
    blank,
    fc.infiniteStream(fc.nat(99)),
  )
  .map(([value, own, ofCalls, ofTokens, space, order]) => {
    const shuffled = (members: readonly string[]) =>
      members
        .map((text) => ({ text, at: order.next().value ?? 0 }))
        .sort((a, b) => a.at - b.at)
        .map(({ text }) => text);
    const { tool_calls, tokens, ...rest } = value;
    const calls = tool_calls?.map((call, at) =>
      objectText(shuffled([...membersOf(call), ...(ofCalls[at] ?? [])]), space),
    );
    const members = [
      ...membersOf(rest),
      ...(calls ? [member('tool_calls', `[${calls.join(',')}]`)] : []),
      ...(tokens ? [member('tokens', objectText(shuffled([...membersOf(tokens), ...ofTokens]), space))] : []),
      ...own,
    ];
    return { text: objectText(shuffled(members), space), value };
  });

const named = new Set(Object.keys({ ...full, market: 0 }));
const inCalls = new Set(['tool', 'ok', 'input_hash', 'output_hash', 'latency_ms']);
const inTokens = new Set(['input', 'output', 'cache_read', 'cache_write']);

/** The texts of the members of an object that are not named, with their keys. */
const unnamedIn = (text: string, parts: readonly Part[], names: ReadonlySet<string>) =>
  parts.filter(({ name }) => !names.has(name)).map(({ start, to }) => text.slice(start, to));

/** All unknown members of a receipt, exactly as its text spells them. */
function unknownsIn(text: string) {
  const parts = partsOf(text, 3);
  const [calls, tokens] = ['tool_calls', 'tokens'].map((one) => parts.find(({ name }) => name === one)?.parts ?? []);
  return {
    own: unnamedIn(text, parts, named),
    calls: calls?.map((call) => unnamedIn(text, call.parts, inCalls)),
    tokens: unnamedIn(text, tokens ?? [], inTokens),
  };
}

/** A receipt without its unknown members. */
function namedOf(text: string): unknown {
  const value: Record<string, unknown> = JSON.parse(text);
  const only = (one: unknown, names: ReadonlySet<string>) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).filter(([name]) => names.has(name))) : one;
  const { tool_calls, tokens } = value;
  const calls = Array.isArray(tool_calls) ? { tool_calls: tool_calls.map((call) => only(call, inCalls)) } : {};
  return Object.assign({}, only(value, named), calls, tokens === undefined ? {} : { tokens: only(tokens, inTokens) });
}

/** Thousands of expectations take seconds. */
function expectSame([actual, expected]: readonly [string, string]): void {
  if (actual !== expected) expect(actual).toBe(expected);
}

describe('dividing and merging receipts', () => {
  // @covers TASK-SENT-BACK TASK-UNKNOWN TASK-SPLIT
  it('gives back what was sent: named members by value, unknown ones byte for byte', () => {
    let withUnknown = 0;
    fc.assert(
      fc.property(sent, ({ text, value }) => {
        const { task, privateText } = accepted(text);
        const merged = mergeTask(task, privateText);
        const [unknowns, { task_summary: _, ...held }] = [unknownsIn(text), JSON.parse(JSON.stringify(value))];
        expectSame([JSON.stringify(unknownsIn(merged)), JSON.stringify(unknowns)]);
        expectSame([canonical(namedOf(merged)), canonical(JSON.parse(JSON.stringify(value)))]);
        // The entry has the named members alone, and what it holds is canonical JSON.
        expectSame([canonical(task), canonical(held)]);
        // Sent again, it is the same receipt.
        expectSame([accepted(merged).canonical, accepted(text).canonical]);
        if (unknowns.own.length > 0) withUnknown += 1;
      }),
      { numRuns: repeats('RECEIPTS') },
    );
    expect(withUnknown).toBeGreaterThan(repeats('RECEIPTS') / 2);
  }, 300_000);

  // @covers TASK-SPLIT-NESTED
  it('puts unknown members of tool calls and tokens under those names, and leaves out what has none', () => {
    const [calls, tokens] = [
      [
        { tool: 'a', ok: true, args: 1.5 },
        { tool: 'b', ok: false },
      ],
      { input: 1, reasoning: 5 },
    ];
    const { task, privateText } = accepted({ x: 1, ...least, tokens, tool_calls: calls, task_summary: 's' });
    expect(privateText).toBe('{"x":1,"tokens":{"reasoning":5},"tool_calls":[{"args":1.5},{}],"task_summary":"s"}');
    expect(task.tool_calls).toEqual([
      { tool: 'a', ok: true },
      { tool: 'b', ok: false },
    ]);
    expect(JSON.parse(mergeTask(task, privateText))).toEqual({
      x: 1,
      ...least,
      tokens,
      tool_calls: calls,
      task_summary: 's',
    });
    expect(accepted(full).privateText).toBe(`{"task_summary":${JSON.stringify(full.task_summary)}}`);
    expect(accepted({ ...least, tool_calls: [], tokens: {} }).privateText).toBe(null);
    // A receipt whose private text was erased.
    expect(JSON.parse(mergeTask(task, null))).toEqual({ ...least, ...task });
  });

  it('holds market when it is ours, and nothing of it twice', () => {
    const ours = { ...least, market: marketOf(statements) };
    expect(JSON.parse(mergeTask(accepted(ours).task, null))).toEqual(ours);
    const other = { ...least, market: { schema: 'other/1', n: 1 } };
    const { task, privateText } = accepted(other);
    expect(mergeTask(task, privateText)).toBe(JSON.stringify(other));
  });
});

describe('the canonical form of a receipt', () => {
  const canonicalOf = (members: string) => accepted(`{${members},${JSON.stringify(least).slice(1)}`).canonical;

  // @covers TASK-SAME
  it('is equal for receipts with the same JCS, however they are spelled, and for no other ones', () => {
    const first = canonicalOf('"x":[1.50,"caf\\u00e9"],"y":1e2');
    expect(canonicalOf('"y":100, "x" : [ 15e-1 ,"café"]')).toBe(first);
    expect(first).toBe(canonical({ ...least, x: [1.5, 'café'], y: 100 }));
    const others = [
      '"x":[1.5,"cafe"],"y":100',
      '"x":["café",1.5],"y":100',
      '"x":[1.5,"café"],"y":"100"',
      '"x":[1.5,"café"]',
    ];
    expect(new Set([first, ...others.map(canonicalOf)]).size).toBe(5);
  });

  // @covers TASK-SAME-NUMBERS
  it('has a number that is too large for a double in its spelling, and differs from that of a text', () => {
    const numbers = ['1e400', '-1e400', '10e399', '"1e400"', '1e308', 'null'];
    expect(new Set(numbers.map((number) => canonicalOf(`"x":[${number}]`))).size).toBe(numbers.length);
    expect(canonicalOf('"x":{"b":1e999,"a":[2E999]}')).toBe(canonicalOf('"x":{"a":[2E999],"b":1e999}'));
    expect(JSON.parse(canonicalOf('"x":1e400')).x).toBe('\u00001e400');
  });
});
