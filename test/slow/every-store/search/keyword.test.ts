import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frequenciesAt, searchCache } from '../../../../projections/search/queries.js';
import {
  batches,
  bm25,
  corpora,
  first,
  id,
  type Memory,
  playBatches,
  scoresById,
  second,
  useSearchStore,
  words,
} from '../../../search/store.js';
import { termsOf, wordsIn } from '../../../search/words.js';

const store = useSearchStore();

/** BM25 as the textbook has it. */
function reference(memories: readonly Memory[], asked: readonly string[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const memory of memories) {
    const corpus = memories.filter((one) => one.namespaceId === memory.namespaceId).map((one) => one.text.split(' '));
    const average = corpus.reduce((sum, doc) => sum + doc.length, 0) / corpus.length;
    const doc = memory.text.split(' ');
    for (const word of asked) {
      const frequency = doc.filter((one) => one === word).length;
      if (frequency === 0) continue;
      const holding = corpus.filter((one) => one.includes(word)).length;
      const idf = Math.log(1 + (corpus.length - holding + 0.5) / (holding + 0.5));
      const norm = bm25.k1 * (1 - bm25.b + (bm25.b * doc.length) / average);
      const score = (idf * frequency * (bm25.k1 + 1)) / (frequency + norm);
      scores.set(id(memory.n), (scores.get(id(memory.n)) ?? 0) + score);
    }
  }
  return scores;
}

function expectScores(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [memoryId, score] of found) expect(score).toBeCloseTo(expected.get(memoryId) ?? -1, 9);
}

