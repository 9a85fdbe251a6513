import { beforeAll, describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/api/names.js';
import type { Transaction } from '../../../src/database/database.js';
import type { Caller } from '../../../src/domain/caller.js';
import { code, usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

const agent = `agn_${'n'.repeat(32)}`;

/** The names behind ids. The same on every store. */
describe.each(stores)('include=names on %s', () => {
  const people = usePeople();
  let key: { key_id: string; key: string };
  let namespaceId: string;
  let ownerId: string;
  let memoryId: string;
  let approvalId: string;
  let token: string;
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  const withKey = (method: string, path: string, body?: object) => people.withKey(key.key, method, path, body);
  const email = 'Owner@Example.org';

  beforeAll(async () => {
    namespaceId = await people.namespaceNamed('letters');
    ownerId = (await owner('GET', '/v1/session')).json.user.id;
    key = await people.newKey({ name: 'the desk', namespace_ids: [namespaceId], agent_id: agent, user_id: ownerId });
    token = (await owner('POST', '/v1/agents', { agent_id: agent, name: 'Concierge' })).json.id;
    const content = { content: 'a letter from the harbour', namespace: namespaceId };
    memoryId = (await withKey('POST', '/v1/memories', content)).json.memory_id;
    await withKey('POST', '/v1/memories/search', { query: 'harbour' });
    await owner('POST', `/v1/memories/${memoryId}/invalidate`, { reason: 'no' });
    const held = await withKey('POST', '/v1/memories/bulk-delete', { ids: [memoryId] });
    approvalId = held.json.error.details.approval_id;
  });

  const places = () => [
    `/v1/receipts?memory_id=${memoryId}&`,
    `/v1/receipts?memory_id=${memoryId}&after=0&`,
    `/v1/memories?namespace_id=${namespaceId}&`,
    `/v1/memories/${memoryId}?`,
    `/v1/approvals/${approvalId}/memories?`,
  ];

  // @covers NAMES-SHOWN
  it('names everyone and everything that an answer shows, by its id', async () => {
    const all = { [key.key_id]: 'the desk', [ownerId]: email, [agent]: 'Concierge', [namespaceId]: 'letters' };
    const ofMemory = { [ownerId]: email, [agent]: 'Concierge', [namespaceId]: 'letters' };
    for (const place of places()) {
      const { status, json } = await owner('GET', `${place}include=names`);
      expect([place, status, json.names]).toEqual([place, 200, place.includes('receipts') ? all : ofMemory]);
      expect((await owner('GET', place)).json).not.toHaveProperty('names');
    }
    const recalls = (await owner('GET', `/v1/memories/${memoryId}/recalls?include=names`)).json;
    expect([recalls.data.length, recalls.names]).toEqual([1, all]);
    const receipt = recalls.data[0].receipt_id;
    expect((await owner('GET', `/v1/receipts/${receipt}?include=names`)).json.names).toEqual(all);
    const asked = { [key.key_id]: 'the desk', [ownerId]: email, [agent]: 'Concierge' };
    expect((await owner('GET', `/v1/approvals/${approvalId}?include=names`)).json.names).toEqual(asked);
    expect((await owner('GET', '/v1/approvals?include=names')).json.names).toEqual(asked);
    const both = (await owner('GET', `/v1/memories?namespace_id=${namespaceId}&include=total,names`)).json;
    expect([both.total.value, both.names]).toEqual([1, ofMemory]);
    const linked = (await owner('GET', '/v1/receipts?kind=agent.linked&include=names')).json;
    expect(linked.names).toEqual({ [ownerId]: email, [agent]: 'Concierge', [token]: 'Concierge' });
  });

  it('names the client of a grant', async () => {
    const { workspaceId } = people.first();
    const grant = await people.admin().grant(workspaceId, ownerId, { namespaceIds: [namespaceId] });
    const { names } = (await owner('GET', '/v1/receipts?kind=grant.created&include=names')).json;
    expect(names).toMatchObject({ [grant]: 'Desk', [ownerId]: email, [namespaceId]: 'letters' });
  });

  // @covers NAMES-PEOPLE
  it('shows e-mail addresses to members and up only', async () => {
    for (const place of places().slice(0, 4)) {
      for (const [by, person] of [
        ['admin', email],
        ['member', email],
        ['reader', 'a person'],
      ] as const) {
        const { json } = await people.as(by).call('GET', `${place}include=names`);
        expect([place, by, json.names[ownerId]]).toEqual([place, by, person]);
      }
      const reply = await withKey('GET', `${place}include=names`);
      expect([place, reply.json.names[ownerId], reply.json.names[namespaceId]]).toEqual([place, 'a person', 'letters']);
      expect(reply.text).not.toContain('@');
    }
  });

  // @covers NAMES-GONE
  it('has no name for what is gone, out of reach or a text of a caller', async () => {
    const other = await people.newKey({ name: 'gone soon' });
    const old = await people.namespaceNamed('the attic');
    const moved = (await owner('POST', '/v1/memories', { content: 'a box', namespace: old })).json.memory_id;
    const before = (await owner('GET', `/v1/receipts?memory_id=${moved}&include=names`)).json.names;
    expect(before[old]).toBe('the attic');
    // A task receipt with members of these names names no one.
    const text = { member_id: ownerId, namespace_id: namespaceId, agent_id: agent, key_id: key.key_id };
    const task = taskReceipt({ receipt_id: 'curious', ...text });
    expect((await people.withKey(other.key, 'POST', '/v1/receipts', task)).status).toBe(201);
    const curious = '/v1/receipts/curious?include=names';
    expect((await owner('GET', curious)).json.names).toEqual({ [other.key_id]: 'gone soon' });
    await owner('DELETE', `/v1/keys/${other.key_id}`);
    expect((await owner('GET', curious)).json.names).toEqual({});
    await owner('DELETE', `/v1/namespaces/${old}?move_to=${namespaceId}`);
    const moves = `/v1/receipts?memory_id=${moved}&kind=memory.moved&include=names`;
    expect((await owner('GET', moves)).json.names).toEqual({ [ownerId]: email, [namespaceId]: 'letters' });
    for (const path of [`/v1/memories/${memoryId}`, '/v1/memories', '/v1/receipts', '/v1/approvals', curious]) {
      const wrong = path.includes('?') ? path.replace('names', 'emails') : `${path}?include=emails`;
      expect([path, ...code(await owner('GET', wrong))]).toEqual([path, 400, 'invalid_request']);
    }
    const foreign = await people.admin().workspace();
    expect((await people.withKey(foreign.key, 'GET', '/v1/memories?include=names')).json.names).toEqual({});
  });

  // @covers NAMES-GONE
  it('asks once for each answer, and names nothing of another workspace', async () => {
    const foreign = await people.admin().workspace();
    const first = people.first().workspaceId;
    const other = (await withForeign(foreign.workspaceId)).names;
    expect(other).toEqual({});
    const own = await withForeign(first);
    expect(own).toEqual({
      statements: 1,
      names: { [key.key_id]: 'the desk', [ownerId]: email, [agent]: 'Concierge', [namespaceId]: 'letters' },
    });
  });

  async function withForeign(workspaceId: string) {
    const person = {
      type: 'person',
      id: ownerId,
      user_id: ownerId,
      agent_id: null,
      app_id: null,
      run_id: null,
    } as const;
    const rights = { scopes: [], namespaceIds: [namespaceId], agent: null, role: 'owner', memoryApi: true } as const;
    const caller: Caller = { workspaceId, actor: person, ...rights };
    const names = namesFor(caller, true);
    names.note({
      actor: { id: key.key_id, user_id: ownerId, agent_id: agent },
      body: { namespace_ids: [namespaceId] },
    });
    let statements = 0;
    const found = await names.read((work) =>
      people.service().app.database.read((tx) => {
        const counting: Transaction = {
          ...tx,
          query(sql, params) {
            statements += 1;
            return tx.query(sql, params);
          },
        };
        return work(counting);
      }),
    );
    return { statements, ...found };
  }
});
