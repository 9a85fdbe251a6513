import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDocuments, removeDocuments, type SearchDocument } from '../../projections/search/index.js';
import {
  denseCandidates,
  everything,
  type Filter,
  keywordCandidates,
  lexemes,
  matchedTerms,
  neighboursOf,
  searchCache,
  termsOf,
} from '../../projections/search/queries.js';
import { ddl, tables } from '../../projections/search/tables.js';
import type { Database } from '../../src/adapters/database/database.js';
import { openDatabase } from '../../src/adapters/database/open.js';
import { newStoreAddress } from '../new-store.js';

const bm25 = { k1: 0.9, b: 0.4 };
const namespaces = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
const [first = '', second = ''] = namespaces;
const id = (n: number): string => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

interface Memory {
  readonly n: number;
  readonly namespaceId: string;
  readonly text: string;
  readonly vectors?: readonly (readonly number[])[];
  readonly agent?: string;
  readonly source?: string;
  readonly run?: string;
}

let removeStore: () => void;
let db: Database;

beforeAll(async () => {
  const address = await newStoreAddress();
  removeStore = address.remove;
  db = await openDatabase(address.store);
  await db.maintain('create extension if not exists vector');
  const statements = `create table namespaces (id uuid primary key, text_config text);
    create table memories (id uuid primary key, namespace_id uuid, run_id text, source text, seq bigint,
      agent_id text);
    create index on memories (namespace_id, source, seq);
    create index on memories (namespace_id, run_id, seq); ${ddl}`;
  await db.transaction(async (tx) => {
    for (const statement of statements.split(';').filter((part) => part.trim() !== '')) await tx.query(statement);
    await tx.query("insert into namespaces select unnest($1::uuid[]), 'simple'", [namespaces]);
  });
}, 60_000);

afterAll(async () => {
  await db.close();
  removeStore();
});

beforeEach(() => empty());

const empty = () => db.transaction((tx) => tx.query(`truncate ${['memories', ...tables].join(', ')}`));

async function remember(memories: readonly Memory[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { n, namespaceId, source, run, agent } of memories) {
      await tx.query('insert into memories values ($1, $2, $3, $4, $5, $6)', [
        id(n),
        namespaceId,
        run ?? null,
        source ?? null,
        n,
        agent ?? null,
      ]);
    }
  });
}

const document = ({ n, namespaceId, text, vectors }: Memory): SearchDocument => ({
  memoryId: id(n),
  namespaceId,
  textConfig: 'simple',
  text,
  model: 'test',
  chunks: (vectors ?? []).map((vector, ordinal) => ({ ordinal, vector: Float32Array.from(vector) })),
});

const add = (memories: readonly Memory[]) => db.transaction((tx) => addDocuments(tx, memories.map(document)));
const remove = (memories: readonly Memory[]) =>
  db.transaction((tx) =>
    removeDocuments(
      tx,
      memories.map(({ n }) => id(n)),
    ),
  );

const keyword = (
  words: readonly string[],
  over: { filter?: Filter; limit?: number; budget?: number; namespaceIds?: string[] } = {},
) =>
  db.transaction(async (tx) => {
    const { hits } = await keywordCandidates(tx, cache, {
      ...bm25,
      terms: await termsOf(tx, over.namespaceIds ?? namespaces, words),
      filter: over.filter ?? everything,
      limit: over.limit ?? 200,
      budget: over.budget ?? 1_000_000,
    });
    return hits;
  });

const dense = (vector: readonly number[], over: { filter?: Filter; limit?: number; model?: string } = {}) =>
  db.transaction(async (tx) => {
    const { hits } = await denseCandidates(tx, cache, {
      namespaceIds: namespaces,
      model: over.model ?? 'test',
      vector: Float32Array.from(vector),
      filter: over.filter ?? everything,
      limit: over.limit ?? 200,
    });
    return hits;
  });
const cache = searchCache();

/** Every row of every table as text, in an order of their content. */
const contents = () =>
  db.transaction(async (tx) => {
    const rows = [];
    for (const table of tables) rows.push(await tx.query(`select t::text as row from ${table} t order by 1`));
    return rows;
  });

