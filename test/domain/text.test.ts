import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { chunk } from '../../src/domain/chunking.js';
import { excerptOf } from '../../src/domain/excerpt.js';
import { queryWords, segmentWords } from '../../src/domain/words.js';

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

describe('excerpts', () => {
  // @covers SUM-EXCERPT-GRAPHEME
  it('never cut a grapheme cluster and say when something was cut', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(excerptOf('short')).toBe('short');
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
    expect(segmentWords('I live here')).toBe('I live here');
    expect(segmentWords('東京に住んでいます').split(' ').length).toBeGreaterThan(2);
    expect(queryWords('東京に住んでいる').length).toBeGreaterThan(1);
    expect(queryWords('Café café CAFÉ, naïve!')).toEqual(['café', 'naïve']);
    expect(queryWords('?!… —')).toEqual([]);
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
    expect(cosine(base, unrelated)).toBeLessThan(embedder.floor);
  });
});
