import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdfText } from '../../../src/adapters/extract/pdf-text.js';
import { expectations, pdfCorpus, pdfFolder } from '../../corpus/make/pdf.js';
import { type Read, wrongWith } from '../../corpus/pdf-reading.js';
import { isAsExpected, scoreOf } from '../../corpus/pdf-score.js';

describe('the corpus of PDFs', () => {
  const corpus = pdfCorpus();

  it('is what its script makes, byte for byte', () => {
    const files = readdirSync(pdfFolder).sort();
    expect(files).toEqual([...corpus.map(({ name }) => `${name}.pdf`), 'expected.json'].sort());
    const changed = corpus.filter(({ name, bytes }) => !readFileSync(join(pdfFolder, `${name}.pdf`)).equals(bytes));
    expect(changed.map(({ name }) => name)).toEqual([]);
    expect(readFileSync(join(pdfFolder, 'expected.json'), 'utf8')).toBe(expectations(corpus));
  });

  it.each(corpus)('$name is read', async ({ bytes, expected }) => {
    const read: Read = await pdfText(bytes, 1_048_576).catch((error: Error) => ({ unreadable: error.message }));
    expect(wrongWith(bytes, expected, read)).toBeNull();
  });
});

describe('the score of a text', () => {
  it('counts words, neighbours and glued words', () => {
    expect(scoreOf('a total of 4,711.02 EAST', 'of a total 4,711.02EAST')).toEqual({
      expected: 5,
      kept: 3,
      read: 4,
      pairs: 4,
      pairsMatched: 1,
      glued: 1,
    });
    expect(scoreOf('no no no', 'no no')).toMatchObject({ kept: 2, pairsMatched: 1, glued: 0 });
  });

  it.each([
    ['cells', 'a\tb\n\nc d', 'a \tb\nc d\n', true],
    ['cells', 'a\tb', 'a b', false],
    ['words', 'a\tb\nc', 'a b c', true],
    ['words', 'a b', 'b a', false],
    ['bag', 'a b', 'b a', true],
    ['bag', 'a b', 'b a b', false],
    ['kept', 'a b', '- b\n- a', true],
    ['kept', 'a b', 'a b ab', false],
  ] as const)('compares %s: %j with %j', (compare, expected, read, same) =>
    expect(isAsExpected(expected, read, compare)).toBe(same));
});
