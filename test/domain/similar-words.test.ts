import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareWord, isOneEdit, similarTo } from '../../src/domain/similar-words.js';
import { WordList } from '../../src/domain/word-list.js';

/** Of a word without accents. A word that has other letters is not compared. */
function similarity(word: string, other: string): number {
  const found: number[] = [];
  const words = new WordList();
  words.add(other, other);
  words.eachSimilar(word, (_, share) => found.push(share));
  const [share = 0] = found;
  expect([word, other, similarTo(word).shareOf(other)]).toEqual([word, other, share]);
  return share;
}

describe('similar words', () => {
  // @covers SEARCH-TYPO
  it.each([
    ['lisobn', 'lisbon'],
    ['lisbn', 'lisbon'],
    ['lisboon', 'lisbon'],
    ['lusbon', 'lisbon'],
    ['celo', 'cello'],
    ['ilsbon'.repeat(2), 'lisbon'.concat('ilsbon')],
  ])('%s is %s with one mistake', (word, other) => {
    expect(isOneEdit(word, other)).toBe(true);
    expect(similarity(word, other)).toBeGreaterThan(0.5);
  });

  // @covers SEARCH-TYPO
  it.each([
    ['lisbno', 'lisobn'],
    ['lsibno', 'lisbon'],
    ['cat', 'cut'],
    ['boat', 'coat'],
    ['house', 'mouse'],
    ['lisbonese', 'lisbon'],
  ])('%s and %s differ in more', (word, other) => {
    expect(isOneEdit(word, other)).toBe(false);
  });

  // @covers SEARCH-TYPO SEARCH-SCRIPTS
  it('have another ending, are parts of compounds, or are written without accents', () => {
    for (const [word, other] of [
      ['schiff', 'schifffahrt'],
      ['donau', 'donauschifffahrt'],
      ['fahrrad', 'fahrradgeschäft'],
      ['collina', 'colline'],
      ['гроза', 'грозы'],
      ['سقف', 'السقف'],
      ['गुझिये', 'गुझिया'],
      ['kirschbäume', 'kirschbaum'],
    ] as const) {
      const share = similarity(bareWord(word), bareWord(other));
      expect([word, share > 0, share < 1]).toEqual([word, true, true]);
    }
    expect(similarity(bareWord('peche'), bareWord('pêche'))).toBe(similarity(bareWord('ma'), bareWord('mã')));
    expect(bareWord('й')).toBe('й');
    for (const [word, other] of [
      ['art', 'start'],
      ['team', 'steamer'],
      ['xyzzy', 'fizzy'],
      ['on', 'once'],
      ['北京', '南京'],
    ] as const) {
      expect([word, similarity(word, other)]).toEqual([word, 0]);
    }
  });

  // @covers SEARCH-TYPO
  it('are found with letters of any script', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz', 'ß', 'ø', 'й', 'ж', 'λ', 'س', 'ग');
    const ending = fc.string({ unit: letter, minLength: 1, maxLength: 3 });
    const word = fc.string({ unit: letter, minLength: 8, maxLength: 12 });
    fc.assert(
      fc.property(word, ending, ending, letter, fc.nat({ max: 7 }), (base, one, other, wrong, at) => {
        const alike = [
          [base + one, base + other],
          [base, one + base],
          [base + one, base],
          [base, base.slice(0, at) + wrong + base.slice(at + 1)],
          [base, base.slice(0, at) + wrong + base.slice(at)],
          [base, base.slice(0, at) + base.slice(at + 1)],
        ] as const;
        for (const [a, b] of alike) expect([a, b, similarity(bareWord(a), b) > 0]).toEqual([a, b, true]);
      }),
    );
  });
});

describe('a list of words', () => {
  it('finds what is found without looking at letters, each word once, however many there are', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdeé'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3000, size: 'max' }), word, (some, asked) => {
        const list = new WordList();
        for (const one of [...some, ...some]) list.add(one, bareWord(one));
        const { shareOf } = similarTo(bareWord(asked));
        const expected = [...new Set(some)].map((one) => [one, shareOf(bareWord(one))] as const);
        const found: (readonly [string, number])[] = [];
        list.eachSimilar(bareWord(asked), (one, share) => found.push([one, share]));
        expect(list.size).toBe(expected.length);
        expect(found).toEqual(expected.filter(([, share]) => share > 0));
      }),
      { numRuns: 50 },
    );
  });
});
