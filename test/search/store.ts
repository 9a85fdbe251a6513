import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { reachDdl } from '../../projections/search/counts.js';
import type { SearchDocument } from '../../projections/search/document.js';
import { addDocuments, addNewDocuments, removeDocuments } from '../../projections/search/index.js';
import {
  type Arm,
  denseArm,
  everything,
  type Filter,
  type Hit,
  keywordArm,
  type SearchCache,
  searchCache,
} from '../../projections/search/queries.js';
import { ddl, tables } from '../../projections/search/tables.js';
import { vectorCandidates } from '../../projections/search/vector-candidates.js';
import { storedVectors } from '../../projections/search/vector-index.js';
import { wordCandidates } from '../../projections/search/word-candidates.js';
import type { Database, Transaction } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open.js';
import { factsOf } from '../../src/domain/rank/facts.js';
import { indexedParts } from '../../src/domain/tokens/indexed.js';
import { newStoreAddress } from '../support/new-store.js';
import { termsOf } from './words.js';

export const bm25 = { k1: 0.9, b: 0.4 };
export const namespaces = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
export const [first = '', second = ''] = namespaces;
export const id = (n: number): string => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** `n` makes its id, and is its place in writing order. */
export interface Memory {
  readonly n: number;
  readonly namespaceId: string;
  readonly text: string;
  readonly vectors?: readonly (readonly number[])[];
  readonly agent?: string;
  readonly source?: string;
  readonly run?: string;
  readonly speaker?: string | undefined;
  readonly date?: string | undefined;
  readonly playground?: boolean;
  readonly invalidated?: boolean;
}

/** The memory as the other arm would ask for its score. */
export const asHit = ({ n, namespaceId }: Memory): Hit => ({ memoryId: id(n), namespaceId, seq: n, score: 0 });

export const scoresById = (hits: readonly Hit[]): Map<string, number> =>
  new Map(hits.map(({ memoryId, score }) => [memoryId, score]));

interface Asked {
  readonly filter?: Filter;
  readonly limit?: number;
  /** In place of the cache that is kept for all tests of the file. */
  readonly cache?: SearchCache;
}

interface AskedKeyword extends Asked {
  readonly budget?: number;
  readonly namespaceIds?: readonly string[];
}

interface AskedDense extends Asked {
  readonly model?: string;
}

export type SearchStore = ReturnType<typeof useSearchStore>;

/** Opens a store for the tests of one file, and empties it before each of them. */
export function useSearchStore() {
  let opened: { db: Database; remove(): Promise<void> };
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => opened.db.transaction(work);
  const empty = () =>
    transaction((tx) =>
      tx.query(`truncate ${['memories', 'vault', 'search_floors', 'search_reach', ...tables].join(', ')}`),
    );
  beforeAll(async () => {
    opened = await open();
  }, 60_000);
  afterAll(async () => {
    await opened.db.close();
    await opened.remove();
  });
  beforeEach(() => empty());

  const cache = searchCache();
  const keywordArm = (words: readonly string[], over: AskedKeyword, use: (arm: Arm) => Promise<readonly Hit[]>) =>
    transaction(async (tx) => use(await askKeyword(tx, words, { cache, ...over })));
  const denseArm = (vector: Iterable<number>, over: AskedDense, use: (arm: Arm) => Promise<readonly Hit[]>) =>
    transaction(async (tx) => use(await askDense(tx, vector, { cache, ...over })));
  return {
    transaction,
    empty,
    remember: (memories: readonly Memory[]) => transaction((tx) => insertMemories(tx, memories)),
    add: (memories: readonly Memory[]) => transaction((tx) => addDocuments(tx, memories.map(document))),
    /** As writes do: they must be newer than all others of their namespaces. */
    addNew: (memories: readonly Memory[]) => transaction((tx) => addNewDocuments(tx, memories.map(newDocument))),
    remove: (memories: readonly Memory[]) => transaction((tx) => removeDocuments(tx, idsOf(memories))),
    contents: () => transaction(readContents),
    /** The hits of the keyword arm. */
    keyword: (words: readonly string[], over: AskedKeyword = {}) => keywordArm(words, over, async ({ hits }) => hits),
    /** Everything that the keyword arm makes of these memories when it must give them by the other one. */
    keywordScores: (words: readonly string[], others: readonly Memory[], over: AskedKeyword = {}) =>
      keywordArm(words, over, (arm) => arm.scoresOf(others.map(asHit))),
    dense: (vector: Iterable<number>, over: AskedDense = {}) => denseArm(vector, over, async ({ hits }) => hits),
    denseScores: (vector: Iterable<number>, others: readonly Memory[], over: AskedDense = {}) =>
      denseArm(vector, over, (arm) => arm.scoresOf(others.map(asHit))),
  };
}

/** A store with the read model's tables and as much of the rest as it asks for. */
async function open(): Promise<{ db: Database; remove(): Promise<void> }> {
  const { store, remove } = await newStoreAddress();
  const db = await openDatabase(store);
  await db.maintain('create extension if not exists vector');
  const statements = `create table namespaces (id uuid primary key, text_config text, workspace_id uuid, name text, is_default boolean,
      deleted_at timestamptz);
    create table memories (id uuid primary key, namespace_id uuid, run_id text, source text, seq bigint,
      agent_id text, workspace_id uuid, receipt_id text, receipt_hash text, content_hash text, size bigint,
      playground boolean, invalidated boolean, user_id text, app_id text, metadata jsonb, created_at timestamptz,
      updated_at timestamptz);
    create table vault (receipt_id text primary key, content text);
    create table search_floors (model text primary key, size int not null, floor float8 not null, documents bigint not null);
    ${reachDdl}
    create index on memories (namespace_id, source, seq);
    create index on memories (namespace_id, run_id, seq); ${ddl}`;
  await db.transaction(async (tx) => {
    for (const statement of statements.split(';').filter((part) => part.trim() !== '')) await tx.query(statement);
    await tx.query("insert into namespaces select unnest($1::uuid[]), 'simple'", [namespaces]);
  });
  return { db, remove };
}

