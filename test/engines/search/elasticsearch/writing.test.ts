import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { embeddingsServer } from '../../../http/embeddings-server.js';
import { owner } from '../../../http/people.js';
import { type Person, signedIn } from '../../../http/person.js';
import { apiKey, eagerWorld, type Service, startService } from '../../../http/service.js';
import { lookAt, until } from '../../../search/elasticsearch/cluster.js';

const cluster = lookAt();
let service: Service;
let person: Person;

const remember = async (content: string, more: object = {}): Promise<string> => {
  const { json, status } = await service.call('POST', '/v1/memories', { content, ...more });
  expect(status).toBe(202);
  return json.id ?? json.memory_id;
};

const forget = (id: string) =>
  ask(service.app.server.listeningOrigin, 'DELETE', `/v1/memories/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });

const ofMemory = async (id: string) => [...(await cluster.documents())].filter(([key]) => key.startsWith(id));

beforeAll(async () => {
  service = await startService(
    { ...cluster.env, ELASTICSEARCH_REPLICAS: '0', OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password },
    eagerWorld,
  );
  person = await signedIn(service, owner);
  await until('an index serves', async () => (await cluster.ask('GET', `_alias/${cluster.alias}`)).status === 200);
});

afterAll(async () => {
  await service?.stop();
  await cluster.remove();
});

describe('memories in Elasticsearch', () => {
  // @covers ESW-DOCUMENTS ESW-METADATA
  it('are whole documents with the version of their last entry, and without metadata', async () => {
    const id = await remember('The harbour of Trondheim freezes in January', {
      metadata: { colour: 'ultramarine' },
      source: 'diary',
    });
    await until('it is there', async () => (await ofMemory(id)).length === 1);
    const [[key, { version, fields }] = ['', { version: 0, fields: {} }]] = await ofMemory(id);
    expect(key).toBe(`${id}:0`);
    expect(Object.keys(fields).sort()).toEqual(['chunk', 'memory', 'namespace', 'seq', 'source', 'time', 'workspace']);
    expect(Math.floor(version / 65536)).toBe(fields.seq);
  });

  // @covers ESW-DOCUMENTS ESW-CONFIRMED
  it('have a document for each chunk, which all go when the memory is deleted', async () => {
    const id = await remember(
      'Every ship that enters the fjord is entered in the book of the harbour master. '.repeat(60),
    );
    await until('they are there', async () => (await ofMemory(id)).length > 3);
    const deleted = await forget(id);
    expect(deleted.status).toBe(200);
    expect(deleted.headers.get('x-service-erasure')).toBe(null);
    expect(await ofMemory(id)).toEqual([]);
  });

  // @covers ESW-DOCUMENTS
  it('follow a memory into another namespace, with the version of that entry', async () => {
    const content = 'The barometer fell during the night';
    const { json: space } = await person.call('POST', '/v1/namespaces', { name: 'attic' });
    const { memory_id: id } = (await person.call('POST', '/v1/memories', { content, namespace: 'attic' })).json;
    await until('it is there', async () => (await ofMemory(id)).length === 1);
    const [[, before] = []] = await ofMemory(id);
    expect(before?.fields.namespace).toBe(space.id);
    const moved = await person.call('DELETE', `/v1/namespaces/${space.id}?move_to=default`);
    expect(moved.status).toBe(200);
    const seqOf = (version = 0) => Math.floor(version / 65536);
    await until('it has moved', async () => {
      const [[, after] = []] = await ofMemory(id);
      return after?.fields.namespace !== space.id && seqOf(after?.version) > seqOf(before?.version);
    });
  });
});

// @covers ESW-REPLICAS
it('the index that serves gets the number of copies of the setting', async () => {
  const [index = ''] = await cluster.indices();
  await cluster.ask('PUT', `${index}/_settings`, { number_of_replicas: 1 });
  await until('it has none again', async () => {
    const { json } = await cluster.ask('GET', `${index}/_settings`);
    return json[index].settings.index.number_of_replicas === '0';
  });
});

// @covers JOB-EMBEDDER-AWAY JOB-EMBEDDER-BACK JOB-TEXT-REFUSED
it('what is written while the embedder is away is found by words in Elasticsearch too, and later by vectors', async () => {
  const own = lookAt();
  const embeddings = await embeddingsServer();
  embeddings.state.behaviour = 'fails';
  const on = await startService({ ...own.env, ...embeddings.env, SEARCH_FALLBACK: 'off' }, eagerWorld);
  const search = async (query: string) => (await on.call('POST', '/v1/memories/search', { query })).json;
  const write = async (content: string): Promise<string> =>
    (await on.call('POST', '/v1/memories', { content })).json.memory_id;
  const idsOf = (hits: readonly { memory_id: string }[] = []) => hits.map(({ memory_id }) => memory_id).sort();
  try {
    const ids = [await write('the lighthouse keeper sleeps'), await write('an unembeddable lighthouse')].sort();
    await until('Elasticsearch finds them by words', async () => {
      const { mode, degraded, data } = await search('lighthouse');
      return mode === 'keyword' && String(degraded) === 'dense_unavailable' && String(idsOf(data)) === String(ids);
    });
    expect([...(await own.documents()).keys()].sort()).toEqual(ids.map((id) => `${id}:0`));
    embeddings.state.behaviour = 'answers';
    await until('it is complete', async () => {
      const { degraded, data } = await search('abc abcdefghij wwwwww aaaaaa');
      const near = data?.filter(({ signals }: { signals: { dense: object | null } }) => signals.dense !== null);
      return degraded?.length === 0 && near.length === 1;
    });
    expect(idsOf((await search('lighthouse')).data)).toEqual(ids);
    for (const id of ids) await on.call('DELETE', `/v1/memories/${id}`);
    await until('it is empty', async () => (await own.documents()).size === 0);
  } finally {
    await on.stop();
    await embeddings.close();
    await own.remove();
  }
});
