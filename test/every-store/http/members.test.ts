import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { realWorld } from '../../../src/base/world.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { browser, signedIn } from '../../http/person.js';
import { stores } from '../../support/stores.js';

/** Members of a workspace. The same on every store. */
describe.each(stores)('members on %s', () => {
  const people = usePeople();
  const add = (role: string, body: object) => people.as(role).call('POST', '/v1/members', body);
  const change = (role: string, id: string, to: string) =>
    people.as(role).call('PATCH', `/v1/members/${id}`, { role: to });
  const remove = (role: string, id: string) => people.as(role).call('DELETE', `/v1/members/${id}`);
  const ownId = async (role: string) => (await people.as(role).call('GET', '/v1/session')).json.user.id as string;

  // @covers ERR-member_not_found ERR-member_exists
  it('adds someone with a password that is shown once', async () => {
    const added = await add('admin', { email: 'Eve@example.org', role: 'reader' });
    expect(added.json).toMatchObject({
      email: 'Eve@example.org',
      role: 'reader',
      receipt_id: expect.stringMatching(/^rcp_/),
    });
    const { id, password } = added.json;
    const eve = await signedIn(people.service(), { email: 'eve@example.org', password });
    expect(code(await eve.call('POST', '/v1/memories', { content: 'x' }))).toEqual([403, 'read_only']);
    expect((await change('admin', id, 'member')).json).toMatchObject({
      id,
      role: 'member',
      receipt_id: expect.stringMatching(/^rcp_/),
    });
    expect(code(await eve.call('POST', '/v1/memories', { content: 'x' }))).toEqual([202, null]);
    expect((await change('admin', id, 'member')).json.receipt_id).toBeNull();
    const listed = await people.as('admin').call('GET', '/v1/members');
    expect(listed.json.data.map(({ email }: { email: string }) => email)).toContain('Eve@example.org');
    expect(listed.text).not.toMatch(/argon2|rcp_/);
    expect(code(await add('owner', { email: 'EVE@example.org', role: 'admin' }))).toEqual([409, 'member_exists']);

    expect((await remove('admin', id)).json).toEqual({
      id,
      removed: true,
      receipt_id: expect.stringMatching(/^rcp_/),
    });
    expect(code(await eve.call('GET', '/v1/memories'))).toEqual([401, 'session_expired']);
    const again = await browser(people.service()).call('POST', '/v1/session', { email: 'eve@example.org', password });
    expect(code(again)).toEqual([401, 'invalid_session']);
    expect(code(await remove('admin', id))).toEqual([404, 'member_not_found']);
    const kept = await people
      .service()
      .app.database.read((tx) => tx.query('select 1 from vault where receipt_id = $1', [added.json.receipt_id]));
    expect(kept).toEqual([]);
  });

  // @covers ROLE-LAST-OWNER ERR-last_owner
  it('leaves owners to owners, and a workspace never without one', async () => {
    const [first, admin] = [await ownId('owner'), await ownId('admin')];
    expect(code(await add('admin', { email: 'o@example.org', role: 'owner' }))).toEqual([403, 'admin_required']);
    expect(code(await change('admin', admin, 'owner'))).toEqual([403, 'admin_required']);
    expect(code(await change('admin', first, 'member'))).toEqual([403, 'admin_required']);
    expect(code(await remove('admin', first))).toEqual([403, 'admin_required']);
    expect(code(await change('owner', first, 'admin'))).toEqual([409, 'last_owner']);
    expect(code(await remove('owner', first))).toEqual([409, 'last_owner']);
    const password = 'a password of the second';
    const second = await add('owner', { email: 'second@example.org', role: 'owner', password });
    expect(second.json.password).toBeNull();
    const other = await signedIn(people.service(), { email: 'second@example.org', password });
    // Two who leave at the same time cannot both.
    const left = await Promise.all([
      remove('owner', second.json.id),
      other.call('PATCH', `/v1/members/${first}`, { role: 'admin' }),
    ]);
    expect(left.map(code)).toContainEqual([200, null]);
    const rows = (await people.as('admin').call('GET', '/v1/members')).json.data;
    expect(rows.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
  });

  // @covers ROLE-ADMIN
  it('is shown what is wrong, and allows no one to else in', async () => {
    const wrong = [{}, { email: 'e@example.org' }, { email: 'no one', role: 'member' }];
    const more = [
      { email: 'e@example.org', role: 'king' },
      { email: 'e@example.org', role: 'member', password: 'short' },
    ];
    for (const body of [...wrong, ...more]) expect(code(await add('admin', body))).toEqual([400, 'invalid_request']);
    for (const id of ['x', realWorld.id()]) {
      expect(code(await change('admin', id, 'member'))).toEqual([404, 'member_not_found']);
      expect(code(await remove('admin', id))).toEqual([404, 'member_not_found']);
    }
    const { workspaceId } = await people.admin().workspace();
    const outsider = await signedIn(people.service(), await people.admin().member(workspaceId, 'owner'));
    const id = await ownId('member');
    expect(code(await outsider.call('DELETE', `/v1/members/${id}`))).toEqual([404, 'member_not_found']);
    for (const path of ['/v1/members', '/v1/workspace']) {
      expect(code(await people.as('member').call('GET', path))).toEqual([403, 'admin_required']);
      expect(code(await people.service().call('GET', path))).toEqual([403, 'user_session_required']);
    }
  });

  it('names the workspace', async () => {
    const before = (await people.as('admin').call('GET', '/v1/workspace')).json;
    expect(before).toMatchObject({ id: people.first().workspaceId, name: 'My workspace', plan: 'enterprise' });
    const renamed = await people.as('admin').call('PATCH', '/v1/workspace', { name: ' Letters ' });
    expect(renamed.json).toEqual({ ...before, name: 'Letters' });
    expect((await people.as('reader').call('GET', '/v1/session')).json.workspace.name).toBe('Letters');
    expect(code(await people.as('admin').call('PATCH', '/v1/workspace', { name: '' }))).toEqual([400, 'invalid_name']);
  });

  // @covers WORKSPACE-PUBLISHES WORKSPACE-TAG
  it('publishes the task receipts of the workspace from a switch on, and each switch is a receipt', async () => {
    const change = (body: object) => people.as('admin').call('PATCH', '/v1/workspace', body);
    const before = (await people.as('admin').call('GET', '/v1/workspace')).json;
    expect(before).toMatchObject({ publish_task_receipts: false, public_tag: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect((await change({ publish_task_receipts: true })).json).toEqual({ ...before, publish_task_receipts: true });
    await change({ publish_task_receipts: true });
    const both = await change({ publish_task_receipts: false, name: 'Letters and prints' });
    expect(both.json).toEqual({ ...before, name: 'Letters and prints' });
    const path = '/v1/receipts?kind=workspace.publishing_changed';
    const receipts = (await people.as('admin').call('GET', path)).json.data;
    expect(receipts.map(({ body }: { body: unknown }) => body)).toEqual([
      { publish_task_receipts: false, public_tag: before.public_tag },
      { publish_task_receipts: true, public_tag: before.public_tag },
    ]);
    for (const body of [{ publish_task_receipts: 'on' }, { publish_task_receipts: null }, { published: true }])
      expect(code(await change(body))).toEqual([400, 'invalid_request']);
    expect(code(await change({}))).toEqual([400, 'invalid_name']);
  });

  // @covers IDEM-SECRETS
  it('adds someone once under an Idempotency-Key, and does not keep the password', async () => {
    const body = { email: 'once@example.org', role: 'member' };
    const ask = () => people.as('admin').call('POST', '/v1/members', body, { 'idempotency-key': 'member-1' });
    const [made, again] = [await ask(), await ask()];
    expect(made.json.password).toHaveLength(20);
    expect(again.json).toEqual({ ...made.json, password: null });
  });

  it('leaves a store without fault', async () => {
    const { database } = people.service().app;
    const checked = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    expect(checked.faults).toBeNull();
  });
});
