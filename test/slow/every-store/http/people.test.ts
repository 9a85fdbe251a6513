import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../contracts/entries/entry.js';
import { realWorld } from '../../../../src/base/world.js';
import { code, owner, usePeople } from '../../../http/people.js';
import { browser, signedIn } from '../../../http/person.js';
import { stores } from '../../../support/stores.js';

/** People who sign in, and what their roles let them do. The same on every store. */
describe.each(stores)('people on %s', () => {
  const people = usePeople();

  // @covers SESSION-COOKIE SESSION-END ERR-session_expired ERR-invalid_session
  it('signs in and out, no matter the case of the address', async () => {
    const person = browser(people.service());
    const wrong = await person.call('POST', '/v1/session', { ...owner, password: 'another' });
    expect([code(wrong), wrong.cookies]).toEqual([[401, 'invalid_session'], []]);
    const reply = await person.call('POST', '/v1/session', { ...owner, email: 'owner@example.ORG' });
    expect(reply.json).toMatchObject({
      user: { email: owner.email, role: 'owner' },
      workspace: { plan: 'enterprise' },
    });
    expect(reply.cookies.join()).toMatch(/^service_session=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const cookie = person.cookie();
    expect((await person.call('GET', '/v1/session')).json.user.email).toBe(owner.email);
    expect(code(await person.call('DELETE', '/v1/session'))).toEqual([200, null]);
    expect(code(await person.call('GET', '/v1/session'))).toEqual([401, 'unauthorized']);
    // A copy of the cookie is worth nothing either.
    expect(code(await person.call('GET', '/v1/memories', undefined, { cookie }))).toEqual([401, 'session_expired']);
  });

  // @covers SESSION-ONE
  it('ends the session of a browser that signs in again', async () => {
    const person = await signedIn(people.service(), owner);
    const cookie = person.cookie();
    expect(code(await person.call('POST', '/v1/session', owner))).toEqual([200, null]);
    expect(code(await person.call('GET', '/v1/session'))).toEqual([200, null]);
    expect(code(await browser(people.service()).call('GET', '/v1/session', undefined, { cookie }))).toEqual([
      401,
      'session_expired',
    ]);
  });

  // @covers SESSION-OWN SESSION-PASSWORD ERR-session_not_found
  it('allows people to list and end their sessions and change their password', async () => {
    const who = await people.admin().member(people.first().workspaceId, 'reader');
    const here = await signedIn(people.service(), who);
    const others = [await signedIn(people.service(), who), await signedIn(people.service(), who)];
    const listed = (await here.call('GET', '/v1/sessions')).json.data;
    expect(listed.map(({ current }: { current: boolean }) => current)).toEqual([false, false, true]);
    expect(code(await here.call('DELETE', `/v1/sessions/${listed[0].id}`))).toEqual([200, null]);
    expect(code((await others[1]?.call('GET', '/v1/session')) ?? { status: 0, text: '', json: null })).toEqual([
      401,
      'session_expired',
    ]);
    for (const id of [listed[0].id, 'x']) {
      expect(code(await here.call('DELETE', `/v1/sessions/${id}`))).toEqual([404, 'session_not_found']);
    }
    expect(code(await people.as('owner').call('DELETE', `/v1/sessions/${listed[1].id}`))).toEqual([
      404,
      'session_not_found',
    ]);
    const change = (old_password: string, new_password: string) =>
      here.call('PUT', '/v1/session/password', { old_password, new_password });
    const password = 'another password of mine';
    expect(code(await change('wrong', password))).toEqual([401, 'invalid_session']);
    expect(code(await change(who.password, 'short'))).toEqual([400, 'invalid_request']);
    const changed = await change(who.password, password);
    expect(changed.json).toEqual({ changed: true, receipt_id: expect.stringMatching(/^rcp_/) });
    expect(code(await here.call('GET', '/v1/session'))).toEqual([200, null]);
    const other = (await others[0]?.call('GET', '/v1/session')) ?? { status: 0, text: '', json: null };
    expect(code(other)).toEqual([401, 'session_expired']);
    const signIn = (given: object) => browser(people.service()).call('POST', '/v1/session', given);
    expect(code(await signIn(who))).toEqual([401, 'invalid_session']);
    expect(code(await signIn({ ...who, password }))).toEqual([200, null]);
  });

  // @covers SESSION-FORGED
  it('takes no cookie that it has not made', async () => {
    const [head = '', body = '', signature = ''] = people
      .as('owner')
      .cookie()
      .replace('service_session=', '')
      .split('.');
    const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), jti: realWorld.id() };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      `${head}.${encode(claims)}.${signature}`,
      `${encode({ alg: 'none' })}.${body}.`,
      `${head}.${body}`,
      'x',
    ];
    for (const token of forged) {
      const reply = await browser(people.service()).call('GET', '/v1/memories', undefined, {
        cookie: `service_session=${token}`,
      });
      expect(code(reply)).toEqual([401, 'unauthorized']);
    }
    const bad = [{}, { email: owner.email }, { ...owner, password: 7 }, { ...owner, password: 'x'.repeat(1001) }];
    for (const body of bad) {
      expect(code(await browser(people.service()).call('POST', '/v1/session', body))).toEqual([400, 'invalid_request']);
    }
  });

  // @covers SESSION-12H
  it('ends a session that was not used for 12 hours, and makes one that is used longer', async () => {
    const person = await signedIn(people.service(), owner);
    const before = person.cookie();
    people.ahead(11 * 3_600_000);
    expect(code(await person.call('GET', '/v1/memories'))).toEqual([200, null]);
    expect(person.cookie()).not.toBe(before);
    people.ahead(22 * 3_600_000);
    expect(code(await person.call('GET', '/v1/session'))).toEqual([200, null]);
    people.ahead(35 * 3_600_000);
    expect(code(await person.call('GET', '/v1/session'))).toEqual([401, 'session_expired']);
    expect(code(await person.call('DELETE', '/v1/session'))).toEqual([401, 'session_expired']);
    people.ahead(0);
  });

  // @covers SESSION-LOCK ERR-account_locked
  it('locks an account for an address after 10 failures, and forgets them when someone gets in', async () => {
    const who = await people.admin().member(people.first().workspaceId, 'member');
    const guess = async (password: string) =>
      code(await browser(people.service()).call('POST', '/v1/session', { ...who, password }));
    for (let i = 0; i < 9; i += 1) expect(await guess(`guess ${i}`)).toEqual([401, 'invalid_session']);
    expect(await guess(who.password)).toEqual([200, null]);
    // Seven at once: on a machine of two cores nine passwords may wait, and more would be refused uncounted.
    const seven = () => Promise.all(Array.from({ length: 7 }, (_, i) => guess(`guess ${i}`)));
    const guesses = [...(await seven()), ...(await seven())];
    expect(guesses.filter(([status]) => status === 401)).toHaveLength(10);
    const locked = await browser(people.service()).call('POST', '/v1/session', who);
    expect(code(locked)).toEqual([429, 'account_locked']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890);
    expect(code(await browser(people.service()).call('POST', '/v1/session', owner))).toEqual([200, null]);
  });

  // @covers PEOPLE-ADDRESS
  it('counts failures for an account no matter the case of its address, and knows it from those that look like it', async () => {
    const add = (email: string) => people.as('owner').call('POST', '/v1/members', { email, role: 'reader', password });
    const password = 'a password of kim';
    expect(code(await add('kim@example.org'))).toEqual([201, null]);
    expect(code(await add('\u212aim@example.org'))).toEqual([201, null]);
    expect(code(await add('jos\u00e9@example.org'))).toEqual([201, null]);
    expect(code(await add('Jose\u0301@EXAMPLE.org'))).toEqual([409, 'member_exists']);
    const guess = async (email: string, given = 'not the password') =>
      code(await browser(people.service()).call('POST', '/v1/session', { email, password: given }));
    for (let i = 0; i < 10; i += 1) {
      expect(await guess(i % 2 === 0 ? 'KIM@example.org' : 'kim@Example.org')).toEqual([401, 'invalid_session']);
    }
    expect(await guess('kIm@example.org', password)).toEqual([429, 'account_locked']);
    expect(await guess('\u212aim@example.org', password)).toEqual([200, null]);
  });

  // @covers SESSION-CSRF SESSION-CSRF-READS ERR-csrf
  it('refuses a cookie in what other sites send, and only there', async () => {
    const { origin, host } = new URL(people.service().app.server.listeningOrigin);
    const send = (headers: Record<string, string>, method = 'POST') =>
      people
        .as('owner')
        .call(
          method,
          method === 'POST' ? '/v1/namespaces' : '/v1/memories',
          method === 'POST' ? {} : undefined,
          headers,
        );
    const others = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `https://${host}.evil.example` },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of others) expect(code(await send(headers))).toEqual([403, 'csrf']);
    expect(code(await send({ origin: 'https://evil.example' }, 'GET'))).toEqual([200, null]);
    for (const headers of [{ origin }, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
      expect(code(await send(headers))).toEqual([400, 'invalid_name']);
    }
    const signIn = await browser(people.service()).call('POST', '/v1/session', owner, {
      origin: 'https://evil.example',
    });
    expect(code(signIn)).toEqual([403, 'csrf']);
    // A key is not sent by browsers on their own.
    const { json } = await people
      .service()
      .call('POST', '/v1/memories', { content: 'by a key' }, { origin: 'https://evil.example' });
    expect(json.stage).toBe('queued');
  });

  // @covers MEM-PROVENANCE-USER EXPORT-WHO NS-ADMIN BIND-ADMIN ROLE-NONE ROLE-READER ERR-workspace_role_required
  // @covers ERR-read_only ERR-admin_required ERR-namespace_management_forbidden ERR-key_binding_forbidden
  it('allows each role to do what it may', async () => {
    const { json } = await people.as('member').call('POST', '/v1/memories', { content: 'of a member' });
    const memory = await people.as('reader').call('GET', `/v1/memories/${json.memory_id}`);
    const { user } = (await people.as('member').call('GET', '/v1/session')).json;
    expect(memory.json.provenance).toEqual({ user_id: user.id, agent_id: null, app_id: null, run_id: null });
    const id = realWorld.id();
    const expected: [string, string, unknown, Partial<Record<Role, unknown[]>>][] = [
      ['GET', '/v1/memories', undefined, { member: [200, null], reader: [200, null] }],
      ['POST', '/v1/memories', { content: 'x' }, { admin: [202, null], reader: [403, 'read_only'] }],
      ['POST', '/v1/memories/search', { query: 'member' }, { member: [200, null], reader: [200, null] }],
      ['DELETE', `/v1/memories/${id}`, undefined, { member: [404, 'memory_not_found'], reader: [403, 'read_only'] }],
      ['GET', '/v1/memories/export', undefined, { admin: [200, null], member: [403, 'admin_required'] }],
      [
        'POST',
        '/v1/namespaces',
        { name: '' },
        { admin: [400, 'invalid_name'], member: [403, 'namespace_management_forbidden'] },
      ],
      [
        'PATCH',
        `/v1/namespaces/${id}`,
        { name: 'n' },
        { admin: [404, 'namespace_not_found'], reader: [403, 'namespace_management_forbidden'] },
      ],
      [
        'DELETE',
        `/v1/namespaces/${id}`,
        undefined,
        { admin: [404, 'namespace_not_found'], member: [403, 'namespace_management_forbidden'] },
      ],
      ['GET', '/v1/keys', undefined, { admin: [200, null], member: [403, 'admin_required'] }],
      ['POST', '/v1/keys', { name: '' }, { admin: [400, 'invalid_name'], reader: [403, 'admin_required'] }],
      ['DELETE', `/v1/keys/${id}`, undefined, { admin: [404, 'key_not_found'], member: [403, 'admin_required'] }],
      ['POST', `/v1/keys/${id}/kafka-secret`, {}, { admin: [404, 'key_not_found'], member: [403, 'admin_required'] }],
      ['GET', `/v1/keys/${id}/namespaces`, undefined, { reader: [404, 'key_not_found'] }],
      [
        'PUT',
        `/v1/keys/${id}/namespaces`,
        { namespace_ids: [] },
        { admin: [404, 'key_not_found'], member: [403, 'key_binding_forbidden'] },
      ],
    ];
    for (const [method, path, body, answers] of expected) {
      for (const [role, answer] of Object.entries({ ...answers, none: [403, 'workspace_role_required'] })) {
        const reply = await people.as(role).call(method, path, body);
        expect([method, path, role, ...code(reply)]).toEqual([method, path, role, ...answer]);
      }
    }
  });

  // @covers NS-ADMIN BIND-PEOPLE ERR-user_session_required
  it('leaves namespaces and keys to people', async () => {
    const id = people.first().namespaceId;
    const forbidden: [string, string, unknown, string][] = [
      ['POST', '/v1/namespaces', { name: 'n' }, 'namespace_management_forbidden'],
      ['PATCH', `/v1/namespaces/${id}`, { name: 'n' }, 'namespace_management_forbidden'],
      ['DELETE', `/v1/namespaces/${id}`, undefined, 'namespace_management_forbidden'],
      ['GET', '/v1/keys', undefined, 'user_session_required'],
      ['POST', '/v1/keys', { name: 'k' }, 'user_session_required'],
      ['DELETE', `/v1/keys/${id}`, undefined, 'user_session_required'],
      ['POST', `/v1/keys/${id}/kafka-secret`, {}, 'user_session_required'],
      ['GET', `/v1/keys/${id}/namespaces`, undefined, 'user_session_required'],
      ['PUT', `/v1/keys/${id}/namespaces`, { namespace_ids: [] }, 'user_session_required'],
    ];
    for (const [method, path, body, refusal] of forbidden) {
      expect([method, path, ...code(await people.service().call(method, path, body))]).toEqual([
        method,
        path,
        403,
        refusal,
      ]);
    }
  });
});
