import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { excerptOf } from '../../src/base/excerpt.js';
import { chunk } from '../../src/domain/prepared.js';
import { tokensOfText } from '../../src/domain/tokens/cut.js';
import { preparedText } from '../../src/domain/tokens/text.js';
import { pieces, plainForm, wordsOf } from '../../src/domain/words.js';

const text = fc.string({ unit: 'grapheme', maxLength: 3000 });

const separator = fc.constantFrom(' ', '. ', '\n', '');

describe('chunking', () => {
  // @covers CHUNK-WHOLE
  it('leaves no character out, keeps the order, and ends', () => {
    fc.assert(
      // Every word is numbered, so that a chunk can be found in only one place.
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 800 }),
        separator,
        (words, by) => {
          const given = words.map((word, i) => `${word}${i}`).join(by);
          const chunks = chunk(given);
          expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, i) => i));
          let covered = 0;
          let from = 0;
          for (const { text: piece } of chunks) {
            const at = given.indexOf(piece, from);
            expect(at).toBeGreaterThanOrEqual(0);
            expect(at).toBeLessThanOrEqual(covered);
            covered = Math.max(covered, at + piece.length);
            from = at + 1;
          }
          expect(covered).toBe(given.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  // @covers CHUNK-SIZE
  it('ends chunks where sentences end, and is about 800 characters long', () => {
    const sentence = 'The ferry to the island leaves at nine in the morning. ';
    const chunks = chunk(sentence.repeat(60));
    for (const { text: piece } of chunks.slice(0, -1)) {
      expect(piece.trimEnd().endsWith('.')).toBe(true);
      expect(piece.length).toBeGreaterThan(500);
      expect(piece.length).toBeLessThanOrEqual(800);
    }
  });
});

/** Each has stopped the service for seconds or minutes. */
const longTexts: readonly (readonly [string, string])[] = [
  ['Chinese prose', '北京市的天气今天很好，我们决定去公园散步。'.repeat(16_000)],
  ['Thai', 'ภาษาไทยเป็นภาษาที่เขียนโดยไม่มีช่องว่างระหว่างคำ'.repeat(7000)],
  ['English with one Chinese character', `${'The heron is in the shallows. '.repeat(30_000)}天`],
  ['line ends', '\n'.repeat(1_000_000)],
  ['short lines', 'var a=function(e,t){return e?t:!0};\n'.repeat(28_000)],
  ['letters', 'a'.repeat(1_000_000)],
  ['marks in no canonical order', 'a\u0334\u0316\u0301'.repeat(130_000).replaceAll('a', '\u0316')],
  ['one character for 18', 'ﷺ'.repeat(340_000)],
  ['emoji', '😀🇩🇪'.repeat(80_000)],
  ['Arabic endings', 'ان'.repeat(250_000)],
  ['numbers', '1,234'.repeat(200_000)],
  ['one emoji joined to itself', '👩\u200d'.repeat(170_000)],
];

