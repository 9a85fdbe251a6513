import { describe, expect, it } from 'vitest';
import { emailAddress } from '../../contracts/members.js';
import { shortName } from '../../contracts/short-name.js';

const read = (name: string) => shortName.safeParse(name).data ?? null;

describe('names that people choose', () => {
  // @covers NAME-VISIBLE
  it('have one spelling', () => {
    expect(read('Cafe\u0301')).toBe('Caf\u00e9');
    expect(read('  work ')).toBe('work');
  });

  // @covers NAME-VISIBLE
  it.each([
    ['a right-to-left override', 'ab\u202Edc'],
    ['an isolate', 'a\u2066b'],
    ['a zero-width space', 'ad\u200Bmin'],
    ['a zero-width joiner between letters', 'ad\u200Dmin'],
    ['a byte order mark', 'a\uFEFFb'],
    ['a soft hyphen', 'ad\u00ADmin'],
    ['a line separator', 'a\u2028b'],
    ['an escape', 'a\u001B[2J'],
    ['a tag', 'a\u{E0041}b'],
  ])('are refused with %s', (_what, name) => {
    expect(read(name)).toBeNull();
  });

  // @covers NAME-VISIBLE
  it.each([
    '\u{1F469}\u200D\u{1F4BB} desk',
    '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
    '北京',
    'Ünïcode 1',
  ])('may be %s', (name) => {
    expect(read(name)).toBe(name.normalize('NFC'));
  });

  // @covers NAME-VISIBLE
  it('are not hidden in e-mail addresses either', () => {
    const isAddress = (text: string) => emailAddress.safeParse(text).success;
    expect(['a@example.org', 'jürgen@example.de', 'иван@почта.рф'].map(isAddress)).toEqual([true, true, true]);
    const hidden = ['a\u202Eb@example.org', 'a\u200Bb@example.org', 'a\u0007@example.org'];
    expect(hidden.map(isAddress)).toEqual([false, false, false]);
  });
});
