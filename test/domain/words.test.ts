import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordsOf } from '../../src/domain/words.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const segmented = (text: string): string[] =>
  Array.from(segmenter.segment(text.toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

it('the words of a text in ASCII are those of the segmenter, with any marks around and between them', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aBz09'), minLength: 1, maxLength: 4 });
  const marks = fc.string({ unit: fc.constantFrom(...'.,;:!?"\'()[]-_/@#$%&*+=<>~`^|{}\\'), maxLength: 3 });
  const text = fc.array(fc.tuple(marks, word, marks, fc.constantFrom('', ' ', '\n', '\t')), { maxLength: 12 });
  fc.assert(
    fc.property(text, (parts) => {
      const joined = parts.flat().join('');
      expect([...wordsOf(joined)]).toEqual(segmented(joined));
    }),
    { numRuns: 3000 },
  );
});

it('the words of prose are found without the marks at their ends', () => {
  const text = `He said: "Don't (ever) sell the 'old' boat!" In 3.14 days, at 10:30, [maybe]...`;
  expect([...wordsOf(text)]).toEqual(
    "he said don't ever sell the old boat in 3.14 days at 10:30 maybe".split(' ').flatMap((word) => segmented(word)),
  );
});
