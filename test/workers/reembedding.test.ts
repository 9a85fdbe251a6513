import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { databaseWriter, withoutVectors } from '../../projections/search/queries.js';
import { type Embedder, EmbedderAway, TextsRefused } from '../../src/adapters/embeddings/embedder.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { realWorld } from '../../src/base/world.js';
import { createVault } from '../../src/commands/vault.js';
import type { Caller } from '../../src/domain/caller.js';
import { rebuild } from '../../src/maintenance/rebuild.js';
import { searchIndex } from '../../src/maintenance/rebuildable.js';
import type { Embedding } from '../../src/workers/embedding.js';
import { prepareInSlices } from '../../src/workers/indexing.js';
import { onlyOwner } from '../../src/workers/lease.js';
import { createModelWatch } from '../../src/workers/model-watch.js';
import { reembedding } from '../../src/workers/reembedding.js';
import { faultsOf } from '../maintenance/faults-of.js';
import { newStore, type Store } from '../maintenance/store.js';
import { embeddingOf } from '../support/embedding.js';
import { ingestAll } from '../support/ingest-all.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterAll(() => store.close());
afterEach(async () => {
  await Promise.all([...(await models()).keys()].map((id) => store.remove(caller, id)));
});

let altered = 0;
const vault = createVault(() => {
  altered += 1;
});
const warned: unknown[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void warned.push(JSON.parse(line)) });

/** A server that fails, or refuses, some texts and every text that is sent with them. */
function server(answer: (text: string) => void): Embedder {
  const { documents, query } = lexicalEmbedder();
  return {
    model: 'of a server',
    repeatable: false,
    floor: 0.2,
    query,
    documents: async (texts) => {
      for (const text of texts) answer(text);
      return documents(texts);
    },
  };
}

const away = (): never => {
  throw new EmbedderAway('away');
};

async function ingestWith(embedding: Embedding, unembedded: () => void = () => undefined): Promise<void> {
  const { database } = store;
  const parts = { database, searchIndex: databaseWriter, embedding, vault, world: realWorld, log, unembedded };
  await ingestAll(parts);
}

const write = (texts: readonly string[]) => Promise.all(texts.map((text) => store.add(caller, text)));

/** The model of each memory in the index, and its number of vectors. */
async function models(): Promise<Map<string, [model: string, vectors: number]>> {
  const rows = await store.sql<{ id: string; model: string; vectors: number }>(
    `select d.memory_id::text as id, d.model, (select count(*) from search_vectors v where v.memory_id = d.memory_id) as vectors
       from search_documents d where d.model <> ''`,
  );
  return new Map(rows.map(({ id, model, vectors }) => [id, [model, vectors]]));
}

/** Runs the worker until there is nothing to do. @returns its steps */
async function embedAll(embedder: Embedder): Promise<number> {
  let time = 0;
  const embedding = embeddingOf(embedder, () => time);
  const watch = createModelWatch();
  const { database } = store;
  const parts = { database, embedding, prepare: prepareInSlices(), vault, log, owner: onlyOwner };
  const job = reembedding(parts, watch);
  let steps = 0;
  for (; watch.inProgress() && steps < 300; steps += 1) {
    await job.work(new AbortController().signal);
    time += 60_000;
  }
  return steps;
}

const fault = (embedder: Embedder) => faultsOf(searchIndex(embedder), store.database);

// @covers JOB-EMBEDDER-AWAY JOB-EMBEDDER-BACK
test('memories that were written during an outage have no vectors, which is no fault, and get them afterwards', async () => {
  const ids = await write(['one story', 'two stories', 'long '.repeat(8000)]);
  let reported = 0;
  const embedding = embeddingOf(server(away));
  await ingestWith(embedding, () => {
    reported += 1;
  });
  expect(reported).toBeGreaterThan(0);
  expect([...(await models()).values()]).toEqual(ids.map(() => [withoutVectors, 0]));
  expect(await fault(server(away))).toBe(null);
  // Also for a service that has the built-in embedder now.
  expect(await fault(lexicalEmbedder())).toBe(null);
  await embedAll(server(() => undefined));
  for (const [model, vectors] of (await models()).values()) {
    expect(model).toBe('of a server');
    expect(vectors).toBeGreaterThan(0);
  }
  expect(await fault(server(away))).toBe(null);
});

test('an index that is built during an outage has words only', async () => {
  await write(['one story', 'two stories']);
  await ingestWith(embeddingOf(server(() => undefined)));
  await rebuild(store.database, searchIndex(server(away)), { onProgress: () => undefined });
  expect([...(await models()).values()]).toEqual([
    [withoutVectors, 0],
    [withoutVectors, 0],
  ]);
  expect(await fault(server(away))).toBe(null);
  await embedAll(server(() => undefined));
  expect([...(await models()).values()]).toEqual([
    ['of a server', 1],
    ['of a server', 1],
  ]);
});

// @covers JOB-TEXT-REFUSED
test.each([
  ['refuses', () => new TextsRefused('400')],
  ['fails with', () => new EmbedderAway('500')],
])('a text that the server %s is given up, and all others get their vectors', async (_, failure) => {
  const ids = await write(Array.from({ length: 24 }, (_none, i) => (i === 8 ? 'a bad story' : `story ${i}`)));
  await ingestWith(embeddingOf(server(away)));
  let sent = 0;
  warned.length = 0;
  const some = server((text) => {
    if (!text.includes('bad')) return;
    sent += 1;
    throw failure();
  });
  await embedAll(some);
  const found = await models();
  const expected = ids.map((id, i): [string, [string, number]] => [id, ['of a server', i === 8 ? 0 : 1]]);
  expect([...found].sort()).toEqual(expected.sort());
  expect(warned).toEqual(expect.arrayContaining([expect.objectContaining({ memory: ids[8], chunks: 1 })]));
  const { length } = ids;
  expect(sent).toBeLessThan(length);
  // It is not sent again.
  sent = 0;
  expect(await embedAll(some)).toBe(1);
  expect(sent).toBe(0);
  expect(await fault(some)).toBe(null);
});

test('a text that is not the one that was written is looked at once, and the end comes', async () => {
  const [first = '', second = ''] = await write(['as it was', 'as it is']);
  await ingestWith(embeddingOf(server(away)));
  await store.sql(
    `update vault set content = 'altered' where receipt_id = (select receipt_id from memories where id = $1)`,
    [first],
  );
  altered = 0;
  await embedAll(server(() => undefined));
  expect(altered).toBe(1);
  const found = await models();
  expect([found.get(first), found.get(second)]).toEqual([
    [withoutVectors, 0],
    ['of a server', 1],
  ]);
});
