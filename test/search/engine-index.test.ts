import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  databaseIndex,
  type EngineCopy,
  type EngineQuery,
  EngineUnavailable,
  engineIndex,
  searchCache,
} from '../../projections/search/queries.js';
import { levelsOf } from '../../projections/search/vector-index.js';
import type { Caller } from '../../src/domain/caller.js';
import { newStore, type Store } from '../maintenance/store.js';
import { embedder, find, foundByVector, foundByWords, wordsArm } from './finding.js';

const cache = searchCache();
const database = databaseIndex({ cache, reembedding: () => false });
let store: Store;
let caller: Caller;
/** The numbers of the memories in the order in which the engine gives them. */
let seqs: number[] = [];
let copy: EngineCopy;
/** The levels of the code of each memory, by its number. */
const levels = new Map<number, Int8Array>();
let asked: EngineQuery[] = [];
let isAway = false;

beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  await Promise.all(numbers.map((n) => store.add(caller, `oak${' elm'.repeat(n % 4)} n${n}`, JSON.stringify({ n }))));
  await store.ingest();
  const rows = await store.sql<{ seq: number }>("select seq from memories order by (metadata ->> 'n')::integer");
  seqs = rows.map(({ seq }) => seq);
  const stored = await store.sql<{ seq: number; vector: string }>(
    'select seq, embedding::text as vector from search_vectors',
  );
  for (const { seq, vector } of stored) levels.set(seq, levelsOf(Float32Array.from(JSON.parse(vector))));
});
afterAll(() => store.close());
beforeEach(() => {
  copy = { index: 'memories', model: embedder.model, isBehind: false };
  asked = [];
  isAway = false;
});

/** An engine that knows no filter. It gives memories by words in the order of writing. */
const engine = {
  async candidates(query: EngineQuery) {
    asked.push(query);
    if (isAway) throw new EngineUnavailable('it is away');
    const namespaceId = caller.namespaceIds[0] ?? '';
    const passing = query.among === null ? seqs : seqs.filter((seq) => query.among?.includes(seq));
    // As if it gave 20 of what it is requested 200.
    const given = query.size / 10;
    const places = passing.slice(0, given).map((seq) => ({ namespaceId, seq }));
    return {
      vector: query.vector && nearest(passing, query.vector, given),
      words: query.words && { places, isComplete: places.length === passing.length },
    };
  },
};

/** The nearest memories. Of those with equal scores it gives the ones first that the service ranks last. */
function nearest(passing: readonly number[], weights: readonly number[], given: number) {
  const namespaceId = caller.namespaceIds[0] ?? '';
  const all = passing
    .map((seq) => ({ namespaceId, seq, score: scoreOf(weights, levels.get(seq) ?? new Int8Array()) }))
    .sort((a, b) => b.score - a.score || b.seq - a.seq);
  const rest = all.length > given ? (all[given - 1]?.score ?? 0) : Number.NEGATIVE_INFINITY;
  return { places: all.slice(0, given), rest };
}

/** The score of vectors of bytes in Lucene, whose numbers have 32 bits. */
function scoreOf(weights: readonly number[], code: Int8Array): number {
  const sumOf = (of: (i: number) => number) => weights.reduce((sum, _, i) => sum + of(i), 0);
  const at = (i: number) => code[i] ?? 0;
  const squares = sumOf((i) => (weights[i] ?? 0) ** 2) * sumOf((i) => at(i) ** 2);
  const cosine = Math.fround(sumOf((i) => (weights[i] ?? 0) * at(i)) / Math.sqrt(squares));
  return Math.fround(Math.fround(1 + cosine) / 2);
}
const searching = (fallback: boolean) => {
  const index = engineIndex({ engine, copyOf: async () => copy, database, fallback });
  return { database: store.database, index, cache, caller };
};
const byDatabase = () => ({ database: store.database, index: database, cache, caller });
const oak = ['oak', 'elm', 'n3'];
const vectorOf = (text: string) => embedder.query(text, new Map());
const arms = (on: ReturnType<typeof searching>) =>
  find(
    on,
    {},
    (terms) => ({ ...wordsArm(caller)(terms), vector: null }),
    async (_tx, { byWords, isBehind }) => ({ ran: byWords !== null, isBehind: await isBehind() }),
    ['oak'],
  );

