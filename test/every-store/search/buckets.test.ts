import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedEntries, postingBits, termOf } from '../../../projections/search/blocks.js';
import {
  bucketOf,
  buckets,
  countPostings,
  firstOf,
  lastBucket,
  lengthOf,
  lengthsBucket,
  lengthsOf,
  placeOf,
  postingOf,
  postingsInto,
  postingWidth,
  restOf,
} from '../../../projections/search/buckets.js';
import { first, second, useSearchStore } from '../../search/store.js';

const store = useSearchStore();
const blockSize = 2 ** postingBits;

interface Posting {
  readonly seq: number;
  readonly word: string;
  readonly frequency: number;
  readonly length: number;
}

const posting: fc.Arbitrary<Posting> = fc.record({
  seq: fc.nat({ max: 3 * blockSize - 1 }),
  // Quotes, emoji, words of other scripts and long words. PostgreSQL stores no zero character.
  word: fc
    .oneof(fc.constantFrom('the', 'of', 'a'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }))
    .map((word) => word.replaceAll('\0', '0')),
  frequency: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10_000_000 })),
  length: fc.nat({ max: 2 ** 40 }),
});

describe('postings in buckets', () => {
  it('read in Node are those that the database wrote, in any order and number', async () => {
    const lists = fc.uniqueArray(posting, { selector: ({ seq, word }) => `${seq} ${word}`, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(lists, async (postings) => {
        const { terms, entries } = await written(postings);
        for (const [word, term] of terms) {
          const expected = postings
            .filter((one) => one.word === word)
            .map(({ seq, frequency }) => [seq % blockSize, Math.min(frequency, 65_535)])
            .sort(([a = 0, x = 0], [b = 0, y = 0]) => a - b || x - y);
          const count = countPostings(entries, restOf(term));
          const { offsets, frequencies } = read(entries, term, count);
          expect(Array.from(offsets, (offset, i) => [offset, frequencies[i]])).toEqual(expected);
          expect(count).toBe(expected.length);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('are in a bucket of their namespace, and the lengths in the last one', async () => {
    const rows = await store.transaction((tx) =>
      tx.query<{ term: string; bucket: string; first: string; last: string; other: string }>(
        `select term::text, ${bucketOf('term', '$1::uuid')}::text as bucket, ${firstOf(bucketOf('term', '$1::uuid'))}::text as first,
                ${lastBucket('$1::uuid')}::text as last, ${firstOf(lastBucket('$2::uuid'))}::text as other
           from (select ${termOf("'w' || i", '$1::uuid')} as term from generate_series(1, 5000) i) w`,
        [first, second],
      ),
    );
    expect(new Set(rows.map(({ bucket }) => bucket)).size).toBe(buckets);
    expect(new Set(rows.map((row) => row.first)).size).toBe(1);
    expect(rows.filter((row) => BigInt(row.bucket) - BigInt(row.first) !== BigInt(placeOf(row.term)))).toEqual([]);
    expect(rows.filter((row) => lengthsBucket(row.bucket) !== row.last || row.other === row.first)).toEqual([]);
  });

  it('keep the lengths of documents up to the largest', async () => {
    const lengths = [0, 1, 65_536, 2 ** 24, 2 ** 40];
    const [row] = await store.transaction((tx) =>
      tx.query<{ entries: Uint8Array }>(
        `select string_agg(${lengthOf('seq', 'length')}, ''::bytea order by seq) as entries
           from unnest($1::bigint[], $2::bigint[]) d(seq, length)`,
        [lengths.map((_, i) => blockSize + 2 * i), lengths],
      ),
    );
    const read = lengthsOf(Buffer.from(row?.entries ?? []));
    expect(lengths.map((_, i) => read[2 * i])).toEqual(lengths);
    expect(read[1]).toBe(0);
  });

  it('of an empty or a damaged row are as many as are whole', () => {
    expect(countPostings(Buffer.alloc(0), 1)).toBe(0);
    expect(countPostings(Buffer.alloc(postingWidth + 3), 0)).toBe(1);
    expect(lengthsOf(Buffer.alloc(3))).toHaveLength(blockSize);
  });
});

/** One list of all these postings, half of them merged into the rest as a later write does. */
/** The postings behind one that is there already. */
function read(entries: Buffer, term: string, count: number) {
  const into = { offsets: new Uint8Array(count + 1), frequencies: new Uint16Array(count + 1) };
  expect(postingsInto(into, 1, entries, restOf(term))).toBe(count + 1);
  return { offsets: into.offsets.subarray(1), frequencies: into.frequencies.subarray(1) };
}

async function written(postings: readonly Posting[]) {
  const half = Math.floor(postings.length / 2);
  const listOf = (some: string) =>
    `(select coalesce(string_agg(entry, ''::bytea order by entry), '') from entries where i ${some} ${half})`;
  const [row] = await store.transaction((tx) =>
    tx.query<{ terms: string[]; entries: Uint8Array }>(
      `with words as (
         select i, seq, frequency, ${termOf('word', '$1::uuid')} as term
           from unnest($2::bigint[], $3::text[], $4::bigint[]) with ordinality p(seq, word, frequency, i)),
       entries as (select i, ${postingOf('term', 'seq', 'frequency')} as entry from words),
       lists as (select ${listOf('<=')} as stored, ${listOf('>')} as added)
       select (select coalesce(array_agg(term::text order by i), '{}') from words) as terms,
              ${mergedEntries('stored', 'added', postingWidth)} as entries from lists`,
      [first, postings.map(({ seq }) => seq), postings.map(({ word }) => word), postings.map((one) => one.frequency)],
    ),
  );
  const terms = new Map(postings.map(({ word }, i) => [word, row?.terms[i] ?? '']));
  return { terms, entries: Buffer.from(row?.entries ?? []) };
}
