// @projects engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../http/ask.js';
import { apiKey, eagerWorld, type Service, startService } from '../../http/service.js';
import { lookAt, until } from './cluster.js';

const cluster = lookAt();
let service: Service;

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
  service = await startService(cluster.env, eagerWorld);
  await until('an index serves', async () => (await cluster.ask('GET', `_alias/${cluster.alias}`)).status === 200);
});

afterAll(async () => {
  await service?.stop();
  await cluster.remove();
});

describe('memories in Elasticsearch', () => {
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

  it('follow a memory into another namespace, with the version of that entry', async () => {
    const { json: space } = await service.call('POST', '/v1/namespaces', { name: 'attic' });
    const id = await remember('The barometer fell during the night', { namespace_id: space.id });
    await until('it is there', async () => (await ofMemory(id)).length === 1);
    const [[, before] = []] = await ofMemory(id);
    const { json: all } = await service.call('GET', '/v1/namespaces');
    const home = all.data.find((one: { is_default: boolean }) => one.is_default).id;
    await service.call('DELETE', `/v1/namespaces/${space.id}?move_to=${home}`);
    const seqOf = (version = 0) => Math.floor(version / 65536);
    await until('it has moved', async () => {
      const [[, after] = []] = await ofMemory(id);
      return after?.fields.namespace === home && seqOf(after?.version) > seqOf(before?.version);
    });
  });
});
