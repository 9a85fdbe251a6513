import { describe, expect, it, test } from 'vitest';
import { tokensOfText } from '../../../src/domain/tokens/cut.js';
import { classesOf } from '../../../src/domain/tokens/query.js';
import { hasWords, preparedText, shownWord } from '../../../src/domain/tokens/text.js';

const words = (text: string) =>
  [...tokensOfText(text)].filter(({ counts, isWhole }) => counts && !isWhole).map(({ text }) => text);
const asked = (query: string) => classesOf(query).map(({ word }) => word);

describe('texts before they are cut', () => {
  // @covers SEARCH-SCRIPTS
  it.each([
    ['北京市', ['北京', '京市']],
    ['서울에서는', ['서울', '울에', '에서', '서는']],
    ['コーヒー', ['コー', 'ーヒ', 'ヒー']],
    ['ข้าวผัด', ['ข้าว', 'ผัด']],
  ])('divide %s into words', (text, expected) => {
    expect(words(text)).toEqual(expected);
    expect(asked(text)).toEqual(expected);
  });

  // @covers SEARCH-SCRIPTS
  it('keep characters that are words, after the text, so that phrases stay adjacent', () => {
    expect(words('我爱猫')).toEqual(['我爱', '爱猫', '我', '爱', '猫']);
    expect(asked('我爱猫')).toEqual(['我爱', '爱猫']);
    expect(words('물을 마셨다')[0]).toBe('물을');
    expect(words('물을')).toContain('물');
    expect(asked('물')).toEqual(['물']);
  });

  // @covers SEARCH-NUMBERS
  it.each([
    ['1,250 euros', '1250 euros'],
    ["1'250'000 francs", '1250000 francs'],
    ['23,600元', '23600 元'],
    ['3.14', '3.14'],
    ['12,5', '12,5'],
    ['1,2,3', '1,2,3'],
    ['v1.2.345', 'v1.2.345'],
    ['−456', '-456'],
    ['١٢٣٤ ۵۶۷ १२३ ๑๒๓', '1234 567 123 123'],
  ])('write %s as %s', (text, written) => {
    expect(preparedText(text).prose.trim().replace(/\s+/g, ' ')).toBe(written);
  });

  // @covers SEARCH-EMOJI
  it('have emoji as words, in one form', () => {
    const [heart] = words('❤️');
    expect(heart).toMatch(/^emo[0-9a-f]+$/);
    expect(asked('❤')).toEqual([heart]);
    expect(asked('👩🏽‍🚀')).toEqual(asked('👩‍🚀'));
    expect(asked('🇩🇪')).not.toEqual(asked('🇫🇷'));
    for (const emoji of ['🎂', '❤', '🇩🇪']) expect(asked(emoji).map(shownWord)).toEqual([emoji]);
    expect(['cake', 'emo', 'emoffffff', 'emo1f'].map(shownWord)).toEqual(['cake', 'emo', 'emoffffff', 'emo1f']);
    expect(words('I ate 🎂🎂.')).toHaveLength(4);
  });

  // @covers SEARCH-SCRIPTS
  it('have one form of Arabic words', () => {
    for (const word of ['الكتاب', 'والكتاب', 'كتابها', 'كِتَاب', 'للكتاب']) expect(words(word)).toEqual(['كتاب']);
    // The separate ending of a Persian plural says nothing.
    expect(words('سقف\u200cها')).toEqual(words('سقف'));
  });

  it('stay as they are if they have nothing of that', () => {
    const plain = 'The heron stands (e.g. at 35 m), e-mail a@b.org: «naïve» 3.5% ½.';
    expect(preparedText(plain)).toEqual({ prose: plain.normalize('NFKC'), after: '' });
  });
});

// @covers SEARCH-NOTHING
test('punctuation and invisible characters are no words', () => {
  for (const text of ['?', '…', '\u200b', ' - ', '«»', '\u{1f3fb}', '٫']) {
    expect([text, hasWords(text), asked(text)]).toEqual([text, false, []]);
  }
  for (const text of ['a', '7', '🎂', '北', 'ß']) expect(hasWords(text)).toBe(true);
});
