import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { sourceOf } from '../../src/api/ingest/import-source.js';

const fields = {
  content: undefined,
  source: undefined,
  namespace: undefined,
  metadata: undefined,
  playground: undefined,
};
const others = { approval_id: undefined, content_type: undefined, url: undefined };

/** The text of the file, or the code of the refusal. */
function read(data_base64: string): string {
  try {
    const source = sourceOf({ ...fields, ...others, kind: 'file', filename: 'a.txt', data_base64 });
    return source.kind === 'file' ? Buffer.from(source.bytes).toString() : source.kind;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('the base64 of an import', () => {
  const text = 'The 28 tram runs from Martim Moniz to Campo Ourique. '.repeat(4);
  const plain = Buffer.from(text).toString('base64');
  const inLines = (length: number, end: string) => plain.replace(new RegExp(`.{${length}}`, 'g'), `$&${end}`);

  // @covers IMPORT-BASE64-LINES
  it('may have line breaks, as programs write them', () => {
    const accepted = [
      plain,
      inLines(76, '\n'),
      inLines(76, '\r\n'),
      inLines(64, '\n'),
      `${plain}\n`,
      `${inLines(76, '\r\n')}\r\n`,
    ];
    expect(accepted.map(read)).toEqual(accepted.map(() => text));
    expect([read('YQ=='), read('YQ==\n'), read('')]).toEqual(['a', 'a', '']);
  });

  // @covers IMPORT-BASE64-LINES
  it.each([
    ['no padding', 'YQ='],
    ['a bit that is not of a byte', 'YR=='],
    ['a space', 'Y Q=='],
    ['a character behind it', 'YQ==x'],
    ['a letter that is not of ASCII', `${plain}\u010a`],
    ['a line break within four characters', 'Y\nQ=='],
    ['a tab between lines', inLines(76, '\t')],
    ['lines without end', 'AAAA\n'.repeat(100)],
    ['empty lines behind it', `${plain}\n\n\n\n`],
  ])('is refused with %s', (_name, data) => {
    expect(read(data)).toBe('invalid_file');
  });
});
