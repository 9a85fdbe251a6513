import { describe, expect, it } from 'vitest';
import { linesOf, longestLine } from '../../src/cli/lines.js';
import { receiptLine } from '../../src/cli/submit/receipt-line.js';

async function* chunksOf(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(content: string | Buffer, size = 1 << 16) {
  const lines = [];
  for await (const line of linesOf(chunksOf(Buffer.from(content), size), { line: 1, offset: 0 })) lines.push(line);
  return lines;
}

const texts = async (content: string | Buffer, size?: number) =>
  (await read(content, size)).map((line) => receiptLine(line));

describe('the lines of a file of receipts', () => {
  it('are found however the bytes arrive, with the offsets behind them', async () => {
    const content = '{"a":1}\n\n{"b":"ü"}\r\n  {"c":3}';
    for (const size of [1, 2, 3, 7, 100]) {
      const lines = await read(content, size);
      expect(lines.map(({ number, end }) => [number, end])).toEqual([
        [1, 8],
        [2, 9],
        [3, 21],
        [4, 30],
      ]);
      expect(lines.map(receiptLine)).toEqual([
        { number: 1, text: '{"a":1}' },
        null,
        { number: 3, text: '{"b":"ü"}' },
        { number: 4, text: '{"c":3}' },
      ]);
    }
  });

  it('are none of an empty file, and one of a file without a line feed at its end', async () => {
    expect(await read('')).toEqual([]);
    expect(await texts('{}')).toEqual([{ number: 1, text: '{}' }]);
    expect(await texts('\n\r\n \n')).toEqual([null, null, null]);
  });

  it('may begin with a byte order mark, which is only allowed there', async () => {
    expect(await texts('\ufeff{}\n\ufeff{}')).toMatchObject([{ text: '{}' }, { code: 'invalid_json', number: 2 }]);
  });

  it('are refused when they are not exactly one JSON object, and keep their spelling when they are', async () => {
    const wrong = ['{', '[]', '3', '{},{}', '{} {}', '"x"', 'null', '{"a":01}'];
    expect(await texts(wrong.join('\n'))).toMatchObject(wrong.map((text) => ({ text, code: 'invalid_json' })));
    const odd = '{"n": 1.50e3 , "s":"\\u0041"}';
    expect(await texts(odd)).toEqual([{ number: 1, text: odd }]);
    expect(await texts(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject([
      { code: 'invalid_json', message: 'The line is not valid UTF-8.' },
    ]);
  });

  it('are not held in memory when they are huge, and the lines after them are read', async () => {
    const huge = Buffer.concat([Buffer.alloc(3 * longestLine, 'x'), Buffer.from('\n{}\n')]);
    const lines = await read(huge);
    expect(lines.map(({ bytes, cut }) => [bytes.length, cut])).toEqual([
      [longestLine, true],
      [2, false],
    ]);
    expect(lines.map(receiptLine)).toMatchObject([{ code: 'receipt_too_large', cut: true }, { text: '{}' }]);
  });
});
