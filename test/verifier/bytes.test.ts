import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, equal, fromBase64, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { Unreadable } from '../../src/verifier/unreadable.js';

const bytes = fc.uint8Array({ maxLength: 100 });

describe('bytes as text', () => {
  it('agrees with Node on hex and base64, both ways', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(toHex(value)).toBe(Buffer.from(value).toString('hex'));
        expect(toBase64(value)).toBe(Buffer.from(value).toString('base64'));
        expect(fromHex(toHex(value))).toEqual(value);
        expect(fromBase64(toBase64(value))).toEqual(value);
      }),
    );
  });

  it('reads of hex and base64 only what it would write', () => {
    const characters = fc.constantFrom(...'ABYZabfgyz0189+/-_= \n\t\0é\u0130');
    const texts = fc.string({ unit: characters, maxLength: 12 });
    const oneOf = (read: (text: string) => Uint8Array, write: (value: Uint8Array) => string) =>
      fc.property(texts, (text) => {
        try {
          expect(write(read(text))).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      });
    fc.assert(oneOf(fromBase64, toBase64), { numRuns: 3000 });
    fc.assert(oneOf(fromHex, toHex), { numRuns: 3000 });
  });

  it.each([
    '=',
    '==',
    '====',
    'A===',
    'AA=A',
    'AAA',
    'AA',
    'AAAA\n',
    'AA==AAAA',
    'AB==',
    'AAB=',
    'AA-_',
    ' AAA',
    'AAAA====',
  ])('refuses %j as base64', (text) => {
    expect(() => fromBase64(text)).toThrow(Unreadable);
  });

  it.each(['0', '0g', 'AB', '0x00', ' 00', '٠٠'])('refuses %j as hex', (text) => {
    expect(() => fromHex(text)).toThrow(Unreadable);
  });

  it('takes well-formed text and UTF-8 to each other, and refuses the rest', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fromUtf8(toUtf8(text))).toBe(text);
      }),
    );
    expect(fromUtf8(toUtf8('\ufeffa'))).toBe('\ufeffa');
    expect(() => toUtf8('a\ud800')).toThrow(Unreadable);
    for (const wrong of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(() => fromUtf8(Uint8Array.from(wrong))).toThrow(Unreadable);
    }
  });

  it('reads a few megabytes without trouble', () => {
    const large = new Uint8Array(3_000_000).fill(7);
    expect(equal(fromBase64(toBase64(large)), large)).toBe(true);
    expect(equal(fromHex(toHex(large)), large)).toBe(true);
  });
});

describe('bytes', () => {
  it('are joined in their order', () => {
    fc.assert(
      fc.property(fc.array(bytes), (parts) => {
        expect(concat(...parts)).toEqual(Uint8Array.from(Buffer.concat(parts)));
      }),
    );
  });

  it('are equal when all of them are', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(equal(a, b)).toBe(Buffer.compare(a, b) === 0);
        expect(equal(a, Uint8Array.from(a))).toBe(true);
      }),
    );
  });
});