async function insertMemories(tx: Transaction, memories: readonly Memory[]): Promise<void> {
  for (const { n, namespaceId, text, source, run, agent, speaker, date, playground, invalidated } of memories) {
    await tx.query(
      `insert into memories (id, namespace_id, run_id, source, seq, agent_id, metadata, playground, invalidated, receipt_id, content_hash,
         size, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, '2026-01-02T03:04:05Z')`,
      [
        id(n),
        namespaceId,
        run ?? null,
        source ?? null,
        n,
        agent ?? null,
        JSON.stringify({ speaker, date }),
        playground ?? false,
        invalidated ?? false,
        id(n),
        createHash('sha256').update(text, 'utf8').digest('hex'),
      ],
    );
    // A memory may be written again after its row was taken away.
    await tx.query('delete from vault where receipt_id = $1', [id(n)]);
    await tx.query('insert into vault values ($1, $2)', [id(n), text]);
  }
}

const idsOf = (memories: readonly Memory[]): string[] => memories.map(({ n }) => id(n));

/** The document of a memory in the index. */
export const document = ({ n, namespaceId, text, vectors }: Memory): SearchDocument => ({
  memoryId: id(n),
  namespaceId,
  textConfig: 'simple',
  parts: indexedParts(text),
  facts: factsOf(text),
  model: 'test',
  chunks: (vectors ?? []).map((vector, ordinal) => ({ ordinal, vector: Float32Array.from(vector) })),
});

function newDocument(memory: Memory) {
  const { chunks, ...rest } = document(memory);
  return { ...rest, seq: memory.n, vectors: [...storedVectors({ model: rest.model, chunks })] };
}

/** Every row of every table as text, in an order of their content. */
async function readContents(tx: Transaction) {
  const rows = [];
  for (const table of tables) rows.push(await tx.query(`select t::text as row from ${table} t order by 1`));
  return rows;
}

async function askKeyword(
  tx: Transaction,
  words: readonly string[],
  over: AskedKeyword & { readonly cache: SearchCache },
): Promise<Arm> {
  const namespaceIds = over.namespaceIds ?? namespaces;
  const terms = await termsOf(tx, over.cache, namespaceIds, words);
  const query = { namespaceIds, terms, budget: over.budget ?? 1_000_000, bm25 };
  return keywordArm(tx, over.cache, () => wordCandidates(query), query, wanted(over));
}

const wanted = ({ filter, limit }: Asked) => ({ condition: filter ?? everything, limit: limit ?? 200 });

function askDense(
  tx: Transaction,
  vector: Iterable<number>,
  over: AskedDense & { readonly cache: SearchCache },
): Promise<Arm> {
  const query = { namespaceIds: namespaces, model: over.model ?? 'test', vector: Float32Array.from(vector) };
  return denseArm(tx, over.cache, () => vectorCandidates(tx, over.cache, query), query, wanted(over));
}

export const word = fc.constantFrom('ash', 'birch', 'cedar', 'elm', 'fir', 'larch', 'oak', 'pine');
export const words = fc.uniqueArray(word, { minLength: 1, maxLength: 5 });
export const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 12, maxLength: 12 });
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((chosen) => chosen.join(' '));
const vectors = fc.array(vector, { maxLength: 3 });

// Far apart, so that documents fall into several blocks.
export const corpora = fc
  .array(fc.record({ namespaceId: fc.constantFrom(...namespaces), text, vectors }), { minLength: 1, maxLength: 25 })
  .map((memories) => memories.map((memory, i) => ({ ...memory, n: 1 + i * 700 })));

/** Places at both ends of blocks of codes and of postings, and some that are in one block. */
export const places = [1, 2, 3, 255, 256, 257, 2047, 2048, 2049, 5000];
const written = fc.record({ n: fc.constantFrom(...places), text, vectors }).map((memory) => ({
  ...memory,
  namespaceId: namespaceAt(memory.n),
}));
export const namespaceAt = (n: number): string => namespaces[n % namespaces.length] ?? first;

/** Batches to write, where what is there already is replaced by another text and other vectors, or to remove. */
export const batches = fc.array(
  fc.record({
    removes: fc.boolean(),
    memories: fc.uniqueArray(written, { minLength: 1, maxLength: 6, selector: ({ n }) => n }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Writes and removes alternately, and calls `check` after each batch with the memories that are in the index then. */
export async function playBatches(
  store: SearchStore,
  steps: readonly { readonly removes: boolean; readonly memories: readonly Memory[] }[],
  check: (there: readonly Memory[]) => Promise<void>,
): Promise<void> {
  await store.empty();
  await store.remember(places.map((n) => ({ n, namespaceId: namespaceAt(n), text: '' })));
  const there = new Map<number, Memory>();
  for (const { removes, memories } of steps) {
    if (removes) await store.remove(memories);
    else await store.add(memories);
    for (const memory of memories) {
      if (removes) there.delete(memory.n);
      else there.set(memory.n, memory);
    }
    await check([...there.values()]);
  }
}
