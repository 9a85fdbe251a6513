import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCheckpoint } from '../../src/tlog/note-writer.js';
import { parseCheckpoint } from '../../src/verifier/checkpoint.js';
import { Unreadable } from '../../src/verifier/unreadable.js';

const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';

describe('checkpoints (C2SP tlog-checkpoint)', () => {
  it('are read as they were written', () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'));
    const checkpoints = fc.record({
      origin: line,
      size: fc.maxSafeNat(),
      root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      extensions: fc.array(line, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(checkpoints, (checkpoint) => {
        expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
      }),
    );
  });

  it('are three lines, and those that a log adds', () => {
    const read = parseCheckpoint(`example.com/behind-the-sofa\n20852163\n${root}\nmore\n`);
    expect(read).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163, extensions: ['more'] });
    expect(Buffer.from(read.root).toString('base64')).toBe(root);
    expect(parseCheckpoint(`o\n0\n${root}\n`)).toMatchObject({ size: 0, extensions: [] });
  });

  it('are not written where they could not be read', () => {
    const checkpoint = { origin: 'o', size: 1, root: new Uint8Array(32), extensions: [] };
    for (const wrong of [
      { origin: '' },
      { size: -1 },
      { size: 2 ** 53 },
      { root: new Uint8Array(31) },
      { extensions: [''] },
    ]) {
      expect(() => formatCheckpoint({ ...checkpoint, ...wrong })).toThrow(Unreadable);
    }
  });

  it.each([
    '',
    '\n',
    'o\n1\n',
    `o\n1\n${root}`,
    `\n1\n${root}\n`,
    `o\n\n${root}\n`,
    `o\n1\n\n`,
    `o\n1\n${root}\n\n`,
    `o\n1\n${root}\n\nmore\n`,
    ...['01', '+1', '-1', '1.0', '1e3', ' 1', '1 ', '0x1', '٣', '9007199254740992', '18446744073709551615'].map(
      (size) => `o\n${size}\n${root}\n`,
    ),
    `o\n1\n${root.slice(0, -1)}\n`,
    `o\n1\n${root}=\n`,
    'o\n1\nAAAA\n',
    `o\n1\n${root.replace('I=', 'J=')}\n`,
  ])('are not %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(Unreadable);
  });
});
