import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { apiKey, eagerWorld, type Service, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';
import { gateTo } from '../../../search/elasticsearch/gate.js';
import { elasticsearchUrl } from '../../../support/engines.js';
import { preparedDirectory } from '../../../support/prepared-store.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const cranes = Array.from({ length: 12 }, (_, n) => `The log of pier ${n} is in /srv/quay/crane-${n}.conf`);

async function remember(on: Service, content: string): Promise<string> {
  const { status, json } = await on.call('POST', '/v1/memories', { content });
  expect(status).toBe(202);
  return json.memory_id;
}

async function search(on: Service, query: string) {
  const { status, json } = await on.call('POST', '/v1/memories/search', { query });
  expect(status).toBe(200);
  const found: string[] = json.data.map((hit: { memory_id: string }) => hit.memory_id);
  return { mode: json.mode, degraded: String(json.degraded), found };
}

/**
 * A store whose index in Elasticsearch is of an earlier version, in which every second memory had no words and no vector. No
 * service runs on it.
 */
async function olderStore() {
  const cluster = lookAt();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-older-'));
  await preparedDirectory(directory);
  const gate = await gateTo(elasticsearchUrl());
  ends.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => cluster.remove(),
    gate.close,
  );
  const env = { ...cluster.env, ELASTICSEARCH_URL: gate.url, DATA_DIR: directory };
  const on = await startService(env, eagerWorld);
  const ids = await Promise.all(cranes.map((content) => remember(on, content)));
  await until('they are copied', async () => (await cluster.documents()).size === ids.length, 60_000);
  // So that this service does not build the new index.
  gate.fail(() => ({ status: 503 }));
  await on.app.database.transaction((tx) => tx.query('update search_indices set version = version - 1'));
  await on.app.close();
  const [index = ''] = await cluster.indices();
  const documents = await cluster.documents();
  for (const id of ids.filter((_, n) => n % 2 === 0).map((memory) => `${memory}:0`)) {
    const { version, fields } = documents.get(id) ?? {};
    await cluster.ask('PUT', `${index}/_doc/${id}?version=${version}&version_type=external_gte`, fields);
  }
  gate.fail(() => undefined);
  return { cluster, gate, env, index, ids };
}

// @covers ESW-REPLACED
it.each([
  'on',
  'off',
] as const)('an index of an earlier version is made again beside the old one, and nothing is lost, SEARCH_FALLBACK=%s', async (fallback) => {
  const { cluster, gate, env, index, ids } = await olderStore();
  let release = () => {};
  const heldUntil = new Promise<void>((resolve) => {
    release = resolve;
  });
  const searched: string[] = [];
  gate.fail((path, body) => {
    if (path.includes('_msearch')) searched.push(body);
    return path.includes('_bulk') && !path.includes(index) ? { heldUntil } : undefined;
  });
  const on = await startService({ ...env, SEARCH_FALLBACK: fallback }, eagerWorld);
  ends.push(on.stop, release);
  await until('the new index is being filled', async () => gate.counts.faults > 0, 60_000);

  // While it is being filled, memories are written and deleted, and searches are answered.
  const origin = on.app.server.listeningOrigin;
  const [deleted = '', ...kept] = ids;
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await ask(origin, 'DELETE', `/v1/memories/${deleted}`, { headers })).status).toBe(200);
  kept.push(await remember(on, 'The log of pier 12 is in /srv/quay/crane-12.conf'));
  await on.settled();
  expect((await cluster.ask('GET', `_alias/${cluster.alias}`)).json).toHaveProperty([index]);
  const { found, ...how } = await search(on, 'crane-7.conf');
  expect(how).toEqual({ mode: 'fused', degraded: fallback === 'on' ? '' : 'reindexing' });
  expect(found).toContain(ids[7]);
  if (fallback === 'on') expect(searched).toEqual([]);
  else expect(searched.every((body) => body.includes(`"${index}"`)) && searched.length > 0).toBe(true);

  // From here until the old index is gone each search is answered, too.
  release();
  await until(
    'the old index is deleted',
    async () => {
      expect((await search(on, 'crane-7.conf')).found).toContain(ids[7]);
      const indices = await cluster.indices();
      return indices.length === 1 && !indices.includes(index);
    },
    60_000,
  );
  const isWhole = async () => {
    const there = [...(await cluster.documents()).keys()].map((id) => id.split(':')[0]);
    return String(there.sort()) === String([...kept].sort());
  };
  await until('the new index has what the database has', isWhole, 60_000);
  await until(
    'it is searched',
    async () => {
      searched.length = 0;
      return (await search(on, 'crane-12.conf')).degraded === '' && searched.length > 0;
    },
    60_000,
  );
  searched.length = 0;
  for (const [n, id] of kept.entries()) expect((await search(on, `crane-${n + 1}.conf`)).found[0]).toBe(id);
  expect(searched.length).toBe(kept.length);
}, 240_000);
