import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf, type Part } from '../../src/base/json-outline.js';
import { toUtf8 } from '../../src/verifier/bytes.js';
import { readJson } from '../../src/verifier/json.js';

const all = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** JSON written in many ways: with blanks between everything, and with characters as escapes. */
const written = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\n\t ', '\r\n'), fc.nat(9))
  .map(([value, blank, escaped]) => write(value, blank, escaped));

function write(value: unknown, blank: string, escaped: number): string {
  const inner = (one: unknown) => `${blank}${write(one, blank, escaped)}${blank}`;
  if (Array.isArray(value)) return `[${value.map(inner).join(',')}${blank}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${inner(key)}:${inner(member)}`);
    return `{${members.join(',')}${blank}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return escaped === 0 ? `"${value.split('').map(asEscape).join('')}"` : JSON.stringify(value);
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + count(one), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the outline of a JSON text', () => {
  it('has the parts, the depth and the number of values that JSON.parse finds', () => {
    fc.assert(
      fc.property(written, (text) => {
        const value: unknown = JSON.parse(text);
        const { parts, depth, values, repeats } = outlineOf(text, all);
        expect([depth, values, repeats]).toEqual([depthOf(value), count(value), false]);
        const shown = parts.map(({ name, from, to, values: own }) => [name, JSON.parse(text.slice(from, to)), own]);
        const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
        const names = Array.isArray(value) ? members.map(([, one]) => ['', one]) : members;
        expect(shown).toEqual(names.map(([name, one]) => [name, one, count(one)]));
      }),
      { numRuns: 2000 },
    );
  });

  it('has the parts of parts on as many levels as it is given, each with its depth', () => {
    const check = (text: string, parts: readonly Part[], value: unknown, levels: number): void => {
      const inside = levels > 0 && typeof value === 'object' && value !== null ? Object.entries(value) : [];
      expect(parts.map(({ name }) => name)).toEqual(inside.map(([name]) => (Array.isArray(value) ? '' : name)));
      for (const [at, { start, from, to, depth, parts: inner }] of parts.entries()) {
        const own = inside[at]?.[1];
        expect([JSON.parse(text.slice(from, to)), depth]).toEqual([own, depthOf(own)]);
        // A member begins with its key.
        if (Array.isArray(value)) expect(start).toBe(from);
        else expect(JSON.parse(`{${text.slice(start, to)}}`)).toEqual({ [inside[at]?.[0] ?? '']: own });
        check(text, inner, own, levels - 1);
      }
    };
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 4 }), (text, levels) => {
        check(text, outlineOf(text, { ...all, levels }).parts, JSON.parse(text), levels);
      }),
      { numRuns: 500 },
    );
  });

  it('names the numbers that a double may not represent as they are written', () => {
    const text =
      '[1, -12345678901234, 0.12345678901234, 123456789012345, 1e2, {"a": -1E400}, "1e5", true, 12345678901234567]';
    const { unusual } = outlineOf(text, all);
    expect(unusual.map(({ from, to }) => text.slice(from, to))).toEqual([
      ...['0.12345678901234', '1e2', '-1E400', '12345678901234567'],
    ]);
  });

  it('gives each part as it was written', () => {
    const text = '{ "a" : 1.0e2 , "\\u0062":{"k" :[1 , 2]} ,"c":"x\\"}" , "d":[ ] }';
    const written = outlineOf(text, all).parts.map(({ name, from, to }) => [name, text.slice(from, to)]);
    expect(written).toEqual([
      ['a', '1.0e2'],
      ['b', '{"k" :[1 , 2]}'],
      ['c', '"x\\"}"'],
      ['d', '[ ]'],
    ]);
  });

  it('sees a key that is there twice at any level, however it is written', () => {
    const twice = ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[[{"x":{"":0,"":0}}]]', '{"__proto__":1,"__proto__":2}'];
    for (const text of twice) expect([text, outlineOf(text, all).repeats]).toEqual([text, true]);
    const once = ['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}', '{"a":1,"A":1}'];
    for (const text of once) expect([text, outlineOf(text, all).repeats]).toEqual([text, false]);
  });

  it('counts levels, values and equal keys as the reader of the verifier does', () => {
    const key = fc.constantFrom('a', '\\u0061', 'b', '__proto__', '');
    const { text: anyText } = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('1', '-0.5e3', '"x\\n"', '""', 'true', 'null', '[]', '{ }'),
        fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(key, tie('text')), { maxLength: 4 })
          .map((members) => `{${members.map(([name, value]) => `"${name}" :${value}`).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(anyText, (text) => {
        const { depth, values, repeats } = outlineOf(text, all);
        const read = (limits: { depth: number; values: number }) => () => readJson(toUtf8(text), limits);
        if (repeats) expect(read(all)).toThrow('there twice');
        else {
          expect(JSON.stringify(read({ depth, values })())).toBe(JSON.stringify(JSON.parse(text)));
          expect(read({ depth, values: values - 1 })).toThrow(`more than ${values - 1} values`);
          // An empty list or object needs no level of the verifier, which keeps only what has begun and not ended.
          const open = outlineOf(text.replaceAll(/\[\]|\{ ?\}/g, '1'), all).depth;
          if (open > 0) expect(read({ depth: open - 1, values })).toThrow(`more than ${open - 1} levels`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('ends no matter what the text is, and counts on where there are too many values', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",:\\ 1au'), maxLength: 200 }), (text) => {
        const { parts, values } = outlineOf(text, { depth: 8, values: 20 });
        expect(parts.length).toBeLessThanOrEqual(21);
        expect(values).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 5000 },
    );
    const { parts, values } = outlineOf(`{"few":[0],"ids":[${'"x",'.repeat(5000)}0],"last":1}`, {
      depth: 64,
      values: 10,
    });
    expect(values).toBe(5006);
    expect(parts.map(({ name, values: own }) => [name, own])).toEqual([
      ['few', 2],
      ['ids', 5002],
      ['last', 1],
    ]);
    expect(outlineOf('['.repeat(4_000_000), { depth: 64, values: 10 }).depth).toBe(65);
  });
});
