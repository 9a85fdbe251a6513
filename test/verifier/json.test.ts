import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUtf8 } from '../../src/verifier/bytes.js';
import { canonical, readCanonical } from '../../src/verifier/canonical.js';
import { readJson } from '../../src/verifier/json.js';
import { Unreadable } from '../../src/verifier/unreadable.js';

const limits = { depth: 50, values: 10_000 };
const read = (text: string) => readJson(toUtf8(text), limits);
/** With prototypes again, as others read it. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('reading JSON', () => {
  it('gives what a parser gives, however it is spaced', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }),
        fc.constantFrom(0, 1, '\t', '\r\n '),
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          expect(plain(read(text))).toEqual(plain(JSON.parse(text)));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('refuses what a parser refuses, and says where', () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\ \t\n0123456789-+.eEtrufalsn\u0000\u001fé',
      '\\u0041',
      '\\ud800',
      '\u{1f408}',
    );
    const mistake = fc.record({ at: fc.nat(), cut: fc.integer({ min: 0, max: 2 }), put: pieces });
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), mistake, (text, { at, cut, put }) => {
        const from = at % (text.length + 1);
        agree(text.slice(0, from) + put + text.slice(from + cut));
      }),
      { numRuns: 20_000 },
    );
  });

  /** A parser takes four things that are refused here: a name twice, half a pair, too large a number, too many levels. */
  function agree(text: string): void {
    let expected: unknown;
    try {
      expected = JSON.parse(text);
    } catch {
      expect(() => readJson(new TextEncoder().encode(text), limits), text).toThrow(Unreadable);
      return;
    }
    try {
      expect(plain(readJson(new TextEncoder().encode(text), limits))).toEqual(plain(expected));
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
      expect(String(error)).toMatch(/there twice|invalid escape|too large/);
    }
  }

  it.each([
    ['{"a":1,"a":1}', /twice at byte 10/],
    ['{"a":1,"\\u0061":1}', /twice/],
    ['["é", x]', /not a value at byte 7/],
    ['"\\ud800"', /escape/],
    ['"\\udc00\\ud800"', /escape/],
    ['"\\x"', /escape/],
    ['"a', /does not end/],
    ['"a\\', /does not end/],
    ['1e400', /too large/],
    ['-1e400', /too large/],
    ['', /not a value at byte 0/],
    ['1 1', /after the end at byte 2/],
    ['\ufeff1', /not a value/],
    ['[1,]', /not a value/],
    ['{"a":1,}', /something else than "/],
    ['01', /after the end/],
    ['NaN', /not a value/],
    ['[1}', /something else than \]/],
    ['\u00a01', /not a value/],
  ])('refuses %j', (text, why) => {
    expect(() => read(text)).toThrow(why);
    expect(() => read(text)).toThrow(Unreadable);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22), limits)).toThrow(Unreadable);
    expect(() => readJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), limits)).toThrow(Unreadable);
  });

  it('takes any name for a member', () => {
    expect(Object.keys(Object(read('{"__proto__":{"a":1},"constructor":2,"toString":3}')))).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
  });

  it('counts levels and values', () => {
    expect(() => read('['.repeat(50) + ']'.repeat(50))).not.toThrow();
    expect(() => read(`${'['.repeat(50)}[1]${']'.repeat(50)}`)).toThrow(/more than 50 levels/);
    expect(() => read('['.repeat(3_000_000))).toThrow(/more than 50 levels/);
    expect(() => read('{"a":'.repeat(1_000_000))).toThrow(/more than 50 levels/);
    expect(() => read(`[${'1,'.repeat(9_998)}1]`)).not.toThrow();
    expect(() => read(`[${'1,'.repeat(9_999)}1]`)).toThrow(/more than 10000 values/);
  });
});

describe('reading canonical JSON', () => {
  it('takes what is canonical and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }), (value) => {
        const text = canonical(value);
        expect(plain(readCanonical(toUtf8(text)))).toEqual(JSON.parse(text));
        const other = JSON.stringify(value);
        if (other !== text) expect(() => readCanonical(toUtf8(other))).toThrow(/canonical form/);
        expect(() => readCanonical(toUtf8(`${text} `))).toThrow(/canonical form/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '{"b":1,"a":1}',
    '1.0',
    '-0',
    '1E2',
    '"\\u0041"',
    '"\\/"',
    '9007199254740993',
    '[1, 2]',
  ])('refuses %s', (text) => {
    expect(() => readCanonical(toUtf8(text))).toThrow(/canonical form/);
  });

  it('refuses depth instead of running out of stack', () => {
    expect(() => readCanonical(toUtf8('['.repeat(200) + ']'.repeat(200)))).not.toThrow();
    expect(() => readCanonical(toUtf8(`${'['.repeat(201)}[]${']'.repeat(201)}`))).toThrow(Unreadable);
  });
});