describe('the keyword arm', () => {
  test('ranks by BM25, whether words are read from postings or looked up', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, words, async (memories, asked) => {
        await store.empty();
        await store.remember(memories);
        await store.add(memories);
        const expected = reference(memories, asked);
        const hits = await store.keyword(asked);
        expectScores(scoresById(hits), expected);
        expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
        for (const { memoryId, score } of await store.keyword(asked, { budget: 1 })) {
          expect(score).toBeCloseTo(expected.get(memoryId) ?? -1, 9);
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test('loses nothing to a filter that few of many matches pass', async () => {
    const memories = Array.from({ length: 3000 }, (_, i) => ({
      n: i + 1,
      namespaceId: first,
      text: i % 100 === 99 ? 'oak elm fir ash pine' : 'oak',
      agent: i % 100 === 99 ? 'rare' : 'common',
    }));
    await store.remember(memories);
    await store.add(memories);
    const hits = await store.keyword(['oak'], { filter: (bind) => `m.agent_id = ${bind('rare')}`, limit: 25 });
    expect(hits).toHaveLength(25);
    expect(await store.keyword(['oak'], { filter: (bind) => `m.agent_id = ${bind('rare')}` })).toHaveLength(30);
  }, 60_000);

  test('answers within the namespaces asked for', async () => {
    const memories = [first, second].map((namespaceId, i) => ({ n: i + 1, namespaceId, text: 'oak' }));
    await store.remember(memories);
    await store.add(memories);
    expect(await store.keyword(['oak'], { namespaceIds: [second] })).toMatchObject([{ memoryId: id(2) }]);
    expect(await store.keyword([])).toEqual([]);
  });

  test('reports how often memories have each word', async () => {
    const memory = { n: 1, namespaceId: first, text: 'the oak and the elm by the oak' };
    await store.remember([memory]);
    await store.add([memory]);
    await store.transaction(async (tx) => {
      const cache = searchCache();
      const terms = await termsOf(tx, cache, [first, second], ['oak', 'elm', 'fir']);
      const places = [
        { id: id(1), namespaceId: first, seq: 1 },
        { id: id(2), namespaceId: first, seq: 2 },
        { id: id(3), namespaceId: second, seq: 1 },
      ];
      const frequenciesOf = frequenciesAt(terms, [places.slice(0, 2), places]);
      expect(terms.map((term) => [term.lexeme, ...frequenciesOf(term)])).toEqual([
        ['oak', [id(1), 2]],
        ['elm', [id(1), 1]],
      ]);
    });
  });

  test('looks for the 32 rarest of many words, so that a long query is as much work as a shorter one', async () => {
    const all = Array.from({ length: 40 }, (_, i) => `word${i}`);
    // Word 0 is in one memory, word 39 in forty.
    const memories = all.map((_, i) => ({ n: i + 1, namespaceId: first, text: all.slice(39 - i).join(' ') }));
    await store.remember(memories);
    await store.add(memories);
    const found = async (asked: readonly string[]) => (await store.keyword(asked)).map(({ memoryId }) => memoryId);
    expect((await found(all)).toSorted()).toEqual(memories.slice(8).map(({ n }) => id(n)));
    expect(await found(all)).toEqual(await found(all.slice(0, 32)));
  });

  test('counts a word once that the query has twice', async () => {
    const memory = { n: 1, namespaceId: first, text: 'oak elm' };
    await store.remember([memory]);
    await store.add([memory]);
    const asked = ['oak', 'OAK', 'elm', 'oak'];
    for (const budget of [1, 1000]) {
      const found = scoresById(await store.keyword(asked, { budget }));
      expectScores(found, reference([memory], ['oak', 'elm']));
    }
  });

  test('indexes a text of any size', async () => {
    const memory = { n: 1, namespaceId: first, text: Array.from({ length: 12_000 }, (_, i) => `w${i}`).join(' ') };
    await store.remember([memory]);
    await store.add([memory]);
    expect(await store.keyword(['w11999'])).toHaveLength(1);
    await store.remove([memory]);
    expect((await store.contents()).flat()).toEqual([]);
  }, 60_000);
});

describe('scores of what the other arm has found', () => {
  test('are BM25, also of memories beyond the limit, and missing for those without any word', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, words, async (memories, asked) => {
        await store.empty();
        await store.remember(memories);
        await store.add(memories);
        const expected = reference(memories, asked);
        // With a budget of 1 all words but the rarest are looked up.
        for (const budget of [1, 1_000_000]) {
          expect((await store.keyword(asked, { limit: 1, budget })).length).toBe(Math.min(1, expected.size));
          const scored = await store.keywordScores(asked, memories, { limit: 1, budget });
          expectScores(scoresById(scored), expected);
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

describe('postings that were kept', () => {
  test('show what is written and removed after they were', async () => {
    const cache = searchCache();
    const [a, b, c] = ['oak', 'oak elm', 'oak oak'].map((text, i) => ({ n: i + 1, namespaceId: first, text }));
    if (!a || !b || !c) throw new Error('three memories');
    const check = async (...there: Memory[]) => {
      const hits = await store.keyword(['oak', 'elm'], { cache });
      expectScores(scoresById(hits), reference(there, ['oak', 'elm']));
    };
    await store.remember([a, b, c]);
    await store.add([a]);
    await check(a);
    await store.add([b, c]);
    await check(a, b, c);
    await store.remove([b]);
    await check(a, c);
    await store.add([{ ...a, text: 'elm' }]);
    await check({ ...a, text: 'elm' }, c);
    await store.remove([a, c]);
    await check();
    await store.add([b]);
    await check(b);
  });

  test('make no difference to any answer, no matter what is written and removed in between', async () => {
    const cache = searchCache();
    await fc.assert(
      fc.asyncProperty(batches, words, (steps, asked) =>
        playBatches(store, steps, async (there) => {
          for (const budget of [1, 1_000_000]) {
            const hits = await store.keyword(asked, { cache, budget });
            expect(hits).toEqual(await store.keyword(asked, { cache: searchCache(), budget }));
          }
          expectScores(scoresById(await store.keyword(asked, { cache })), reference(there, asked));
        }),
      ),
      { numRuns: 20 },
    );
  }, 120_000);
});

describe('words that are similar to those of the query', () => {
  const similar = (cache: ReturnType<typeof searchCache>, words: readonly string[], namespaceIds = [first, second]) =>
    store.transaction(async (tx) =>
      (await wordsIn(tx, cache, namespaceIds, words))
        .flatMap(({ terms }) => terms.filter(({ isSimilar }) => isSimilar))
        .map(({ word, lexeme }) => `${word} ${lexeme}`),
    );

  // @covers SEARCH-TYPO
  test('are those that memories have now, no matter what was read before', async () => {
    const cache = searchCache();
    const [a, b, c] = ['larch birch', 'cedarwood', 'larches 1250'].map((text, i) => ({
      n: i + 1,
      namespaceId: first,
      text,
    }));
    if (!a || !b || !c) throw new Error('three memories');
    const expectSimilar = async (...expected: string[]) => {
      for (const one of [cache, searchCache()]) {
        expect((await similar(one, ['lacrh', 'brich', 'cedar', '1251'])).toSorted()).toEqual(expected);
      }
    };
    await store.remember([a, b, c]);
    await expectSimilar();
    await store.add([a]);
    await expectSimilar('brich birch', 'lacrh larch');
    await store.add([b, c]);
    await expectSimilar('brich birch', 'cedar cedarwood', 'lacrh larch');
    await store.remove([a]);
    await expectSimilar('cedar cedarwood');
    await store.remove([b, c]);
    await expectSimilar();
  });

  // @covers SEARCH-TYPO
  test('are words of the same namespace, and count less than the word itself', async () => {
    const memories = [first, second].map((namespaceId, i) => ({
      n: i + 1,
      namespaceId,
      text: i === 0 ? 'birches' : 'oak',
    }));
    await store.remember(memories);
    await store.add(memories);
    expect(await similar(searchCache(), ['birch'], [second])).toEqual([]);
    const [word] = await store.transaction((tx) => wordsIn(tx, searchCache(), [first], ['birch']));
    expect(word?.terms).toMatchObject([{ word: 'birch', lexeme: 'birches', namespace_id: first, frequency: 1 }]);
    expect(word?.share).toBeLessThan(1);
  });
});