/** BM25 as the textbook has it. */
function reference(memories: readonly Memory[], words: readonly string[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const memory of memories) {
    const corpus = memories.filter((one) => one.namespaceId === memory.namespaceId).map((one) => one.text.split(' '));
    const average = corpus.reduce((sum, doc) => sum + doc.length, 0) / corpus.length;
    const doc = memory.text.split(' ');
    for (const word of words) {
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

const word = fc.constantFrom('ash', 'birch', 'cedar', 'elm', 'fir', 'larch', 'oak', 'pine');
// Far apart, so that documents fall into several blocks.
const corpora = fc
  .array(
    fc.record({
      namespaceId: fc.constantFrom(...namespaces),
      text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
      vectors: fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 12, maxLength: 12 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((memories) => memories.map((memory, i) => ({ ...memory, n: 1 + i * 700 })));
const queries = fc.uniqueArray(word, { minLength: 1, maxLength: 5 });

describe('the keyword arm', () => {
  test('ranks by BM25, whether words are read from postings or looked up', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, queries, async (memories, words) => {
        await empty();
        await remember(memories);
        await add(memories);
        const expected = reference(memories, words);
        const hits = await keyword(words);
        expect(hits.map((hit) => hit.memoryId).sort()).toEqual([...expected.keys()].sort());
        for (const { memoryId, score } of hits) expect(score).toBeCloseTo(expected.get(memoryId) ?? -1, 9);
        expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
        for (const { memoryId, score } of await keyword(words, { budget: 1 })) {
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
    await remember(memories);
    await add(memories);
    const hits = await keyword(['oak'], { filter: (bind) => `m.agent_id = ${bind('rare')}`, limit: 25 });
    expect(hits).toHaveLength(25);
    expect(await keyword(['oak'], { filter: (bind) => `m.agent_id = ${bind('rare')}` })).toHaveLength(30);
  }, 60_000);

  test('answers within the namespaces asked for', async () => {
    const memories = [first, second].map((namespaceId, i) => ({ n: i + 1, namespaceId, text: 'oak' }));
    await remember(memories);
    await add(memories);
    expect(await keyword(['oak'], { namespaceIds: [second] })).toMatchObject([{ memoryId: id(2) }]);
    expect(await keyword([])).toEqual([]);
  });

  test('takes words from a text configuration and tells which of them a memory holds', async () => {
    const memory = { n: 1, namespaceId: first, text: 'the oak and the elm' };
    await remember([memory]);
    await add([memory]);
    await db.transaction(async (tx) => {
      expect(await lexemes(tx, 'english', 'The running oaks')).toEqual(['oak', 'run']);
      expect(await matchedTerms(tx, [id(1)], ['elm', 'oak', 'fir'])).toEqual(new Map([[id(1), ['elm', 'oak']]]));
    });
  });

  test('indexes a text of any size', async () => {
    const memory = { n: 1, namespaceId: first, text: Array.from({ length: 12_000 }, (_, i) => `w${i}`).join(' ') };
    await remember([memory]);
    await add([memory]);
    expect(await keyword(['w11999'])).toHaveLength(1);
    await remove([memory]);
    expect((await contents()).flat()).toEqual([]);
  }, 60_000);
});

describe('the dense arm', () => {
  const axis = (n: number, value = 1) => Array.from({ length: 12 }, (_, i) => (i === n ? value : 0));

  test('gives each memory the cosine of its nearest chunk', async () => {
    await fc.assert(
      fc.asyncProperty(
        corpora,
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 12, maxLength: 12 }),
        async (memories, query) => {
          await empty();
          await remember(memories);
          await add(memories);
          const norm = (v: readonly number[]) => Math.hypot(...v);
          const expected = new Map<string, number>();
          for (const { n, vectors } of memories) {
            const cosines = vectors
              .filter((v) => norm(v) > 0 && norm(query) > 0)
              .map((v) => v.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0) / norm(v) / norm(query));
            if (cosines.length > 0) expected.set(id(n), Math.max(...cosines));
          }
          const hits = await dense(query);
          expect(hits.map((hit) => hit.memoryId).sort()).toEqual([...expected.keys()].sort());
          for (const { memoryId, score } of hits) expect(score).toBeCloseTo(expected.get(memoryId) ?? 9, 5);
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  test('sees what is written and removed after codes were kept', async () => {
    const [a, b] = [1, 2].map((n) => ({ n, namespaceId: first, text: 'x', vectors: [axis(n)] }));
    if (!a || !b) throw new Error('two memories');
    await remember([a, b]);
    await add([a]);
    expect(await dense(axis(1))).toMatchObject([{ memoryId: id(1) }]);
    await add([b]);
    expect(await dense(axis(2))).toMatchObject([{ memoryId: id(2) }, { memoryId: id(1) }]);
    await remove([b]);
    expect(await dense(axis(2))).toMatchObject([{ memoryId: id(1) }]);
  });

  test('keeps models and namespaces apart, and obeys the filter', async () => {
    const memories = [first, second].map((namespaceId, i) => ({
      n: i + 1,
      namespaceId,
      text: 'x',
      vectors: [axis(0)],
      agent: `agent ${i}`,
    }));
    await remember(memories);
    await add(memories);
    expect(await dense(axis(0), { model: 'another' })).toEqual([]);
    expect(await dense([...axis(0), 0])).toEqual([]);
    expect(await dense(axis(0), { filter: (bind) => `m.agent_id = ${bind('agent 1')}` })).toMatchObject([
      { memoryId: id(2) },
    ]);
  });
});

describe('adding and removing', () => {
  test('removing restores every table byte for byte, and adding is the same in any order and batches', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, corpora, async (before, after) => {
        const later = after.map((memory) => ({ ...memory, n: memory.n + 300 }));
        await empty();
        await remember([...before, ...later]);
        await add(before);
        const expected = await contents();
        await add(later);
        await remove(later);
        expect(await contents()).toEqual(expected);
        await remove(before);
        expect((await contents()).flat()).toEqual([]);
        for (const memory of [...before].reverse()) await add([memory]);
        await add(before);
        expect(await contents()).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test('passes over a memory that was deleted meanwhile', async () => {
    await add([{ n: 1, namespaceId: first, text: 'oak', vectors: [[1, 2, 3]] }]);
    expect((await contents()).flat()).toEqual([]);
  });
});

test('neighbours are those written next in the same source or run, the nearer of two places', async () => {
  await remember([
    { n: 1, namespaceId: first, text: '', source: 'a' },
    { n: 2, namespaceId: first, text: '', source: 'b', run: 'r' },
    { n: 3, namespaceId: first, text: '', source: 'a', run: 'r' },
    { n: 4, namespaceId: second, text: '', source: 'a', run: 'r' },
    { n: 5, namespaceId: first, text: '', source: 'b', run: 's' },
    { n: 6, namespaceId: first, text: '', source: 'a', run: 'r' },
    { n: 7, namespaceId: first, text: '', source: 'a' },
  ]);
  const found = await db.transaction((tx) => neighboursOf(tx, [id(3), id(4)], 2));
  expect(found).toEqual([
    { memoryId: id(3), otherId: id(1), distance: 1 },
    { memoryId: id(3), otherId: id(6), distance: 1 },
    { memoryId: id(3), otherId: id(7), distance: 2 },
    { memoryId: id(3), otherId: id(2), distance: 1 },
  ]);
});
