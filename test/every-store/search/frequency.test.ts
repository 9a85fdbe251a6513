import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frequenciesAt } from '../../../projections/search/frequency.js';
import type { PostingList } from '../../../projections/search/posting-list.js';
import type { Term } from '../../../projections/search/queries.js';

/** How often the documents of a namespace have a word, by their numbers. */
type Frequencies = ReadonlyMap<number, number>;

function listOf(frequencies: Frequencies): PostingList {
  const seqs = [...frequencies.keys()].sort((a, b) => a - b);
  const blocks = [...new Set(seqs.map((seq) => Math.floor(seq / 256)))];
  const before = (block: number) => seqs.filter((seq) => seq < 256 * block).length;
  return {
    blocks: Uint32Array.from(blocks),
    starts: Uint32Array.from([...blocks.map(before), seqs.length]),
    offsets: Uint8Array.from(seqs, (seq) => seq % 256),
    frequencies: Uint16Array.from(seqs, (seq) => frequencies.get(seq) ?? 0),
  };
}

const termOf = (term: string, namespace_id: string, frequencies: Frequencies): Term => ({
  term,
  namespace_id,
  word: term,
  lexeme: term,
  bucket: '0',
  documents: 1000,
  length: 10_000,
  idf: 1,
  frequency: frequencies.size,
  list: listOf(frequencies),
  lengths: new Map(),
  share: 1,
  isSimilar: false,
});

const [one, other] = ['one', 'other'] as const;
/** Of few blocks, or of more than there is room for at first. */
const seq = fc.oneof({ weight: 4, arbitrary: fc.nat(1500) }, fc.nat(60_000));
/** Both of words that few documents of a block have and of those that nearly all have. */
const frequencies = fc.oneof(
  fc.array(fc.tuple(seq, fc.integer({ min: 1, max: 9 })), { maxLength: 20 }),
  fc.array(fc.tuple(seq, fc.integer({ min: 1, max: 9 })), { minLength: 900, maxLength: 1200 }),
);

describe('how often memories have words', () => {
  test('is what the lists of the words say, however many memories and postings a block has', () => {
    const memories = fc.oneof(
      fc.array(fc.tuple(fc.constantFrom(one, other), seq), { maxLength: 60 }),
      fc.array(fc.tuple(fc.constantFrom(one, other), fc.nat(60_000)), { minLength: 150, maxLength: 200 }),
    );
    fc.assert(
      fc.property(frequencies, frequencies, memories, fc.boolean(), (ofFirst, ofSecond, some, withBlock) => {
        const [first, second] = [new Map(ofFirst), new Map(ofSecond)];
        const wholeBlock = withBlock ? Array.from({ length: 256 }, (_, i) => [one, 512 + i] as const) : [];
        const places = [...some, ...wholeBlock].map(([namespaceId, number]) => ({
          id: `${namespaceId} ${number}`,
          namespaceId,
          seq: number,
        }));
        const terms = [termOf('a', one, first), termOf('b', other, second)];
        const half = places.length >> 1;
        const found = frequenciesAt(terms, [places.slice(0, half + 3), places.slice(half)]);
        for (const [i, [namespaceId, own]] of (
          [
            [one, first],
            [other, second],
          ] as const
        ).entries()) {
          const term = terms[i];
          const expected = places.flatMap(({ id, namespaceId: its, seq: number }) => {
            const frequency = its === namespaceId ? own.get(number) : undefined;
            return frequency === undefined ? [] : [[id, frequency] as const];
          });
          expect(new Map(term && found(term))).toEqual(new Map(expected));
        }
      }),
      { numRuns: 100 },
    );
  });
});
