import { beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { realWorld } from '../../../../src/base/world.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../../http/people.js';
import { browser, type Person, signedIn } from '../../../http/person.js';
import { stores } from '../../../support/stores.js';

/** One person with memberships in several workspaces. The same on every store. */
describe.each(stores)('a person in two workspaces on %s', () => {
  const people = usePeople();
  const password = 'a password of ada';
  const ada = { email: 'ada@example.org', password };
  /** Owners of the first workspace and of another one. */
  let here: Person;
  let there: Person;
  let [hereId, thereId] = ['', ''];
  beforeAll(async () => {
    hereId = people.first().workspaceId;
    thereId = (await people.admin().workspace()).workspaceId;
    here = people.as('owner');
    there = await signedIn(people.service(), await people.admin().member(thereId, 'owner'));
  });

  const add = async (by: Person, body: object) => (await by.call('POST', '/v1/members', body)).json;
  const signIn = (who: object) => browser(people.service()).call('POST', '/v1/session', who);
  /** Ada, or someone else, as a reader here and a member there. */
  async function inBoth(email: string) {
    const first = await add(here, { email, role: 'reader', password });
    const second = await add(there, { email, role: 'member', password: 'chosen by the other owner' });
    return { email, first: first.id as string, second: second.id as string, answers: [first, second] };
  }
  const workspaceOf = async (person: Person) => (await person.call('GET', '/v1/session')).json?.workspace?.id;

  // @covers PEOPLE-ONE-PASSWORD PEOPLE-WORKSPACES PEOPLE-NO-TAKE-OVER
  it('has one password, and one session that says where it is and where it may go', async () => {
    const { first, second, answers } = await inBoth(ada.email);
    expect(answers.map((answer) => answer.password)).toEqual([null, null]);
    expect(code(await signIn({ ...ada, password: 'chosen by the other owner' }))).toEqual([401, 'invalid_session']);
    const person = await signedIn(people.service(), ada);
    const session = (await person.call('GET', '/v1/session')).json;
    expect(session).toMatchObject({
      user: { id: first, email: ada.email, role: 'reader' },
      workspace: { id: hereId, name: 'My workspace' },
    });
    expect(session.workspaces).toEqual([
      { id: hereId, name: 'My workspace', plan: 'enterprise', role: 'reader' },
      { id: thereId, name: 'My workspace', plan: 'enterprise', role: 'member' },
    ]);
    expect(code(await person.call('POST', '/v1/memories', { content: 'x' }))).toEqual([403, 'read_only']);

    const cookie = person.cookie();
    const moved = await person.call('PUT', '/v1/session', { workspace_id: thereId });
    expect(moved.json).toMatchObject({ user: { id: second, role: 'member' }, workspace: { id: thereId } });
    expect([moved.cookies, person.cookie()]).toEqual([[], cookie]);
    const written = await person.call('POST', '/v1/memories', { content: 'of ada, there' });
    const memory = await there.call('GET', `/v1/memories/${written.json.memory_id}`);
    expect(memory.json.provenance.user_id).toBe(second);
    expect(code(await person.call('GET', '/v1/sessions'))).toEqual([200, null]);
  });

  // @covers PEOPLE-LAST-WORKSPACE
  it('begins in the workspace that is named, else in the one used last, also after signing out', async () => {
    const person = await signedIn(people.service(), ada);
    expect(await workspaceOf(person)).toBe(thereId);
    await person.call('DELETE', '/v1/session');
    expect((await signIn(ada)).json.workspace.id).toBe(thereId);
    expect((await signIn({ ...ada, workspace_id: hereId })).json.workspace.id).toBe(hereId);
    expect((await signIn(ada)).json.workspace.id).toBe(hereId);
  });

  // @covers PEOPLE-MOVE
  it('moves nowhere else: not to a workspace of others, and not from another site', async () => {
    const person = await signedIn(people.service(), ada);
    const other = (await people.admin().workspace()).workspaceId;
    for (const workspace_id of [other, realWorld.id()]) {
      expect(code(await person.call('PUT', '/v1/session', { workspace_id }))).toEqual([404, 'member_not_found']);
      expect(code(await signIn({ ...ada, workspace_id }))).toEqual([404, 'member_not_found']);
      // Without the password no one learns which workspaces there are.
      expect(code(await signIn({ ...ada, password: 'wrong', workspace_id }))).toEqual([401, 'invalid_session']);
    }
    for (const body of [{}, { workspace_id: 'x' }, { workspace_id: hereId, more: 1 }]) {
      expect(code(await person.call('PUT', '/v1/session', body))).toEqual([400, 'invalid_request']);
    }
    const foreign = { origin: 'https://evil.example' };
    expect(code(await person.call('PUT', '/v1/session', { workspace_id: thereId }, foreign))).toEqual([403, 'csrf']);
    expect(await workspaceOf(person)).toBe(hereId);
    const noOne = browser(people.service());
    expect(code(await noOne.call('PUT', '/v1/session', { workspace_id: hereId }))).toEqual([401, 'unauthorized']);
  });

  // @covers PEOPLE-PASSWORD-EVERYWHERE
  it('changes the password once for both, and all other sessions end', async () => {
    const { email } = await inBoth('change@example.org');
    const who = { email, password };
    const [acting, other] = [await signedIn(people.service(), who), await signedIn(people.service(), who)];
    await other.call('PUT', '/v1/session', { workspace_id: thereId });
    const next = { old_password: password, new_password: 'another password of ada' };
    expect(code(await acting.call('PUT', '/v1/session/password', next))).toEqual([200, null]);
    expect(code(await other.call('GET', '/v1/session'))).toEqual([401, 'session_expired']);
    expect(code(await signIn(who))).toEqual([401, 'invalid_session']);
    for (const workspace_id of [hereId, thereId]) {
      expect(code(await signIn({ email, password: next.new_password, workspace_id }))).toEqual([200, null]);
    }
    for (const owner of [here, there]) {
      const receipts = await owner.call('GET', '/v1/receipts?kind=member.password_changed&limit=1');
      expect(receipts.json.data[0].kind).toBe('member.password_changed');
    }
  });

  // @covers PEOPLE-REMOVED ERR-session_expired
  it('is removed from one: sessions there end, sessions and the password elsewhere stay', async () => {
    const { email, second } = await inBoth('removed@example.org');
    const who = { email, password };
    const [stays, leaves] = [await signedIn(people.service(), who), await signedIn(people.service(), who)];
    await leaves.call('PUT', '/v1/session', { workspace_id: thereId });
    expect(code(await there.call('DELETE', `/v1/members/${second}`))).toEqual([200, null]);
    expect(code(await leaves.call('GET', '/v1/memories'))).toEqual([401, 'session_expired']);
    expect(code(await leaves.call('PUT', '/v1/session', { workspace_id: hereId }))).toEqual([401, 'session_expired']);
    expect(code(await stays.call('GET', '/v1/memories'))).toEqual([200, null]);
    expect((await stays.call('GET', '/v1/sessions')).json.data).toHaveLength(1);
    expect(code(await stays.call('PUT', '/v1/session', { workspace_id: thereId }))).toEqual([404, 'member_not_found']);
    // The workspace that was used last is gone, so the oldest one is next.
    expect((await signIn(who)).json.workspace.id).toBe(hereId);
    // Who comes back gets a new membership: the session from before stays ended.
    await add(there, { email, role: 'member' });
    expect(code(await leaves.call('GET', '/v1/memories'))).toEqual([401, 'session_expired']);
    expect((await stays.call('GET', '/v1/session')).json.workspaces).toHaveLength(2);
  });

  it('leaves a store without fault', async () => {
    const { database } = people.service().app;
    const checked = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    expect(checked.faults).toBeNull();
  });
});
