import fc from 'fast-check';
import { expect, it } from 'vitest';
import { modelKey, spaceOf, termOf } from '../../../projections/search/blocks.js';
import { bucketOf, firstKey, keyAt, placeIn, placeOf, restIn, restOf } from '../../../projections/search/buckets.js';
import { seedOf, spaceKey } from '../../../projections/search/encoded.js';
import { decimal, textHash, utf8 } from '../../../projections/search/text-hash.js';
import { first, second, useSearchStore } from '../../search/store.js';

const store = useSearchStore();
const word = fc.nat({ max: 2 ** 32 - 1 });
const texts = fc.array(
  fc.record({
    text: fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('\0', '0')),
    seed: fc.record({ high: fc.oneof(fc.constant(0), word), low: fc.oneof(fc.constant(0), word) }),
  }),
  { minLength: 1, maxLength: 200 },
);

it('hashes texts as PostgreSQL does, with every seed and length', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (some) => {
      const rows = await store.transaction((tx) =>
        tx.query<{ hash: string }>(
          'select hashtextextended(text, seed)::text as hash from unnest($1::text[], $2::bigint[]) with ordinality t(text, seed, n) order by n',
          [some.map(({ text }) => text), some.map(({ seed }) => decimal(seed))],
        ),
      );
      expect(some.map(({ text, seed }) => decimal(textHash(utf8(text), seed)))).toEqual(rows.map(({ hash }) => hash));
    }),
    { numRuns: 25 },
  );
});

it('makes the keys of words and vectors that the statements of a search ask for', async () => {
  const words = Array.from({ length: 500 }, (_, i) => `wört ${i}`);
  const model = modelKey('local', 256);
  for (const namespace of [first, second]) {
    const rows = await store.transaction((tx) =>
      tx.query<{ term: string; bucket: string; space: string }>(
        `select term::text, ${bucketOf('term', '$1::uuid')}::text as bucket, ${spaceOf('$3::text', '$1::uuid')}::text as space
           from (select n, ${termOf('word', '$1::uuid')} as term from unnest($2::text[]) with ordinality w(word, n)) t order by n`,
        [namespace, words, model],
      ),
    );
    const seed = seedOf(namespace);
    for (const [i, { term, bucket, space }] of rows.entries()) {
      const hash = textHash(utf8(words[i] ?? ''), seed);
      expect([decimal(hash), keyAt(firstKey(seed), placeIn(hash)), spaceKey(namespace, model)]).toEqual([
        term,
        bucket,
        space,
      ]);
      expect([placeIn(hash), restIn(hash)]).toEqual([placeOf(term), restOf(term)]);
    }
  }
});
