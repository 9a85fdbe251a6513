import { describe, expect, it, test } from 'vitest';
import { hasWords, indexedText, searchWords, shownWord, webQueryText } from '../../src/domain/search-text.js';
import { bareWord, isOneEdit, similarTo } from '../../src/domain/similar-words.js';

const tokens = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const similarity = (word: string, other: string) => similarTo(word)(other);
const asked = (query: string) => searchWords(query).map(({ word }) => word);

describe('texts for the index', () => {
  // @covers SEARCH-SCRIPTS
  it.each([
    ['北京市', ['北京', '京市']],
    ['서울에서는', ['서울', '울에', '에서', '서는']],
    ['コーヒー', ['コー', 'ーヒ', 'ヒー']],
    ['ข้าวผัด', ['ข้าว', 'ผัด']],
  ])('divide %s into words', (text, words) => {
    expect(tokens(indexedText(text))).toEqual(words);
    expect(asked(text)).toEqual(words);
  });

  // @covers SEARCH-SCRIPTS
  it('keep characters that are words, after the text, so that phrases stay adjacent', () => {
    expect(tokens(indexedText('我爱猫'))).toEqual(['我爱', '爱猫', '我', '爱', '猫']);
    expect(asked('我爱猫')).toEqual(['我爱', '爱猫']);
    expect(tokens(indexedText('물을 마셨다'))[0]).toBe('물을');
    expect(tokens(indexedText('물을'))).toContain('물');
    expect(asked('물')).toEqual(['물']);
  });

  // @covers SEARCH-NUMBERS
  it.each([
    ['1,250 euros', '1250 euros'],
    ["1'250'000 francs", '1250000 francs'],
    ['23,600元', '23600 元'],
    ['1.250', '1.250 1250'],
    ['3.14', '3.14'],
    ['12,5', '12,5'],
    ['1,2,3', '1,2,3'],
    ['v1.2.345', 'v1.2.345'],
    ['2023-05-07', '2023 05 07'],
    ['LH-456', 'LH 456'],
    ['-456', '-456'],
    ['١٢٣٤ ۵۶۷ १२३ ๑๒๓', '1234 567 123 123'],
  ])('write %s as %s', (text, written) => {
    expect(indexedText(text).trim().replace(/\s+/g, ' ')).toBe(written);
  });

  // @covers SEARCH-CODES
  it('find codes that are written in another way', () => {
    expect(asked('LH456')).toEqual(['lh456', 'lh', '456']);
    expect(searchWords('LH456').map(({ share }) => share < 1)).toEqual([false, true, true]);
    expect(asked('LH 456')).toEqual(['lh', '456', 'lh456']);
    expect(asked('LH-456')).toEqual(['lh', '456', 'lh456']);
  });

  // @covers SEARCH-EMOJI
  it('have emoji as words, in one form', () => {
    const [heart] = tokens(indexedText('❤️'));
    expect(heart).toMatch(/^emo[0-9a-f]+$/);
    expect(asked('❤')).toEqual([heart]);
    expect(asked('👩🏽‍🚀')).toEqual(asked('👩‍🚀'));
    expect(asked('🇩🇪')).not.toEqual(asked('🇫🇷'));
    for (const emoji of ['🎂', '❤', '🇩🇪']) expect(asked(emoji).map(shownWord)).toEqual([emoji]);
    expect(['cake', 'emo', 'emoffffff', 'emo1f'].map(shownWord)).toEqual(['cake', 'emo', 'emoffffff', 'emo1f']);
    expect(tokens(indexedText('I ate 🎂🎂.'))).toHaveLength(5);
  });

  // @covers SEARCH-SCRIPTS
  it('have one form of Arabic words', () => {
    for (const word of ['الكتاب', 'والكتاب', 'كتابها', 'كِتَاب', 'للكتاب']) {
      expect(tokens(indexedText(word))).toEqual(['كتاب']);
    }
    expect(indexedText('سقف\u200cها')).toBe(indexedText('سقف ها'));
  });

  it('stay as they are if they have nothing of that', () => {
    const plain = 'The heron stands (e.g. at 35 m), e-mail a@b.org: «naïve» 3.5% ½.';
    expect(indexedText(plain)).toBe(plain.normalize('NFKC'));
    expect(webQueryText('"a b" or -c')).toBe('"a b" or -c');
  });
});

// @covers SEARCH-NOTHING
test('punctuation and invisible characters are no words', () => {
  for (const text of ['?', '…', '\u200b', ' - ', '«»', '\u{1f3fb}', '٫']) {
    expect([text, hasWords(text), asked(text)]).toEqual([text, false, []]);
  }
  for (const text of ['a', '7', '🎂', '北', 'ß']) expect(hasWords(text)).toBe(true);
});

// @covers LIST-Q
test.each([
  ['北京市', '"北京 京市"'],
  ['京', '京'],
  ['-北京市', '-"北京 京市"'],
  ['"北京市 天" or tram', '" 北京 京市 天 " or tram'],
  ['(-🎂)', '(-emo1f382 )'],
  ['1,250', '1250'],
  ['-456', '-456'],
  ['ข้าวผัด', '"ข้าว ผัด"'],
])('the query %s of a list is %s', (query, written) => {
  expect(webQueryText(query).trim().replace(/\s+/g, ' ')).toBe(written);
});

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
