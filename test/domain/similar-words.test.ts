import { describe, expect, it } from 'vitest';
import { bareWord, isOneEdit, similarTo } from '../../src/domain/similar-words.js';

const similarity = (word: string, other: string) => similarTo(word)(other);

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
});
