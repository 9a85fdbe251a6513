import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { packageRoot } from '../../../../src/base/package-root.js';
import { scrubSearchEngine } from '../../../../src/maintenance/search-engine.js';
import { openElasticsearch } from '../../../../src/wiring/elasticsearch.js';
import { openSecrets } from '../../../../src/wiring/start/secrets.js';
import { medianAndWorst } from '../../../faults/figures.js';
import { ask } from '../../../http/ask.js';
import { apiKey, eagerWorld, type Service, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';
import { repeats } from '../../../support/repeats.js';

/** A server of this test's own, which is killed and paused. */
const port = '23200';
const env = { ...process.env, ENGINE_NAME: 'search-faults', ENGINE_PORT: port };
const server = (action: string) =>
  promisify(execFile)(join(packageRoot, 'ops/engines'), [action, 'elasticsearch'], { env });
const files = join(tmpdir(), `counterfoil-engines/elasticsearch-search-faults-${port}/server/data`);
const url = `http://127.0.0.1:${port}`;
const cluster = lookAt(url);
let service: Service;

beforeAll(async () => {
  await server('start');
  service = await startService(cluster.env, eagerWorld);
  await until(
    'an index serves',
    async () => (await cluster.ask('GET', `_alias/${cluster.alias}`)).status === 200,
    60_000,
  );
}, 300_000);
afterAll(async () => {
  await service?.stop();
  await server('stop');
});

async function remember(content: string, more: object = {}): Promise<string> {
  const { json, status } = await service.call('POST', '/v1/memories', { content, ...more });
  expect(status).toBe(202);
  return json.memory_id;
}

const forget = (id: string) =>
  ask(service.app.server.listeningOrigin, 'DELETE', `/v1/memories/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });

const found = async (query: string): Promise<string[]> => {
  const { json } = await service.call('POST', '/v1/memories/search', { query });
  return json.data.map((hit: { memory_id: string }) => hit.memory_id);
};

const warnings = async (): Promise<string[]> => {
  const { status, json } = await service.call('GET', '/readyz');
  expect(status).toBe(200);
  return json.warnings ?? [];
};

/** The memories that Elasticsearch holds. */
const copied = async () => [...new Set([...(await cluster.documents()).keys()].map((id) => id.split(':')[0]))].sort();

/** Those that the database has indexed. */
async function ready(): Promise<string[]> {
  const rows = await service.app.database.read((tx) =>
    tx.query<{ id: string }>("select memory_id::text as id from search_documents where model <> '' order by 1"),
  );
  return rows.map(({ id }) => id);
}

/** The states of the indices that the database knows. */
async function states(): Promise<string[]> {
  const rows = await service.app.database.read((tx) => tx.query<{ state: string }>('select state from search_indices'));
  return rows.map(({ state }) => state);
}

const converged = async () => JSON.stringify(await copied()) === JSON.stringify(await ready());

/** The command, which gives up earlier. */
const scrub = (patienceMs: number) => {
  const other = { apiKey: undefined, ca: undefined, shards: 1, replicas: undefined, fallback: true };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { database } = service.app;
  const open = async () =>
    openElasticsearch(
      { ...other, url, indexPrefix: cluster.prefix },
      {
        database,
        secret: await openSecrets(database, eagerWorld),
        ledger: { async *follow() {} },
        world: eagerWorld,
        log,
        owner: eagerWorld.nonce(),
        model: lexicalEmbedder().model,
      },
    );
  return scrubSearchEngine(open, patienceMs)([], () => undefined);
};

/** The files of the server that hold the text. Files may be deleted meanwhile. */
function filesWith(text: string): string[] {
  const { stdout } = spawnSync('grep', ['-rlsaF', text, files], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((file) => relative(files, file));
}

describe('Elasticsearch with faults', () => {
  // @covers ESW-ERASURE ESW-UNCONFIRMED
  it('gets a deletion again until it is confirmed, while its disk is full', async () => {
    const id = await remember('The quartermaster counted nineteen barrels');
    await until('it is there', async () => (await copied()).includes(id));
    const [index = ''] = await cluster.indices();
    await cluster.ask('PUT', `${index}/_settings`, { 'index.blocks.read_only_allow_delete': true });
    const began = performance.now();
    const deleted = await forget(id);
    expect(performance.now() - began).toBeGreaterThan(1900);
    expect([deleted.status, deleted.headers.get('x-service-erasure')]).toEqual([200, 'pending']);
    expect(await found('quartermaster barrels')).not.toContain(id);
    expect(await warnings()).toContain('Elasticsearch has not confirmed 1 deletion.');
    const { text } = await service.call('GET', '/metrics');
    expect(text).toMatch(/counterfoil_erasures_pending\{engine="elasticsearch"\} 1/);
    const { ok, text: sentence } = await scrub(500);
    expect(ok).toBe(false);
    expect(sentence).toContain('Elasticsearch has not confirmed 1 deletion yet.');
    await cluster.ask('PUT', `${index}/_settings`, { 'index.blocks.read_only_allow_delete': null });
    await until('it is erased', async () => !(await copied()).includes(id));
    await until('nothing is reported', async () => (await warnings()).every((one) => !one.includes('Elasticsearch')));
  });

  // @covers ESW-SCRUB ESW-SCRUB-READER
  it('holds nothing of a deleted memory in its files after a scrub, which a reader of old files prevents', async () => {
    const id = await remember('The ferryman wore a yellow coat', { source: 'zanzibarquux-ledger' });
    const tail = id.slice(-12);
    const kept = await remember('The ferryman came home late');
    await until('they are there', async () => (await copied()).includes(id) && (await copied()).includes(kept));
    await cluster.ask('POST', `${cluster.alias}/_flush`);
    expect([tail, 'zanzibarquux'].filter((text) => filesWith(text).length === 0)).toEqual([]);
    const [index = ''] = await cluster.indices();
    const { json: reader } = await cluster.ask('POST', `${cluster.alias}/_pit?keep_alive=2m`);
    expect((await forget(id)).status).toBe(200);
    await until('it is erased', async () => !(await copied()).includes(id));
    const held = await scrub(2000);
    expect(held.ok).toBe(false);
    expect(held.text).toContain(`The index ${index} is read by 1 open scroll`);
    await cluster.ask('DELETE', '_pit', { id: reader.id });
    const done = await service.app.maintenance.get('scrub')?.(['--search'], () => undefined);
    expect(done).toEqual({ ok: true, text: 'The files of Elasticsearch hold nothing of what was deleted.' });
    expect([tail, 'zanzibarquux'].flatMap(filesWith)).toEqual([]);
    expect(filesWith(kept.slice(-12))).not.toEqual([]);
  });

  // @covers ESW-REPLACED
  it('gets a new index for one that was lost, and for one that is replaced by command', async () => {
    const [lost = ''] = await cluster.indices();
    await cluster.ask('DELETE', lost);
    await until('the lost index is replaced', async () => !(await cluster.indices()).includes(lost));
    // A command that comes while an index is being built waits for that one, so this one is complete for the database too.
    await until('another index serves', async () => (await states()).join() === 'serving' && (await converged()));
    const [old = ''] = await cluster.indices();
    const done = await service.app.maintenance.get('replay')?.(['elasticsearch'], () => undefined);
    expect(done?.ok).toBe(true);
    await until('the old index is deleted', async () => {
      const indices = await cluster.indices();
      return indices.length === 1 && !indices.includes(old);
    });
    // An index may begin to serve while a few memories are missing there; searches in their namespaces do not use it yet.
    await until('the new one is complete', converged);
  });

  // @covers ESW-READY ESW-REVIVED
  it('holds what the database has after it was killed and paused under load, and nothing that was deleted', async () => {
    const kept: string[] = [];
    const gone: string[] = [];
    let isOver = false;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const load = (async () => {
      for (let i = 0; !isOver; i += 1) {
        const id = await remember(`Page ${i} of the log of the lighthouse`);
        if (i % 3 === 0) gone.push(id);
        else kept.push(id);
        const old = gone.at(-2);
        if (i % 3 === 0 && old !== undefined) expect((await forget(old)).status).toBe(200);
        await pause(20);
      }
    })();
    const recoveries: number[] = [];
    for (let i = 0; i < repeats('SEARCH_KILLS'); i += 1) {
      await pause(500);
      await server('kill');
      await pause(500);
      await server('start');
      const startedAt = performance.now();
      const id = await remember(`Page of the log after the kill ${i}`);
      kept.push(id);
      await until('a write is copied again', async () => (await copied()).includes(id), 60_000);
      recoveries.push(performance.now() - startedAt);
    }
    await pause(500);
    await server('pause');
    const content = 'The lighthouse keeper writes while no one answers';
    const { memory_id: id, job_id } = (await service.call('POST', '/v1/memories', { content })).json;
    await service.settled();
    const { json: job } = await service.call('GET', `/v1/ingest/${job_id}`);
    expect(job).toMatchObject({ stage: 'done', attempts: 0, failure_reason: null });
    expect(await found('keeper no one answers')).toContain(id);
    await server('resume');
    isOver = true;
    await load;
    const last = gone.at(-1);
    if (last !== undefined) await forget(last);
    await service.settled();
    await until('both hold the same', converged, 30_000);
    const there = await copied();
    expect(gone.length).toBeGreaterThan(3);
    expect(gone.filter((one) => there.includes(one))).toEqual([]);
    expect([...kept, id].filter((one) => !there.includes(one))).toEqual([]);
    console.log(
      `${recoveries.length} kills, ${kept.length + gone.length} written, ${gone.length} deleted, none missing or revived; ` +
        `a write is copied again after ${medianAndWorst(recoveries)}`,
    );
  });
});
