import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { stores } from '../../../support/stores.js';

const week = 7 * 24 * 3_600_000;

/** Requests that wait for the decision of the owner. The same on every store. */
describe.each(stores)('approvals on %s', () => {
  const people = usePeople();
  const none = { pause_all: false, sensitive: 'redact' };
  const ask = async (...ask_owner: object[]) => {
    expect((await people.as('owner').call('PUT', '/v1/rules', { ...none, ask_owner })).status).toBe(200);
  };
  const write = (body: object, headers?: Record<string, string>) =>
    people.service().call('POST', '/v1/memories', body, headers);
  const decide = (id: string, word: string, role = 'owner') =>
    people.as(role).call('POST', `/v1/approvals/${id}/${word}`);
  const shown = async (id: string) => (await people.as('owner').call('GET', `/v1/approvals/${id}`)).json;
  const heldOf = async (body: object): Promise<string> => {
    const held = await write(body);
    expect(code(held)).toEqual([409, 'approval_required']);
    return held.json.error.details.approval_id;
  };
  const count = async () => (await people.as('owner').call('GET', '/v1/memories/export?limit=1000')).json.data.length;

  // @covers RULE-ASK APPROVAL-ID APPROVAL-FIELDS APPROVAL-7-DAYS APPROVAL-ONCE APPROVAL-EXACT APPROVAL-PENDING
  // @covers APPROVAL-RECEIPT APPROVAL-NO-CONTENT APPROVAL-WHO ERR-approval_invalid
  it('holds what a rule names, stores no more of it than its excerpt, and allows it to happen once when it is approved', async () => {
    await ask({ source: 'crawler', min_bytes: 10 });
    const before = await count();
    const body = { content: 'a held secret pelican', source: 'crawler', metadata: { a: 1 } };
    expect((await write({ ...body, source: 'other' })).status).toBe(202);
    expect((await write({ content: 'short', source: 'crawler' })).status).toBe(202);
    const held = { ...body, content: `${body.content} again` };
    const id = await heldOf(held);
    expect(id).toMatch(/^apr_[0-9a-f]{32}$/);
    expect(await heldOf(held)).toBe(id);
    expect(await heldOf({ ...held, approval_id: id })).toBe(id);
    expect(await count()).toBe(before + 2);
    const { held: excerpt, ...pending } = await shown(id);
    expect(excerpt).toMatchObject({ excerpt: held.content, source: 'crawler', metadata_keys: ['a'] });
    expect(pending).toMatchObject({ id, kind: 'write', status: 'pending', decided_by: null, receipt_id: null });
    expect(pending.requested_by).toMatchObject({ type: 'key', app_id: 'bootstrap' });
    expect(Date.parse(pending.expires_at) - Date.parse(pending.created_at)).toBe(week);
    expect(JSON.stringify(pending)).not.toMatch(/pelican|crawler/);
    const approved = await decide(id, 'approve', 'admin');
    expect(approved.json).toMatchObject({ id, status: 'approved', receipt_id: expect.stringMatching(/^rcp_/) });
    expect(approved.json).toEqual(await shown(id));
    const receipt = await people.service().call('GET', `/v1/receipts/${approved.json.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'approval', body: { approval_id: id, decision: 'approved' } });
    for (const change of [{ metadata: { a: 2 } }, { content: 'something else of ten' }, { playground: true }]) {
      expect(code(await write({ ...held, ...change, approval_id: id }))).toEqual([403, 'approval_invalid']);
    }
    const { namespaceId } = people.first();
    const other = await people.newKey();
    const stolen = await people.withKey(other.key, 'POST', '/v1/memories', { ...held, approval_id: id });
    expect(code(stolen)).toEqual([403, 'approval_invalid']);
    const done = await write({ ...held, namespace: namespaceId, approval_id: id });
    expect(done.status).toBe(202);
    expect((await shown(id)).status).toBe('used');
    // It is there now, so the same again is no write; once it is deleted, the approval is of no more use.
    expect((await write({ ...held, approval_id: id })).json.duplicate).toBe(true);
    await people.service().call('DELETE', `/v1/memories/${done.json.memory_id}`);
    expect(code(await write({ ...held, approval_id: id }))).toEqual([403, 'approval_invalid']);
  });

  // @covers APPROVAL-7-DAYS APPROVAL-WHO ERR-approval_not_found ERR-approval_decided
  it('allows no one to decide twice, too late, or without being asked', async () => {
    await ask({ source: 'x' });
    const rejected = await heldOf({ content: 'to be rejected', source: 'x' });
    expect(code(await decide(rejected, 'approve', 'member'))).toEqual([403, 'admin_required']);
    expect(code(await people.service().call('POST', `/v1/approvals/${rejected}/approve`))).toEqual([
      403,
      'user_session_required',
    ]);
    expect((await decide(rejected, 'reject')).json.status).toBe('rejected');
    for (const word of ['approve', 'reject']) {
      expect(code(await decide(rejected, word))).toEqual([409, 'approval_decided']);
    }
    const again = { content: 'to be rejected', source: 'x', approval_id: rejected };
    expect(code(await write(again))).toEqual([403, 'approval_invalid']);
    expect(await heldOf({ content: 'to be rejected', source: 'x' })).not.toBe(rejected);
    const late = await heldOf({ content: 'too late', source: 'x' });
    const forgotten = await heldOf({ content: 'forgotten', source: 'x' });
    await decide(late, 'approve');
    people.ahead(week + 1000);
    try {
      const key = await write({ content: 'too late', source: 'x', approval_id: late });
      expect(code(key)).toEqual([403, 'approval_invalid']);
      const list = await people.service().call('GET', '/v1/approvals?status=expired');
      expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([late, forgotten]));
    } finally {
      people.ahead(0);
    }
    for (const id of ['apr_0', '%00', 'x'.repeat(150)]) {
      expect(code(await decide(id, 'approve'))).toEqual([404, 'approval_not_found']);
      expect(code(await people.as('owner').call('GET', `/v1/approvals/${id}`))).toEqual([404, 'approval_not_found']);
    }
  });

  // @covers APPROVAL-OWN
  it('shows a key its own, and a person who decides all', async () => {
    await ask({ source: 'y' });
    const mine = await heldOf({ content: 'mine', source: 'y' });
    const other = await people.newKey();
    const theirs = await people.withKey(other.key, 'POST', '/v1/memories', { content: 'theirs', source: 'y' });
    const id = theirs.json.error.details.approval_id;
    const seen = async (path: string, key: string) =>
      (await people.withKey(key, 'GET', path)).json.data.map((one: { id: string }) => one.id);
    expect(await seen('/v1/approvals', other.key)).toEqual([id]);
    expect(code(await people.withKey(other.key, 'GET', `/v1/approvals/${mine}`))).toEqual([404, 'approval_not_found']);
    expect((await people.withKey(other.key, 'GET', `/v1/approvals/${id}`)).json.id).toBe(id);
    const first = (await people.as('admin').call('GET', '/v1/approvals?limit=1&status=pending')).json;
    expect(first.data[0].id).toBe(id);
    const next = await people
      .as('admin')
      .call('GET', `/v1/approvals?limit=1&status=pending&cursor=${first.next_cursor}`);
    expect(next.json.data[0].id).toBe(mine);
    const moved = await people.as('admin').call('GET', `/v1/approvals?cursor=${first.next_cursor}`);
    expect(code(moved)).toEqual([400, 'invalid_cursor']);
    expect(code(await people.service().call('GET', '/v1/approvals?status=open'))).toEqual([400, 'invalid_request']);
    expect((await people.as('member').call('GET', '/v1/approvals')).json.data).toEqual([]);
  });

  // @covers APPROVAL-NOT-OWN
  it('allows no one to decide about a request of their own but an only owner', async () => {
    await ask({ source: 'z' });
    const idOf = async (role: string) => (await people.as(role).call('GET', '/v1/session')).json.user.id as string;
    const heldBy = async (role: string, content: string): Promise<string> =>
      (await people.as(role).call('POST', '/v1/memories', { content, source: 'z' })).json.error.details.approval_id;
    const ofAdmin = await heldBy('admin', 'held of an admin');
    for (const word of ['approve', 'reject']) {
      expect(code(await decide(ofAdmin, word, 'admin'))).toEqual([403, 'admin_required']);
    }
    expect(code(await decide(ofAdmin, 'approve', 'owner'))).toEqual([200, null]);
    const key = await people.newKey({ user_id: await idOf('admin') });
    const held = await people.withKey(key.key, 'POST', '/v1/memories', {
      content: 'by a key of an admin',
      source: 'z',
    });
    const ofKey = held.json.error.details.approval_id;
    expect(code(await decide(ofKey, 'approve', 'admin'))).toEqual([403, 'admin_required']);
    expect(code(await decide(await heldBy('owner', 'held of the owner'), 'approve'))).toEqual([200, null]);
    const ofOwner = await heldBy('owner', 'held of one of two owners');
    const second = await people.admin().member(people.first().workspaceId, 'owner');
    expect(code(await decide(ofOwner, 'approve'))).toEqual([403, 'admin_required']);
    const other = await signedIn(people.service(), second);
    expect(code(await other.call('POST', `/v1/approvals/${ofOwner}/approve`))).toEqual([200, null]);
  });

  // @covers FILTER-APPROVER LIST-APPROVER
  it('finds what a person approved, and nothing by names that no one has here', async () => {
    await ask({ source: 'desk' });
    const idOf = async (role: string) => (await people.as(role).call('GET', '/v1/session')).json.user.id as string;
    const approved = async (content: string, role: string, more: object = {}) => {
      const body = { content, source: 'desk', ...more };
      const approval_id = await heldOf(body);
      await decide(approval_id, 'approve', role);
      const done = await write({ ...body, approval_id });
      return done.json.memory_id as string;
    };
    const [owner, admin] = [await idOf('owner'), await idOf('admin')];
    const first = await approved('The heron was counted twice.', 'owner');
    const second = await approved('The heron was counted once.', 'admin');
    await write({ content: 'The heron was not counted.', source: 'elsewhere' });
    const test = await approved('The heron is a test.', 'owner', { playground: true });
    await people.settled();
    const found = async (filters: object) => {
      const { json } = await people.service().call('POST', '/v1/memories/search', { query: 'heron counted', filters });
      return json.data.map((hit: { memory_id: string }) => hit.memory_id).sort();
    };
    const listed = async (query: string) =>
      (await people.service().call('GET', `/v1/memories?${query}`)).json.data.map((one: { id: string }) => one.id);
    expect(await found({ approved_by: owner })).toEqual([first]);
    expect(await found({ approved_by: [owner, admin], source: 'desk' })).toEqual([first, second].sort());
    expect(await found({ not: [{ approved_by: [owner, admin] }], source: 'desk' })).toEqual([]);
    expect(await listed(`approved_by=${admin}`)).toEqual([second]);
    expect(await listed(`approved_by=${owner}&q=heron`)).toEqual([first]);
    // A test memory that becomes a real one was approved by the person who approved that.
    expect(await found({ approved_by: admin, include_playground: true })).toEqual([second]);
    expect(await approved('The heron is a test.', 'admin')).toBe(test);
    await people.settled();
    expect(await found({ approved_by: admin })).toEqual([second, test].sort());
    // A person of another workspace, whose approvals are not seen here, and the id of an approval.
    const other = await people.admin().workspace();
    const unknown = other.key.slice(0, 20);
    for (const name of [unknown, 'person', '00000000-0000-7000-8000-000000000000']) {
      expect([name, await found({ approved_by: name }), await listed(`approved_by=${name}`)]).toEqual([name, [], []]);
    }
    for (const wrong of [null, 7, '', [], {}, [7], { eq: owner }]) {
      const body = { query: 'heron', filters: { approved_by: wrong } };
      const reply = await people.service().call('POST', '/v1/memories/search', body);
      expect([wrong, ...code(reply)]).toEqual([wrong, 400, 'invalid_filters']);
    }
    await ask();
  });

  // @covers RULE-ASK-IMPORT
  it('holds imports too, and keeps nothing under an Idempotency-Key before it is done', async () => {
    await ask({ source: 'import:text' });
    const body = { kind: 'text', content: 'imported and held' };
    const once = { 'idempotency-key': 'held-1' };
    const held = await people.service().call('POST', '/v1/ingest', body, once);
    const { approval_id } = held.json.error.details;
    await decide(approval_id, 'approve');
    const done = await people.service().call('POST', '/v1/ingest', { ...body, approval_id }, once);
    expect(done.status).toBe(202);
    const repeated = await people.service().call('POST', '/v1/ingest', { ...body, approval_id }, once);
    expect(repeated.text).toBe(done.text);
    await ask();
  });
});
