import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { createCursors } from '../../src/domain/cursor.js';

const position = '01a208cd-43dd-7fa0-ae7c-4dac5ec7ef2d';
const secret = randomBytes(32);
const cursors = createCursors(secret);
const sealed = cursors.seal('memories', { q: 'tea' }, position);

describe('cursors of lists', () => {
  it('open to the position, in every process with the same secret', () => {
    expect(createCursors(secret).open('memories', { q: 'tea' }, sealed)).toBe(position);
    expect(cursors.seal('memories', { q: 'tea' }, position)).toBe(sealed);
    expect(cursors.open('keys', [], cursors.seal('keys', [], 'é 北京'))).toBe('é 北京');
  });

  it('do not show the position', () => {
    const bytes = Buffer.from(sealed, 'base64url').toString('latin1');
    for (const part of position.split('-')) expect(bytes).not.toContain(part);
  });

  it('are refused for another list, other filters and another secret', () => {
    const refused = [
      () => cursors.open('receipts', { q: 'tea' }, sealed),
      () => cursors.open('memories', { q: 'coffee' }, sealed),
      () => createCursors(randomBytes(32)).open('memories', { q: 'tea' }, sealed),
    ];
    for (const open of refused) expect(open).toThrow(Refusal);
  });

  it('are refused when any of their bits differs, and when they are too short or no base64', () => {
    const bytes = Buffer.from(sealed, 'base64url');
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => cursors.open('memories', { q: 'tea' }, changed.toString('base64url'))).toThrow(Refusal);
    }
    for (const text of ['', 'AAAA', sealed.slice(0, 21), '\u0000', '=====']) {
      expect(() => cursors.open('memories', { q: 'tea' }, text)).toThrow(Refusal);
    }
  });
});
