import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import { code } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { aDecision } from '../../support/decisions.js';
import { stores } from '../../support/stores.js';

/** The receipts of a workspace that keys see, before and after someone makes a namespace. The same on every store. */
describe.each(stores)('the scope receipts.read on %s', () => {
  let service: Service;
  let owner: Person;
  let home: string;
  const keys: Record<string, string> = {};
  const made = async (name: string, scopes: readonly string[], namespace_ids: readonly string[]) => {
    keys[name] = (await owner.call('POST', '/v1/keys', { name, scopes, namespace_ids })).json.key;
  };
  beforeAll(async () => {
    service = await startService();
    const admin = administration(service);
    const { workspaceId, namespaceId } = await admin.first();
    home = namespaceId;
    owner = await signedIn(service, await admin.member(workspaceId, 'owner'));
    // As earlier versions have recorded them.
    const old = await admin.namespace(workspaceId, 'old');
    keys['of before, everywhere'] = await admin.key(workspaceId, { namespaceIds: [home, old] });
    keys['of before, at home'] = await admin.key(workspaceId, { namespaceIds: [home] });
    keys['of before, with scopes'] = await admin.key(workspaceId, {
      namespaceIds: [home, old],
      scopes: ['memory.read', 'memory.write'],
    });
    await made('without scopes', [], [home, old]);
    await made('of memories', ['memory.read', 'memory.write'], [home, old]);
    await made('of receipts', ['receipts.read'], [home]);
    await made('of both', ['memory.read', 'receipts.read'], [home]);
    await owner.call('POST', '/v1/memories', { content: 'at home' }, { prefer: 'wait=10' });
    await owner.call('POST', '/v1/memories', { content: 'elsewhere', namespace: 'old' }, { prefer: 'wait=10' });
  });
  afterAll(() => service.stop());

  const as = (key: string, method: string, path: string, body?: unknown) =>
    service.call(method, path, body, key === 'of the first start' ? {} : { authorization: `Bearer ${keys[key]}` });
  const all = ['of the first start', 'of before, everywhere', 'of receipts', 'of both'];

  interface Receipt {
    readonly id: string;
    readonly kind: string;
  }
  const receiptsOf = async (key: string): Promise<Receipt[]> =>
    (await as(key, 'GET', '/v1/receipts?limit=100')).json.data;

  async function seenBy(key: string) {
    const kinds = (await receiptsOf(key)).map(({ kind }) => kind);
    return {
      governance: kinds.some((kind) => kind === 'key.created'),
      memories: kinds.filter((kind) => kind === 'memory.write').length,
      export: (await as(key, 'GET', '/v1/receipts/export')).status,
    };
  }

  const expected = () => ({
    'of the first start': { governance: true, memories: 2, export: 200 },
    'of before, everywhere': { governance: true, memories: 2, export: 200 },
    'of before, at home': { governance: false, memories: 1, export: 403 },
    'of before, with scopes': { governance: false, memories: 2, export: 403 },
    'without scopes': { governance: false, memories: 2, export: 403 },
    'of memories': { governance: false, memories: 2, export: 403 },
    'of receipts': { governance: true, memories: 2, export: 200 },
    'of both': { governance: true, memories: 2, export: 200 },
  });
  const seen = async () => {
    const names = Object.keys(expected());
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await seenBy(name)])));
  };

  // @covers RECEIPTS-READ
  it('is the same before and after a namespace is made', async () => {
    expect(await seen()).toEqual(expected());
    const { status, json } = await owner.call('POST', '/v1/namespaces', { name: 'later' });
    expect(status).toBe(201);
    expect(await seen()).toEqual(expected());
    // Its receipts are governance too, and those of its memories are seen by the keys of all receipts.
    const { receipt_id } = (await owner.call('POST', '/v1/memories', { content: 'in a later one', namespace: 'later' }))
      .json;
    for (const key of Object.keys(expected())) {
      const sees = key === 'of receipts' || key === 'of both' || key === 'of the first start';
      const found = await as(key, 'GET', `/v1/receipts/${receipt_id}`);
      expect([key, found.status]).toEqual([key, sees ? 200 : 403]);
      const listed = await as(key, 'GET', `/v1/receipts?namespace_id=${json.id}&kind=memory.write`);
      expect([key, listed.json.data?.length ?? listed.status]).toEqual([key, sees ? 1 : 403]);
      const proof = await as(key, 'GET', `/v1/receipts/${receipt_id}/proof`);
      expect([key, proof.status, proof.json.disclosed]).toEqual([key, sees ? 200 : 403, undefined]);
    }
  });

  // @covers RECEIPTS-READ-ALONE
  it('opens no memory alone', async () => {
    const { json } = await owner.call('GET', '/v1/memories');
    const { id, receipt_id } = json.data.find((one: { excerpt: string }) => one.excerpt === 'at home');
    const requests: [string, string, unknown?][] = [
      ['GET', '/v1/memories'],
      ['GET', `/v1/memories/${id}`],
      ['GET', '/v1/memories/export'],
      ['GET', '/v1/ingest'],
      ['GET', `/v1/memories/${id}/recalls`],
      ['GET', '/v1/namespaces'],
      ['POST', '/v1/memories', { content: 'no' }],
      ['POST', '/v1/memories/search', { query: 'home' }],
      ['DELETE', `/v1/memories/${id}`],
    ];
    for (const [method, path, body] of requests) {
      expect([path, ...code(await as('of receipts', method, path, body))]).toEqual([path, 403, 'insufficient_scope']);
    }
    const shown = async (key: string) =>
      (await as(key, 'GET', `/v1/receipts/${receipt_id}/proof`)).json.disclosed?.content ?? null;
    expect(await shown('of receipts')).toBeNull();
    expect(await shown('of both')).toBe('at home');
    expect(code(await as('of both', 'GET', `/v1/memories/${id}`))).toEqual([200, null]);
  });

  // @covers RECEIPTS-READ-ALONE
  it('shows the texts of decisions to those who reach their namespace', async () => {
    const admin = administration(service);
    const { workspaceId } = await admin.first();
    const { data } = (await owner.call('GET', '/v1/namespaces')).json;
    for (const { id, name } of data.filter((one: { name: string }) => one.name !== 'later'))
      await admin.decision(workspaceId, id, { ...aDecision, text: { summary: `decided in ${name}` } });
    const { json } = await as('of receipts', 'GET', '/v1/receipts?kind=decision');
    expect(json.data.map(({ decision }: { decision: { summary?: string } }) => decision.summary ?? null)).toEqual([
      null,
      'decided in default',
    ]);
  });

  it('is refused the export with the scope that it needs', async () => {
    for (const key of ['without scopes', 'of memories', 'of before, with scopes']) {
      const { json } = await as(key, 'GET', '/v1/receipts/export');
      expect([key, json.error.code, json.error.details]).toEqual([
        key,
        'insufficient_scope',
        { required: 'receipts.read' },
      ]);
    }
    expect(code(await as('of before, at home', 'GET', '/v1/receipts/export'))).toEqual([403, 'namespace_out_of_scope']);
  });

  it('is no scope of the keys of agents', async () => {
    const { json } = await owner.call('POST', '/v1/agents', { agent_id: `agn_${'d'.repeat(32)}` });
    const asked = { name: 'agent', scopes: ['receipts.read'] };
    expect(code(await owner.call('POST', `/v1/agents/${json.id}/keys`, asked))).toEqual([400, 'invalid_request']);
  });

  it('ends with the key, and with the last namespace that it is bound to', async () => {
    const listed = (await owner.call('GET', '/v1/keys')).json.data;
    for (const name of all.slice(2)) {
      const { key_id } = listed.find((one: { name: string }) => one.name === name);
      await owner.call('PUT', `/v1/keys/${key_id}/namespaces`, { namespace_ids: [] });
      expect(code(await as(name, 'GET', '/v1/receipts'))).toEqual([403, 'key_has_no_namespaces']);
      expect(code(await as(name, 'GET', '/v1/receipts/export'))).toEqual([403, 'key_has_no_namespaces']);
    }
  });
});
