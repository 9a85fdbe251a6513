import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Placed, tokensOfText } from '../../../src/domain/tokens/cut.js';

const shown = ({ text, mark }: Placed): string =>
  mark === 'form' ? `≈${text}` : mark === 'beginning' ? `${text}…` : text;
const cut = (text: string) => [...tokensOfText(text)];
/** The words in order, and the tokens beside them. */
const wordsOf = (text: string) =>
  cut(text)
    .filter(({ counts, stemmed, text }) => counts && (stemmed || !/[^\p{L}\p{M}\p{N}]/u.test(text)))
    .map(shown);
const besideOf = (text: string) => {
  const words = new Set(wordsOf(text));
  return cut(text)
    .map(shown)
    .filter((token) => !words.has(token));
};

describe('the cutter', () => {
  // @covers SEARCH-CODES
  it.each([
    ['/srv/quay/crane.conf,', 'srv quay crane conf', 'srv/quay/crane.conf srv/quay quay/crane crane.conf'],
    [
      'https://api.pier.example/v2/berths?id=4',
      'https api pier example v2 berths id 4',
      'api.pier.example/v2/berths api.pier pier.example example/v2 v2/berths ≈2',
    ],
    ['ana@pier.example', 'ana pier example', 'ana@pier.example ana@pier pier.example'],
    ['Next.js', 'next js', 'next.js ≈nextjs'],
    ['C++ / C#', '', 'c++ c#'],
    ['.NET', 'net', '.net'],
    ['R&D', '', 'r&d'],
    ['40GB/s', '40 gb', '40gb/s 40gb gb/s'],
    ['−12 °C', '12 c', '-12'],
    ['v16.4.2', '16', 'v16.4.2 16.4 16.4.2'],
    ['1.250', '1250', '1.250'],
    ['1,250', '1250', ''],
    ['tide_table', 'tide table', 'tide-table ≈tidetable'],
    ['sign-in', 'sign in', 'sign-in ≈signin'],
    ['keepAliveTimeout', 'keepalivetimeout', 'keep alive timeout'],
    ['XMLHttpRequest', 'xmlhttprequest', 'xml http request'],
    ['ABC-123', 'abc 123', 'abc-123 ≈abc123'],
    ['BX-100821', 'bx 100821', 'bx-100821 ≈bx100821 bx1008… bx10082…'],
    ['a94a8fe5ccb1', 'a94a8fe5ccb1', 'a94a8f… a94a8fe… a94a8fe5… a94a8fe5c… a94a8fe5cc… a94a8fe5ccb…'],
    ['café', 'café', '≈cafe'],
    ['Müller', 'müller', '≈muller ≈mueller'],
    ['Straße', 'straße', '≈strasse'],
    ['O’Brien’s', 'o brien s', '≈obrien'],
    ["don't", 'don t', ''],
    ['2.5kN', '2 kn', '2.5kn 2.5'],
    ['3rd', '3rd', ''],
    ['C:\\dir\\file.txt', 'dir file txt', 'c/dir/file.txt c/dir dir/file file.txt'],
    ['a..b--c', 'a b c', ''],
    ['U.S.A', '', 'u.s.a u.s s.a ≈usa'],
    ['İstanbul', 'istanbul', ''],
    ['北京市', '北京 京市', ''],
    ['一二-三', '一二 三', ''],
  ])('cuts %s', (text, words, beside) => {
    expect(wordsOf(text).join(' ')).toBe(words);
    expect(besideOf(text).join(' ')).toBe(beside);
  });

  it('gives a UUID as its 32 digits, and beginnings of them', () => {
    expect(wordsOf('550e8400-e29b-41d4-a716-446655440000')).toEqual(['550e8400e29b41d4a716446655440000']);
    expect(besideOf('550e8400-e29b-41d4-a716-446655440000')).toContain('550e8400e29b41d4…');
  });

  it('stems words of letters only, with their forms and the parts of a name', () => {
    const stemmed = cut('Runners v16 BX-1 keepAlive R&D naïves').filter((token) => token.stemmed);
    expect(stemmed.map(shown)).toEqual(['runners', 'bx', 'keepalive', 'keep', 'alive', 'naïves', '≈naives']);
  });

  it('counts words and wholes, and puts all else at the first word of its run', () => {
    expect(cut('see quay/crane now').map((token) => [shown(token), token.position, token.counts])).toEqual([
      ['see', 1, true],
      ['quay', 2, true],
      ['crane', 3, true],
      ['quay/crane', 2, true],
      ['now', 4, true],
    ]);
  });

  it('cuts runs of more than 32 atoms or 128 characters, and words after 64 characters', () => {
    const path = Array.from({ length: 40 }, () => 'p').join('/');
    expect(cut(path).filter(({ counts, text }) => counts && text.includes('/'))).toHaveLength(2);
    const longest = cut('x'.repeat(500)).map(({ text }) => text.length);
    expect(Math.max(...longest)).toBe(64);
  });

  it('gives at most about one token for each character of any text', () => {
    const signs = [
      'a',
      'ø',
      'å',
      'B',
      '7',
      '.',
      '-',
      '_',
      '/',
      '\\',
      '+',
      '#',
      '@',
      ':',
      '&',
      ' ',
      'é',
      '京',
      '’',
      '😀',
    ];
    const text = fc.array(fc.constantFrom(...signs), { maxLength: 300 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(cut(given).length).toBeLessThanOrEqual(2 * given.length + 16);
      }),
    );
  });

  it('gives the same tokens for a text in other compatibility forms, and without what is not seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(cut(text.normalize('NFD'))).toEqual(cut(text.normalize('NFC')));
      }),
    );
    expect(cut('crane\u00ad.\u200bconf\ufeff')).toEqual(cut('crane.conf'));
    expect(cut('sign\u2011in')).toEqual(cut('sign-in'));
  });
});
