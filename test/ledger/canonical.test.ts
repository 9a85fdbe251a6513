import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMembers } from '../../src/ledger/canonical-reader.js';
import { canonical, NotCanonical } from '../../src/verifier/canonical.js';

describe('canonical form (RFC 8785)', () => {
  it('agrees with an independent implementation on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), (value) => {
        expect(canonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('agrees on every kind of number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(canonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    [[0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 333333333.3333333, 9007199254740992]],
    [{ '\ufb33': 1, '\ud83d\ude02': 2, '\u20ac': 3, '\r': 4, '1': 5, '10': 6, '2': 7, '': 8 }],
    [{ a: { b: [{}, [], [[]]] }, '\u0000\u001f\u007f\u2028\\"/': '\b\t\n\f\r\u000b' }],
    [JSON.parse('{"__proto__":1,"constructor":2,"toString":3}')],
  ])('agrees on hostile values', (value) => {
    expect(canonical(value)).toBe(canonicalize(value));
  });

  it('sorts by UTF-16 code units and not by code points', () => {
    expect(canonical({ '\ufb33': 1, '\ud83d\ude02': 2 })).toBe('{"\ud83d\ude02":2,"\ufb33":1}');
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    { '\udfff': 1 },
    new Date(0),
    new Map(),
    1n,
    undefined,
    [undefined],
  ])('refuses what has no canonical form: %s', (value) => {
    expect(() => canonical(value)).toThrow(NotCanonical);
  });

  it('refuses depth instead of running out of stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(() => canonical(deep)).toThrow(NotCanonical);
  });
});

describe('reading canonical text', () => {
  /** Everything that the reader must say of a text, by parsing it and writing it again. */
  const reference = (text: string): Map<string, string> | null => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value) || canonical(value) !== text) return null;
      return new Map(Object.entries(value).map(([key, member]) => [key, canonical(member)]));
    } catch {
      return null;
    }
  };
  const agree = (text: string) => {
    const expected = reference(text);
    const read = readMembers(text);
    expect(read && new Map([...read].sort()), text).toEqual(expected && new Map([...expected].sort()));
  };
  const objects = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }), fc.double(), fc.integer()),
  );
  const texts = objects.map((value) => {
    try {
      return canonical(value);
    } catch {
      return JSON.stringify(value);
    }
  });

  it('accepts what is canonical and nothing else', () => {
    fc.assert(fc.property(texts, agree), { numRuns: 5000 });
    fc.assert(
      fc.property(
        objects.map((value) => JSON.stringify(value)),
        agree,
      ),
      { numRuns: 2000 },
    );
    expect(readMembers('{"a":[1,"x"],"b":{}}')).toEqual(
      new Map([
        ['a', '[1,"x"]'],
        ['b', '{}'],
      ]),
    );
  });

  it('says the same as a parser of texts with a mistake in them', () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\ \t\n0123456789-+.eEabfnrtuD8\u0000\u001f\u007fé',
      '\\u0041',
      '\\u001F',
      '\\u001f',
      '\\/',
      '\ud800',
      'null',
      'tru',
      '1e21',
      '-0',
      '1.0',
      'NaN',
    );
    const mistakes = fc.record({
      at: fc.nat(),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.array(pieces, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(texts, mistakes, (text, { at, cut, put }) => {
        const from = at % (text.length + 1);
        agree(text.slice(0, from) + put.join('') + text.slice(from + cut));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    '',
    '{',
    '{}',
    '{} ',
    ' {}',
    '[]',
    '1',
    'null',
    '{"a":1,}',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a":1 }',
    '{"b":1,"a":1}',
    '{"a":1,"a":1}',
    '{"a":01}',
    '{"a":-0}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":+1}',
    '{"a":1e400}',
    '{"a":9007199254740993}',
    '{"a":0.1e1}',
    '{"\\u0061":1}',
    '{"a":"\\u000a"}',
    '{"a":"\\n"}',
    '{"\\n":1,"\\u0000":2}',
    '{"\\u0000":1,"\\n":2}',
    '{"a":"\\ud800"}',
    '{"a":"\ud800"}',
    '\ufeff{}',
    '{"__proto__":1}',
    '{"1":1,"10":2,"2":3}',
    '{"a":undefined}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":nul',
    '{"a":"',
  ])('agrees on %s', agree);

  it.each([200, 201, 202, 100_000])('agrees at %i levels', (depth) => {
    const text = `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const expected = depth <= 201 ? reference(text) : null;
    expect(readMembers(text)).toEqual(expected);
  });
});
