import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLarge, type SearchDocument } from '../../../projections/search/document.js';
import { encodedDocuments } from '../../../projections/search/encoded.js';
import { addEncoded } from '../../../projections/search/index.js';
import { addInSteps, finishDocument } from '../../../projections/search/steps.js';
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

/** Adds documents with statements in which the database makes each row, as it does for large ones. */
async function addedBySteps(some: readonly SearchDocument[]): Promise<void> {
  for (const one of some) {
    const added = await addInSteps(one, store.transaction);
    if (added) await store.transaction((tx) => finishDocument(tx, one, added));
  }
}

async function added(some: readonly SearchDocument[]): Promise<void> {
  const encoded = await encodedDocuments(store.transaction, some);
  await store.transaction((tx) => addEncoded(tx, encoded));
}

describe('documents whose rows are made in this process', () => {
  it('have the same rows as those whose rows the database makes, in every order', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.nat({ max: 20 }), async (memories, at) => {
        await store.empty();
        await store.remember(memories);
        const all = memories.map(document).map(inEnglish);
        await addedBySteps(all);
        const expected = await store.contents();

        await store.empty();
        await store.remember(memories);
        // The later ones first, so that blocks are continued at both ends; then some that are there already.
        await added(all.slice(at));
        await added(all.slice(0, at + 3));
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
    await addedBySteps([one]);
    const expected = await store.contents();
    await store.remove([memory]);
    await added([one]);
    expect(await store.contents()).toEqual(expected);
  });

  it('are left out when their memory was deleted meanwhile', async () => {
    const kept = { n: 1, namespaceId: first, text: 'oak', vectors: [[1, 2, 3]] };
    const deleted = { n: 2, namespaceId: first, text: 'oak elm', vectors: [[3, 2, 1]] };
    await store.remember([kept]);
    await added([kept, deleted].map(document));
    const found = await store.contents();
    await store.remove([kept]);
    expect((await store.contents()).flat()).toEqual([]);
    await store.add([kept]);
    expect(await store.contents()).toEqual(found);
    expect(await store.keyword(['oak'])).toMatchObject([{ memoryId: id(1) }]);
  });

  it('are none without any document', async () => {
    await added([document({ n: 1, namespaceId: first, text: 'oak' })]);
    expect((await store.contents()).flat()).toEqual([]);
  });
});
