import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListQuery, readListQuery } from '../../../src/domain/tokens/list-query.js';
import type { Token } from '../../../src/domain/tokens/word.js';

const named = ({ text, mark }: Token) => (mark === 'form' ? `≈${text}` : text);
/** A query in short: `a|b` any token, `<a b>` a phrase with a dot for each gap, `(a & b)`, `(a ; b)` and `!a`. */
function shown(query: ListQuery | null): string {
  if (!query) return '';
  if (query.kind === 'word') return query.tokens.map(named).join('|');
  if (query.kind === 'not') return `!${shown(query.part)}`;
  if (query.kind !== 'phrase') return `(${query.parts.map(shown).join(query.kind === 'all' ? ' & ' : ' ; ')})`;
  const words = query.words.map(
    ({ at, tokens }) => `${at}${tokens.map((one) => `${named(one)}:${one.weight}`).join('|')}`,
  );
  return `<${words.join(' ')}>${query.isStrict ? '!' : ''}`;
}
/** Without forms, which every word has. */
const read = (q: string) => shown(readListQuery(q).tree).replace(/\|≈[^:|;) >]*(?::D)?/g, '');

describe('q', () => {
  // @covers LIST-Q
  it.each([
    ['tram', 'tram'],
    ['tram train', '(tram & train)'],
    ['tram OR train', '(tram ; train)'],
    ['tram or train depot', '(tram ; (train & depot))'],
    ['"north quay"', '<0north:A 1quay:A>'],
    ['“north quay” crane', '(<0north:A 1quay:A> & crane)'],
    ['"north quay', '<0north:A 1quay:A>'],
    ['crane -quay', '(crane & !quay)'],
    ['-"north quay"', '!<0north:A 1quay:A>'],
    ['(-"north quay")', '!<0north:A 1quay:A>'],
    ['(tram OR train)', '(tram ; train)'],
    ['- quay', 'quay'],
    ['- "north quay"', '<0north:A 1quay:A>'],
    ['--quay', 'quay'],
    ['---quay', 'quay'],
    ['x-"north quay"', '(x & <0north:A 1quay:A>)'],
    ['OR tram', '(or & tram)'],
    ['tram OR', '(tram & or)'],
    ['tram OR OR train', '(tram ; (or & train))'],
    ['tram OR -train', '(tram ; !train)'],
    ['mode=fast', '<0mode:A 1fast:A>'],
    ['x,-y', '<0x:A 1y:A>'],
    ['-mode=fast', '!<0mode:A 1fast:A>'],
    ['a & b | !c', '(a & b & c)'],
    ['-456', '!456'],
    ['"-456"', '-456'],
    ['−456', '-456'],
    ['1,250', '1250'],
    ['北京市', '<0北京:A 1京市:A>'],
    ['-北京市', '!<0北京:A 1京市:A>'],
    ['京', '京'],
    ['ข้าวผัด', '<0ข้าว:A 1ผัด:A>'],
    ['(-🎂)', '!emo1f382'],
    ['sign-in', '(sign-in|signin ; <0sign:A 1in:A>)'],
    ['C++', 'c++'],
    ['"in C++ now"', '<0in:A 1c++:B 2now:A>'],
    ['LH 456', '((lh & 456) ; lh456)'],
    ['to (LH 456) OR LH 4', '((to & ((lh & 456) ; lh456)) ; ((lh & 4) ; lh4))'],
    ['-LH 456', '(!lh & 456)'],
    ['LH -456', '(lh & !456)'],
    ['LH OR 456', '(lh ; 456)'],
    ['LH "456"', '(lh & 456)'],
    ['"LH 456"', '<0lh:A 1456:A>'],
    ['LH456', 'lh456'],
    ['R&D', '(r&d ; <0r:A 1d:A>!)'],
    ['.NET', '.net'],
    ['"the .NET way"', '<0the:A 1.net:B 2way:A>'],
    ['v16.4', 'v16.4|16.4'],
    ['1.250', '(1.250 ; <01250:A>)'],
    ['x/quay/y', '(x/quay/y ; <0x:A 1quay:A 2y:A>! ; (x/quay & quay/y))'],
    ['./run.sh', '(run.sh ; <0run:A 1sh:A>)'],
    ['https://quay.example/a?id=4', '<0https:A 1quay.example/a:B 3id:A 44:A>'],
    ["O'Brien", '(<0o:A 1brien:A> ; ≈obrien|obrien)'],
    ['? ! - ""', ''],
    ['', ''],
  ])('%s', (q, expected) => {
    expect(read(q)).toBe(expected);
  });

  it('has the forms of each word', () => {
    expect(shown(readListQuery('Straße').tree)).toBe('straße|≈straße|strasse|≈strasse');
    expect(shown(readListQuery('"a Straße"').tree)).toContain('1straße:A|≈straße:D|strasse:A|≈strasse:D');
  });

  it('knows the words behind each OR, for a query of stop words alone', () => {
    expect(readListQuery('to be or not to be').phrases).toEqual([['to', 'be', 'or', 'not', 'to', 'be']]);
    expect(readListQuery('"to be" OR "not to" -be').phrases).toEqual([
      ['to', 'be'],
      ['not', 'to'],
    ]);
    expect(readListQuery('-the').phrases).toEqual([]);
  });

  // @covers LIST-Q-ANY
  it('takes any text, and gives no more than a few tokens for each character', () => {
    const part = fc.constantFrom(
      '"',
      '-',
      ' ',
      'OR',
      'a',
      'é',
      '.',
      '/',
      '(',
      '北',
      '🎂',
      '7',
      '’',
      '=',
      '\\',
      '&',
      '#',
    );
    const size = (query: ListQuery | null): number => {
      if (!query) return 0;
      if (query.kind === 'word') return query.tokens.length;
      if (query.kind === 'phrase') return query.words.reduce((sum, { tokens }) => sum + tokens.length, 0);
      return query.kind === 'not' ? size(query.part) : query.parts.reduce((sum, one) => sum + size(one), 0);
    };
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(part).map((all) => all.join('')),
        ),
        (q) => {
          expect(size(readListQuery(q).tree)).toBeLessThanOrEqual(12 * q.length + 20);
        },
      ),
    );
  });
});
