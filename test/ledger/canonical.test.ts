import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, NotCanonical } from '../../src/ledger/canonical.js';

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
