import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDocuments, isLarge, type SearchDocument } from '../../../projections/search/index.js';
import { createLexicon } from '../../../projections/search/rebuild-words.js';
import { createRebuilding } from '../../../projections/search/rebuild-write.js';
import { document, first, id, namespaces, second, useSearchStore } from '../../search/store.js';

const store = useSearchStore();

/** Stop words, words with one stem, codes, paths, accents, other scripts, and a word more often than a tsvector can say. */
const pieces = [
  'the',
  'berth',
  'berths',
  'Berthing',
  'café',
  'Müller',
  'v16.4.2',
  '/srv/quay/crane.conf',
  'BX-100821',
  'keepAliveTimeout',
  'C++',
  "O'Brien",
  '੦À',
  '東京に住んでいます',
  'живут',
  '🎈',
  'tide '.repeat(300),
];
const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 12 })), {
  maxLength: 14,
});
/** A negative zero, and no direction at all. */
const component = fc.constantFrom(0, -0, 1, -1, 0.25, -3, 1e-9);
const vectors = fc.array(fc.array(component, { minLength: 5, maxLength: 5 }), { maxLength: 3 });
const documents = fc
  .array(
    fc.record({
      namespaceId: fc.constantFrom(...namespaces),
      text,
      vectors,
      speaker: fc.constantFrom('Ana', undefined),
    }),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  .map((some) =>
    some.map(({ text, ...rest }, i) => ({ ...rest, n: 1 + i * 90, text: text.join(' ').replaceAll('\0', '') })),
  );

const inEnglish = (one: SearchDocument): SearchDocument => ({
  ...one,
  textConfig: one.namespaceId === second ? 'simple' : 'english',
});

async function rebuilt(some: readonly SearchDocument[], rebuilding = createRebuilding()): Promise<void> {
  const encoded = await rebuilding.encode(store.transaction, some);
  await store.transaction((tx) => rebuilding.write(tx, encoded));
}

describe('documents that a rebuild adds', () => {
  it('have the same rows as those that are added one after the other, in every order', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.nat({ max: 20 }), async (memories, at) => {
        await store.empty();
        await store.remember(memories);
        const all = memories.map(document).map(inEnglish);
        for (const one of all) await store.transaction((tx) => addDocuments(tx, [one]));
        const expected = await store.contents();

        await store.empty();
        await store.remember(memories);
        // What is known of words is forgotten between most of the batches.
        const rebuilding = createRebuilding(createLexicon({ tokens: 5, namespaces: 2 }));
        // The later ones first, so that blocks are continued at both ends; then some that are there already.
        await rebuilt(all.slice(at), rebuilding);
        await rebuilt(all.slice(0, at + 3), rebuilding);
        expect(await store.contents()).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('may have several parts, and a word in each', async () => {
    const memory = { n: 7, namespaceId: first, text: Array.from({ length: 9000 }, () => 'quay').join(' ') };
    const one = inEnglish(document(memory));
    expect([one.parts.length, isLarge(one)]).toEqual([2, false]);
    await store.remember([memory]);
    await store.transaction((tx) => addDocuments(tx, [one]));
    const expected = await store.contents();
    await store.remove([memory]);
    await rebuilt([one]);
    expect(await store.contents()).toEqual(expected);
  });

  it('are left out when their memory was deleted meanwhile', async () => {
    const kept = { n: 1, namespaceId: first, text: 'oak', vectors: [[1, 2, 3]] };
    const deleted = { n: 2, namespaceId: first, text: 'oak elm', vectors: [[3, 2, 1]] };
    await store.remember([kept]);
    await rebuilt([kept, deleted].map(document));
    const found = await store.contents();
    await store.remove([kept]);
    expect((await store.contents()).flat()).toEqual([]);
    await store.add([kept]);
    expect(await store.contents()).toEqual(found);
    expect(await store.keyword(['oak'])).toMatchObject([{ memoryId: id(1) }]);
  });

  it('are none without any document', async () => {
    await rebuilt([]);
    await rebuilt([document({ n: 1, namespaceId: first, text: 'oak' })]);
    expect((await store.contents()).flat()).toEqual([]);
  });
});
