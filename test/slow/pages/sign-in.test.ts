import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import { signedIn } from '../../http/person.js';
import { laterWorld, type Service, startService, testWorld } from '../../http/service.js';
import { reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

describe('the pages of people who sign in', () => {
  let service: Service;
  let ahead = 0;
  beforeAll(async () => {
    const world = laterWorld(testWorld, () => ahead);
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password }, world);
  });
  afterAll(() => service.stop());

  // @covers PAGES-SIGN-IN
  it('sign a person in, who comes back to where they came from', async () => {
    const one = reader(service);
    const asked = await one.get('/workspace?next=%2Fgrants');
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      '/sign-in?next=%2Fworkspace%3Fnext%3D%252Fgrants',
    ]);
    const page = await one.get(asked.headers.get('location') ?? '');
    expect(page.text).toContain('<label for="password">Password</label>');
    const reply = await one.post('/sign-in', { ...page.hidden('/sign-in'), ...ada });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/workspace?next=%2Fgrants']);
    expect(reply.headers.getSetCookie()[0]).toMatch(/^service_session=.+; HttpOnly; SameSite=Lax$/);
    const shown = await one.get('/sign-in?next=/grants');
    for (const part of [ada.email, 'owner', 'Sign out', 'href="/grants">Continue']) expect(shown.text).toContain(part);
    const out = await one.send('/sign-in', '/sign-out');
    expect([out.status, out.headers.get('location'), one.cookie()]).toEqual([303, '/sign-in', '']);
    expect((await one.get('/workspace')).status).toBe(303);
  });

  // @covers PAGES-SIGN-IN
  it('say how long an account is locked, and keep what was typed', async () => {
    const one = reader(service);
    const wrong = { email: '"><b>x@example.org', password: 'wrong', next: '/grants' };
    const first = await one.post('/sign-in', wrong);
    expect([first.status, first.text.includes('The e-mail address or the password is wrong.')]).toEqual([401, true]);
    expect(first.text).toContain('value="&quot;&gt;&lt;b&gt;x@example.org"');
    expect(first.text).not.toContain('value="wrong"');
    expect(first.hidden('/sign-in')).toEqual({ next: '/grants' });
    for (let sent = 1; sent < 10; sent += 1) await one.post('/sign-in', wrong);
    const locked = await one.post('/sign-in', wrong);
    expect([locked.status, Number(locked.headers.get('retry-after')) > 800]).toEqual([429, true]);
    expect(locked.text).toMatch(/account is locked .* Try again in 15 minutes\./);
    expect((await one.post('/sign-in', { email: '', password: '' })).text).toContain('Type your e-mail address');
  });

  // @covers PAGES-WORKSPACE
  it('move the session to another workspace of the person', async () => {
    const admin = administration(service);
    const { workspaceId: other } = await admin.workspace();
    const there = await signedIn(service, await admin.member(other, 'owner'));
    await there.call('PATCH', '/v1/workspace', { name: '<b>Porto</b>' });
    await there.call('POST', '/v1/members', { email: ada.email, role: 'reader' });
    const person = await signedInReader(service, ada);
    const page = await person.get('/workspace?next=/approvals');
    expect(page.text).toContain('<bdi dir="auto">&lt;b&gt;Porto&lt;/b&gt;</bdi>');
    const reply = await person.post('/workspace', { ...page.hidden('/workspace'), workspace_id: other });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/approvals']);
    expect((await person.get('/sign-in')).text).toContain('<dd><bdi>&lt;b&gt;Porto&lt;/b&gt;</bdi>');
  });

  // @covers PAGES-SIGN-IN
  it('send a form of an ended session to the sign-in, with a page', async () => {
    const person = await signedInReader(service, ada);
    const { token = '' } = (await person.get('/workspace')).hidden('/workspace');
    ahead = 13 * 3_600_000;
    const reply = await person.post('/workspace', { token });
    ahead = 0;
    expect([reply.status, reply.hidden('/sign-in')]).toEqual([401, { next: '/workspace' }]);
  });
});