// @covers ESR-CANDIDATES ESR-SCORES
test('a hit has the same score to the last bit as with the index of the database', async () => {
  for (const limit of [3, 50]) {
    expect(await foundByWords(searching(false), oak, {}, limit)).toEqual(
      await foundByWords(byDatabase(), oak, {}, limit),
    );
    const vector = await vectorOf('elm and n3');
    expect(await foundByVector(searching(false), vector, {}, limit)).toEqual(
      await foundByVector(byDatabase(), vector, {}, limit),
    );
  }
});

// @covers ESR-CANDIDATES ESR-WIDENED
test('an engine that gave too few is requested more, with the numbers of what passes the filter', async () => {
  const last = { metadata: { n: { gte: 25 } } };
  expect((await foundByWords(searching(false), oak, last)).size).toBe(5);
  expect(asked.map(({ among }) => among?.length ?? null)).toEqual([null, 5]);
  expect(asked[0]?.size).toBe(200);
  expect(asked[1]?.size).toBeGreaterThanOrEqual(800);
  asked = [];
  expect((await foundByWords(searching(false), oak, { metadata: { n: 3 } })).size).toBe(1);
  expect(asked.map(({ among }) => among)).toEqual([[seqs[3]]]);
});

// @covers ESR-WIDENED
test('when the engine gives no more although it has more, the index of the database answers', async () => {
  const stubborn = {
    candidates: async (query: EngineQuery) => ({ ...(await engine.candidates({ ...query, size: 200 })) }),
  };
  const index = engineIndex({ engine: stubborn, copyOf: async () => copy, database, fallback: false });
  expect((await foundByWords({ ...searching(false), index }, oak)).size).toBe(30);
});

// @covers ESR-FALLBACK
test('while the engine is away or behind, the index of the database answers', async () => {
  const all = await foundByWords(byDatabase(), oak);
  isAway = true;
  expect(await foundByWords(searching(true), oak)).toEqual(all);
  expect(asked).toHaveLength(1);
  for (const worse of [{ isBehind: true }, { index: null }]) {
    copy = { ...copy, ...worse };
    expect(await arms(searching(true))).toEqual({ ran: true, isBehind: false });
  }
  copy = { index: 'memories', model: 'another model', isBehind: false };
  expect((await foundByVector(searching(true), await vectorOf('elm'))).size).toBe(30);
  expect(asked).toHaveLength(1);
});

// @covers ESR-NO-FALLBACK
test('without the fallback, an engine that is behind answers, and one that is away runs no arm', async () => {
  copy = { ...copy, isBehind: true };
  expect(await arms(searching(false))).toEqual({ ran: true, isBehind: true });
  const ready = (fallback: boolean) =>
    store.database.read((tx) => searching(fallback).index.ready(tx, caller.namespaceIds, embedder.model));
  expect([await ready(false), await ready(true)]).toEqual([false, true]);
  isAway = true;
  expect(await arms(searching(false))).toEqual({ ran: false, isBehind: true });
  copy = { ...copy, index: null };
  expect(await arms(searching(false))).toEqual({ ran: false, isBehind: true });
});

// @covers ESR-GONE
test('a memory that was deleted is not found, although the engine still gives it', async () => {
  const id = await store.add(caller, 'oak that goes');
  await store.ingest();
  const [row] = await store.sql<{ seq: number }>('select seq from search_documents where memory_id = $1', [id]);
  seqs = [row?.seq ?? 0, ...seqs];
  expect((await foundByWords(searching(false), ['oak'])).has(id)).toBe(true);
  await store.remove(caller, id);
  const found = await foundByWords(searching(false), ['oak']);
  expect([found.has(id), found.size]).toEqual([false, 30]);
  seqs = seqs.slice(1);
});
