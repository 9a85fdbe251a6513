import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { redact } from '../../src/domain/redaction/redact.js';
import { keyOf, NoText, survey, textOf, textsOf } from '../../src/web/import/read.js';
import { endOfPart, memoryBytes, partBytes, partsOf } from '../../src/web/import/split.js';
import { most } from '../../src/web/import/upload.js';

const bytes = (text: string) => new TextEncoder().encode(text);

async function* inPieces(all: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

const partsOfText = async (text: string, piece: number, size: number) =>
  (await collected(partsOf(inPieces(bytes(text), piece), size))).map((part) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part),
  );

const swapped = (utf16: Uint8Array): Uint8Array<ArrayBuffer> => {
  const copy = new Uint8Array(utf16.length);
  for (const [at, byte] of utf16.entries()) copy[at ^ 1] = byte;
  return copy;
};

/** Lines, some of them longer than a part, with characters of one to four bytes and marks of the order of bytes. */
const texts = fc
  .array(fc.stringMatching(/^(?:[aé漢🜁\n\r\u{feff}]|e\u0301){0,40}$/u), { maxLength: 12 })
  .map((some) => some.join(''));

describe('a text that is cut into parts', () => {
  // @covers PAGES-IMPORT
  it('is the same when they are joined; none is too long, and no code point is cut, however it is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 4, max: 60 }),
        async (text, piece, size) => {
          const parts = await partsOfText(text, piece, size);
          expect(parts.join('')).toBe(text);
          expect(parts.every((part) => part !== '' && bytes(part).length <= size)).toBe(true);
          // The pieces in which a file is read leave no trace, so that a second drop finds the same parts.
          expect(parts).toEqual(await partsOfText(text, text.length * 4 + 1, size));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('ends at a line, or inside a line only where that is longer than a part', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 4, max: 60 }), async (text, size) => {
        const parts = await partsOfText(text, 7, size);
        for (const part of parts.slice(0, -1))
          expect(part.endsWith('\n') || (!part.includes('\n') && bytes(part).length > size - 4)).toBe(true);
      }),
    );
  });

  it('is one part up to the size of a part, to the byte', () => {
    expect(memoryBytes).toBe(limits.contentBytes);
    expect(most.whole).toBe(limits.sourceBytes);
    expect(endOfPart(new Uint8Array(partBytes).fill(97))).toBe(partBytes);
    expect(endOfPart(new Uint8Array(partBytes + 1).fill(97))).toBe(partBytes);
    expect(endOfPart(bytes('ab\ncd'), 3)).toBe(3);
    expect(endOfPart(bytes('a🜁'), 4)).toBe(1);
  });

  it.each(['a@b.co\n', '001000000 001000001\n', 'tel 5550123\n'])('has room for the redaction of %j', (line) => {
    const part = line.repeat(Math.floor(partBytes / line.length));
    expect(bytes(redact(part).text).length).toBeLessThanOrEqual(memoryBytes);
  });
});

describe('a file that is read', () => {
  const text = 'Tide: 06:10 – 漢 🜁\nsecond line\n';
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
  const read = async (all: Uint8Array, piece = 3) =>
    Buffer.concat(await collected(textOf(inPieces(all, piece)))).toString('utf8');

  // @covers PAGES-IMPORT
  it('is UTF-8, or UTF-16 with a mark, in any pieces; the mark is no part of the text', async () => {
    for (const piece of [2, 3, 64]) {
      expect(await read(bytes(text), piece)).toBe(text);
      expect(await read(utf16, piece)).toBe(text);
      expect(await read(swapped(utf16), piece)).toBe(text);
    }
    expect(await read(bytes(`\ufeff${text}`))).toBe(text);
  });

  it('is refused whole when it is no text, also when only its end is not', async () => {
    const wrong = [
      new Uint8Array([0x61, 0xff, 0x62]),
      new Uint8Array([...bytes('a line\n'), 0xe6, 0xbc]),
      bytes('a\0b'),
      utf16.subarray(0, utf16.length - 1),
      new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]),
    ];
    for (const one of wrong) await expect(read(one)).rejects.toBeInstanceOf(NoText);
  });

  // @covers PAGES-IMPORT
  it('has the same parts and keys each time, and others under another name, with other bytes or elsewhere', async () => {
    const line = `${'The ferry is late. '.repeat(50)}\n`;
    const long = line.repeat(3000);
    const named = (name: string, content: string) => ({ name, file: new Blob([content]) });
    const file = named('ferry.log', long);
    const first = await survey(file);
    expect(await survey(named('ferry.log', long))).toEqual(first);
    const parts = await collected(textsOf(file));
    expect([parts.length, parts.join('') === long, first.parts]).toEqual([first.parts, true, 5]);
    const others = [await survey(named('other.log', long)), await survey(named('ferry.log', `${long}.`))];
    const keys = [first, ...others].flatMap(({ digest }) =>
      [1, 2].flatMap((part) => ['a', 'b'].map((namespace) => keyOf(digest, part, namespace))),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  });
});
