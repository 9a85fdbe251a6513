import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomStream, sentence } from '../../../../ops/bench/words.js';
import { membersOf } from '../../../../projections/account/queries.js';
import { estimateFloor } from '../../../../projections/search/floors.js';
import { databaseIndex, engineIndex, type SearchIndex, searchCache } from '../../../../projections/search/queries.js';
import type { Embedder } from '../../../../src/adapters/embeddings/embedder.js';
import { queryEmbedding } from '../../../../src/adapters/embeddings/queries.js';
import { openTokens } from '../../../../src/adapters/tokens.js';
import { realWorld } from '../../../../src/base/world.js';
import { invalidateMemory, reinstateMemory } from '../../../../src/commands/invalidate-memory.js';
import { createSearch } from '../../../../src/commands/search.js';
import { createVault } from '../../../../src/commands/vault.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { readSearchFilter } from '../../../../src/domain/filters.js';
import { newStore, type Store } from '../../../maintenance/store.js';
import { openCopy } from '../../../search/elasticsearch/copy.js';
import { embedder as lexical } from '../../../search/finding.js';
import { repeats } from '../../../support/repeats.js';

const copy = openCopy();
const random = randomStream(7);
/** The last of them have misspelt words. */
const queries = Array.from({ length: 30 }, (_, n) =>
  sentence(random, 2, 8).replace(n < 25 ? /$^/ : /(\w)(\w)(?=\w\b)/, '$2$1'),
);
let store: Store;
let caller: Caller;

beforeAll(async () => {
  await copy.make();
  store = await newStore();
  caller = await asOwner(await store.openWorkspace());
  await write(caller, repeats('PARITY_MEMORIES'));
  await copy.copy(store.database);
});
afterAll(async () => {
  await store.close();
  await copy.remove();
});

/** The owner of the workspace, who has the rights that a recorded search needs. */
async function asOwner(by: Caller): Promise<Caller> {
  const [owner] = await store.database.read((tx) => membersOf(tx, by.workspaceId));
  return { ...by, actor: { ...by.actor, type: 'person', id: owner?.id ?? '' }, role: 'owner' };
}

/** Every tenth text is one of five that are equal in words and vectors, and every hundredth has several chunks. */
function textOf(n: number): string {
  if (n % 100 === 1) return Array.from({ length: 20 }, () => sentence(random, 10, 20)).join('. ');
  return n % 10 === 0 ? (queries[(n / 10) % 5] ?? '') : sentence(random, 4, 40);
}

async function write(by: Caller, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, n) => textOf(n));
  for (let from = 0; from < count; from += 200) {
    const some = texts.slice(from, from + 200);
    await Promise.all(some.map((text, i) => store.add(by, text, JSON.stringify({ n: from + i }))));
    await store.ingest();
  }
}

/** The answers to all queries with an index: their hits, each with its score and the reason for its rank. */
async function answers(
  indexOf: (cache: ReturnType<typeof searchCache>) => SearchIndex,
  filters = {},
  embedder: Embedder = lexical,
  texts: readonly string[] = queries,
) {
  const cache = searchCache();
  const { read } = store.database;
  const search = createSearch({
    world: realWorld,
    run: store.run,
    embedder,
    queries: queryEmbedding(embedder, pino({ level: 'silent' })),
    arms: ['dense', 'keyword'],
    budget: openTokens(),
    searched: { cache, index: indexOf(cache) },
    vault: createVault(() => undefined),
    ownWrites: { read: (_caller, work) => read(work) },
    limiter: null,
    read,
    readWithin: (_workspaceId, tx, work) => work(tx),
    readList: (_workspaceId, work) => read(work),
  });
  const { namespaceIds } = caller;
  const asked = {
    waits: false,
    namespaceIds,
    agentId: undefined,
    k: 30,
    tokenBudget: 32_000,
    ...readSearchFilter(filters),
  };
  const found: (readonly Hit[])[] = [];
  for (const query of texts) {
    const answer = await search(caller, { ...asked, query }, null);
    if (!('body' in answer) || !('data' in answer.body)) throw new Error('the search was answered before');
    expect([answer.body.mode, answer.body.degraded]).toEqual(['fused', []]);
    found.push(answer.body.data.map(({ memory_id, score, why }) => ({ memory_id, score, why })));
  }
  return found;
}

