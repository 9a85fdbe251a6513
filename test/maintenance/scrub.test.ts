// @projects slow
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/adapters/database/database.js';
import { answering, once } from '../../src/commands/once.js';
import { recordRecall } from '../../src/commands/record-recall.js';
import type { Caller } from '../../src/domain/caller.js';
import { forget, scrub, toForget } from '../../src/maintenance/scrub.js';
import { realWorld } from '../../src/world.js';
import { newStore, type Store } from './store.js';

let store: Store;
beforeEach(async () => {
  store = await newStore();
});
afterEach(() => store.close());

/** The files of the data directory that hold one of the needles, with the needle's name. */
function filesWith(needles: ReadonlyMap<string, Buffer>): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(store.directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const [name, needle] of needles) if (bytes.includes(needle)) found.push(`${entry.name}: ${name}`);
  }
  return found;
}

/** What was made of the memories: their words, vectors and the hash by which a duplicate is known. */
async function derived(ids: readonly string[]): Promise<[string, Buffer][]> {
  const words = await store.sql<{ word: string }>(
    `select distinct unnest(tsvector_to_array(words)) as word from search_texts where memory_id = any($1::uuid[])`,
    [ids],
  );
  const vectors = await store.sql<{ vector: string }>(
    'select embedding::text as vector from search_vectors where memory_id = any($1::uuid[])',
    [ids],
  );
  const hashes = await store.sql<{ hash: string }>(
    'select content_hash as hash from memories where id = any($1::uuid[])',
    [ids],
  );
  const secret = words.map(({ word }) => word).filter((word) => /^(secret|outofline)/.test(word));
  expect(secret.length).toBeGreaterThan(100);
  expect(vectors.length).toBeGreaterThanOrEqual(ids.length);
  return [
    ...secret.slice(0, 50).map((word): [string, Buffer] => [`word ${word}`, Buffer.from(word)]),
    ...vectors.map(({ vector }, i): [string, Buffer] => {
      const components: number[] = JSON.parse(vector);
      return [`vector ${i}`, Buffer.from(Float32Array.from(components.slice(-16)).buffer)];
    }),
    ...hashes.flatMap(({ hash }, i): [string, Buffer][] => [
      [`content hash ${i}`, Buffer.from(hash)],
      [`content hash ${i} in bytes`, Buffer.from(hash, 'hex')],
    ]),
  ];
}

/** A search under an Idempotency-Key whose answer shows the memories. @returns what tells its request from others */
async function answeredUnderAKey(caller: Caller, ids: readonly string[]): Promise<string> {
  const rows = await store.sql<{ receipt_id: string }>(
    'select receipt_id from memories where id = any($1::uuid[]) order by id limit 8',
    [ids],
  );
  const recall = { namespace_ids: caller.namespaceIds, mode: 'keyword', degraded: [], k: 8, results: [] };
  const command = answering(recordRecall(realWorld, caller, 'secrets', recall), () => ({
    status: 200,
    body: { data: ['secretanswer secretcontent'] },
  }));
  const digest = 'd1'.repeat(32);
  const shown = rows.map((row) => row.receipt_id);
  await store.run(caller.workspaceId, once(command, { requestKey: 'key', digest }, shown));
  return digest;
}

/** The two ways to forget: all tables written anew, and page by page. */
const ways: readonly (readonly [string, (database: Database) => Promise<void>])[] = [
  ['a scrub', (database) => scrub(database, () => undefined)],
  ['forgetting in small steps', (database) => forget(database, async () => undefined)],
];

test.each(ways)('after %s no file holds a byte of what was deleted', async (_name, way) => {
  const caller = await store.openWorkspace();
  const kept = await store.add(caller, 'keptcontent stays where it is', '{"tag": "keptmetadata"}');
  // Short enough to stand in the row, long enough to stand outside of it, and often enough to be a common value.
  const long = Array.from({ length: 800 }, (_, i) => `outofline${(i * 7919) % 10007}`).join(' ');
  const ids = await Promise.all([
    store.add(caller, 'secretcontent never to be seen again', '{"tag": "secretmetadata"}'),
    store.add(caller, `secretlong ${long}`, '{"tag": "secretmetadata"}'),
    ...Array.from({ length: 40 }, (_, i) => store.add(caller, `secretcontent ${i}`, '{"tag": "secretmetadata"}')),
  ]);
  await store.ingest();
  const salts = await store.sql<{ salt: Uint8Array; content: string }>(
    `select v.salt, v.content from vault v join memories m using (receipt_id) where m.id = any($1::uuid[])`,
    [ids],
  );
  const digest = await answeredUnderAKey(caller, ids);
  const needles = new Map<string, Buffer>([
    ...(await derived(ids)),
    ['answer to a repeated request', Buffer.from('secretanswer')],
    ['digest of a repeated request', Buffer.from(digest)],
    ['content', Buffer.from('secretcontent')],
    ['long content', Buffer.from('secretlong')],
    ['metadata', Buffer.from('secretmetadata')],
    ...salts.flatMap(({ salt, content }, i): [string, Buffer][] => [
      [`salt ${i}`, Buffer.from(salt)],
      [`salt ${i} in hex`, Buffer.from(Buffer.from(salt).toString('hex'))],
      [`content ${i}`, Buffer.from(content).subarray(0, 20)],
    ]),
  ]);
  await store.database.maintain('vacuum (analyze)');
  await store.database.maintain('checkpoint');
  expect(filesWith(needles).length).toBeGreaterThan(0);

  for (const id of ids) await store.remove(caller, id);
  await store.database.maintain('vacuum (analyze)');
  await store.database.maintain('checkpoint');
  // Why a vacuum is not enough. If this ever fails, scrubbing has become superfluous.
  expect(filesWith(needles).length).toBeGreaterThan(0);

  expect(await toForget(store.database)).toMatchObject({ any: true });
  await way(store.database);
  expect(await toForget(store.database)).toEqual({ any: false, everywhere: false });
  expect(filesWith(needles)).toEqual([]);
  expect(filesWith(new Map([['kept', Buffer.from('keptcontent')]])).length).toBeGreaterThan(0);
  expect(await store.sql('select id::text from memories')).toEqual([{ id: kept }]);
});