describe.each(longTexts)('a long text of %s', (_, long) => {
  it('takes time in proportion to its length', () => {
    const from = performance.now();
    const { prose, after } = preparedText(long);
    expect(prose.length + after.length).toBeLessThan(5 * long.length + 5000);
    expect(chunk(long).length).toBeLessThan(long.length / 500);
    expect(excerptOf(long, 300).length).toBeLessThan(700);
    expect([...wordsOf(long.slice(0, 2000))].length).toBeLessThan(2000);
    // Each takes a second or two on two busy cores, and took from 20 s to minutes as a whole.
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});

describe('text cut into pieces', () => {
  const languages = [
    '北京市的天气今天很好，我们决定去公园散步。他说：“明天再来吧！”约3,500人参加；地点：上海。',
    '今日は天気がいいから、公園を散歩しましょう。ｶﾞｷﾞ。「はい」と言った。',
    'ภาษาไทยเป็นภาษาที่เขียนโดยไม่มีช่องว่างระหว่างคำ และเป็นภาษาราชการของประเทศไทย ',
    'The heron stands (e.g. at 3,500 m) in the shallows. Is it so? “Yes,” she said. ',
    'naïve café e\u0301 ½ ﬁn ①. ',
    'LH456, a@b.org\n',
  ];
  const prose = Array.from({ length: 400 }, (_, i) => languages[((i * 7919) >> 3) % languages.length]).join('');

  it('is put together again as it was', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect([...pieces(given.repeat(3))].join('')).toBe(given.repeat(3));
      }),
    );
    for (const [, long] of longTexts) expect([...pieces(long)].join('') === long).toBe(true);
  });

  it('has the words and the normal form of the whole text', () => {
    const whole = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(prose.normalize('NFKC').toLowerCase());
    expect(plainForm(prose) === prose.normalize('NFKC')).toBe(true);
    const likeWords = Array.from(whole).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
    expect([...wordsOf(prose)].join(' ') === likeWords.join(' ')).toBe(true);
  });

  it('has the words that the segmenter finds in the whole, in ASCII too', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
    const likeWords = (given: string) =>
      Array.from(segmenter.segment(given)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
    const char = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      fc.constantFrom('a', 'b', '7', ' ', ' ', '\n', '\t', "'", '.', ',', '_', ':', 'é', '\u00a0', '\u0301'),
    );
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 400 }), (given) => {
        const lower = given.normalize('NFKC').toLowerCase();
        expect([...wordsOf(given)]).toEqual(likeWords(lower));
      }),
      { numRuns: 2000 },
    );
  });

  it('has chunks that end where the sentences of the whole end', () => {
    const ends = new Set([prose.length]);
    for (const { index } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(prose)) ends.add(index);
    let from = 0;
    for (const { text: piece } of chunk(prose)) {
      from = prose.indexOf(piece, from);
      expect(ends.has(from + piece.length)).toBe(true);
    }
  });
});

describe('excerpts', () => {
  // @covers SUM-EXCERPT-GRAPHEME
  it('never cut a grapheme cluster and say when something was cut', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(excerptOf('short', 300)).toBe('short');
    expect(excerptOf(family.repeat(50), 10)).toBe(`${family}…`);
    fc.assert(
      fc.property(text, (given) => {
        const excerpt = excerptOf(given, 50);
        expect(excerpt.isWellFormed()).toBe(true);
        expect([...excerpt].length).toBeLessThanOrEqual(51);
        expect(given.startsWith(excerpt.replace(/…$/, ''))).toBe(true);
      }),
    );
  });
});

describe('words', () => {
  it('parts scripts that are written without spaces, and leaves others alone', () => {
    expect([...tokensOfText('I live here')].map(({ text }) => text)).toEqual(['i', 'live', 'here']);
    expect([...tokensOfText('東京に住んでいます')].length).toBeGreaterThan(2);
    expect([...wordsOf('東京に住んでいる')].length).toBeGreaterThan(1);
    expect([...wordsOf('Café CAFÉ, naïve!')]).toEqual(['café', 'café', 'naïve']);
    expect([...wordsOf('?!… —')]).toEqual([]);
  });
});

describe('the built-in embedder', () => {
  const embedder = lexicalEmbedder();
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
    (a ?? new Float32Array()).reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0);

  it('gives every text a vector of length 1, the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const [vector, again] = await embedder.documents([given, given]);
        expect(vector).toEqual(again);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }),
      { numRuns: 100 },
    );
  });

  it('brings inflected, misspelt and compounded words near, and unrelated texts not', async () => {
    const [base, inflected, misspelt, unrelated] = await embedder.documents([
      'she photographs mountains',
      'she photographed a mountain',
      'she fotographs mountians',
      'invoices were paid on tuesday',
    ]);
    expect(cosine(base, inflected)).toBeGreaterThan(0.5);
    expect(cosine(base, misspelt)).toBeGreaterThan(0.4);
    expect(cosine(base, unrelated)).toBeLessThan(0.2);
  });
});