interface Hit {
  readonly memory_id: string;
  readonly score: number;
  readonly why: string;
}

const ofDatabase = (cache: ReturnType<typeof searchCache>) => databaseIndex({ cache, reembedding: () => false });
const ofElasticsearch = (cache: ReturnType<typeof searchCache>) =>
  engineIndex({ engine: copy.engine, copyOf: copy.copyOf, database: ofDatabase(cache), fallback: false });

const recallOf = (found: readonly (readonly Hit[])[], other: readonly (readonly Hit[])[]) => {
  const shares = other.map((hits, i) => {
    const best = hits.slice(0, 10).map(({ memory_id }) => memory_id);
    const own = new Set(found[i]?.slice(0, 10).map(({ memory_id }) => memory_id));
    return best.filter((id) => own.has(id)).length / Math.max(1, best.length);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
};

// @covers ESR-SCORES ESR-RECALL
test.each([
  ['without a filter', {}],
  ['with a filter that Elasticsearch knows', { source: 'test' }],
  ['with a filter that only the database knows', { metadata: { n: { gte: 300, lt: 900 } } }],
])('both indexes find the same hits with the same scores and reasons, %s', async (_, filters) => {
  const [found, other] = [await answers(ofElasticsearch, filters), await answers(ofDatabase, filters)];
  expect(recallOf(found, other)).toBeGreaterThanOrEqual(0.95);
  expect(recallOf(other, found)).toBeGreaterThanOrEqual(0.95);
  // Both rank by the same codes and score by the same vectors, so the answers are equal to the last bit.
  expect(found).toEqual(other);
});

// @covers ESR-SCORES SEARCH-FLOOR
test('both indexes find the same hits with a model, and leave out the same ones by its floor', async () => {
  const { model, repeatable, documents, query } = lexical;
  // The same vectors as if they were those of a model.
  const embedder = { model, repeatable, documents, query, floor: null };
  // The last ones have no word of a memory.
  const texts = [...queries.slice(0, 5), 'zzyzx qwvkp', 'blorfx'];
  const all = await answers(ofDatabase, {}, embedder, texts);
  expect(await answers(ofElasticsearch, {}, embedder, texts)).toEqual(all);
  expect(await store.database.transaction((tx) => estimateFloor(tx, model))).toBeGreaterThan(0);
  const found = await answers(ofDatabase, {}, embedder, texts);
  expect(await answers(ofElasticsearch, {}, embedder, texts)).toEqual(found);
  expect(found.flat().length).toBeLessThan(all.flat().length);
  await store.sql('delete from search_floors');
});

// @covers ESR-SCORES ESR-RECALL INVALID-SEARCH INVALID-SEARCH-AGAIN
test('both indexes leave out the same invalidated memories, and find them again when they are reinstated', async () => {
  const valid = await answers(ofDatabase);
  const ids = [...new Set(valid.flatMap((hits) => hits.slice(0, 5).map(({ memory_id }) => memory_id)))];
  const change = (commandOf: (memoryId: string) => ReturnType<typeof reinstateMemory>) =>
    Promise.all(ids.map((memoryId) => store.run(caller.workspaceId, commandOf(memoryId))));
  await change((memoryId) => {
    const invalidation = { memoryId, reason: 'wrong', sensitive: {}, supersededBy: null };
    return invalidateMemory(realWorld, caller, invalidation);
  });
  await copy.copy(store.database);
  const found = await answers(ofElasticsearch);
  expect(found).toEqual(await answers(ofDatabase));
  expect(found.flat().filter(({ memory_id }) => ids.includes(memory_id))).toEqual([]);
  const asked = { include_invalidated: true };
  expect(await answers(ofElasticsearch, asked)).toEqual(await answers(ofDatabase, asked));
  await change((memoryId) => reinstateMemory(realWorld, caller, memoryId));
  await copy.copy(store.database);
  expect(await answers(ofElasticsearch)).toEqual(valid);
});

// @covers ESR-TENANTS
test('what another workspace writes changes nothing', async () => {
  const before = await answers(ofElasticsearch);
  const another = await store.openWorkspace();
  const words = queries.slice(0, 10).join(' ');
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.add(another, `${words} ${n}`)));
  await store.ingest();
  await copy.copy(store.database);
  expect(await answers(ofElasticsearch)).toEqual(before);
});
