import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/pages/pages.js';
import { administration } from '../http/keys.js';
import { signedIn } from '../http/person.js';
import { type Service, startService, testWorld } from '../http/service.js';
import { reader, signedInReader } from './reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

describe('the pages for people', () => {
  let service: Service;
  let ahead = 0;
  beforeAll(async () => {
    const world = { ...testWorld, now: () => new Date(Date.now() + ahead) };
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password }, world);
  });
  afterAll(() => service.stop());

  // @covers PAGES-POLICY
  it('run nothing, load nothing of others, are not stored and cannot be framed', async () => {
    const person = await signedInReader(service, ada);
    for (const { path, show } of pages) {
      const { headers, text } = await person.get(path);
      expect(headers.get('content-security-policy'), path).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toMatch(/<script|<style| style=| on\w+="|<iframe/);
      if (show && text !== '') expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

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

  // @covers PAGES-NEXT
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https://evil.example',
    '/%09/evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('never continue at %j', async (next) => {
    const one = reader(service);
    const { text, hidden } = await one.get(`/sign-in?next=${encodeURIComponent(next)}`);
    const kept = hidden('/sign-in').next;
    const reply = await one.post('/sign-in', { ...ada, next });
    const location = new URL(reply.headers.get('location') ?? '', 'http://service.example');
    expect([reply.status, location.origin]).toEqual([303, 'http://service.example']);
    expect(new URL(kept ?? '/', 'http://service.example').origin).toBe('http://service.example');
    expect(text).not.toContain('href="https:');
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

  // @covers PAGES-FORGED
  it('refuse a sign-in and a sign-out from another site, with a page', async () => {
    const person = await signedInReader(service, ada);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const reply = await person.post('/sign-in', ada, headers);
      expect([reply.status, reply.headers.getSetCookie().length]).toEqual([403, 0]);
      expect(reply.text).toContain('Nothing was done.');
      expect((await reader(service).post('/sign-in', ada, headers)).status).toBe(403);
      const own = (await person.get('/sign-in')).hidden('/sign-out');
      expect((await person.post('/sign-out', own, headers)).status).toBe(403);
    }
  });

  // @covers PAGES-FORGED
  it('refuse every form without the token of its session and page', async () => {
    const [person, other] = [await signedInReader(service, ada), await signedInReader(service, ada)];
    const ofOther = (await other.get('/sign-in')).hidden('/sign-out').token ?? '';
    const ofSignOut = (await person.get('/sign-in')).hidden('/sign-out').token ?? '';
    const forms = pages.filter(({ access, submit }) => access === 'a person' && submit);
    for (const { path } of forms) {
      const wrong = [{}, { token: '' }, { token: 'x' }, { token: ofOther }];
      const all = path === '/sign-out' ? wrong : [...wrong, { token: ofSignOut }];
      for (const fields of all) {
        const reply = await person.post(path, { ...fields, do: 'approve', workspace_id: 'x' });
        expect([path, reply.status]).toEqual([path, 403]);
      }
    }
    expect((await person.get('/workspace')).status).toBe(200);
  });

  // @covers PAGES-BAD-FORMS
  it('answer bad forms and wrong methods with a page and the right status', async () => {
    const person = await signedInReader(service, ada);
    const statusOf = async (path: string, init: RequestInit) => {
      const { origin } = new URL(service.app.server.listeningOrigin);
      const reply = await fetch(`${origin}${path}`, { ...init, headers: { cookie: person.cookie(), ...init.headers } });
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await reply.text()).toContain('<h1>');
      return [reply.status, reply.headers.get('allow')];
    };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await statusOf('/sign-in', { method: 'POST', body: 'x'.repeat(65_537), headers: form })).toEqual([
      413,
      null,
    ]);
    const json = { 'content-type': 'application/json' };
    expect(await statusOf('/workspace', { method: 'POST', body: '{}', headers: json })).toEqual([415, null]);
    expect(await statusOf('/sign-in', { method: 'DELETE' })).toEqual([405, 'GET, POST']);
    expect(await statusOf('/sign-out', {})).toEqual([405, 'POST']);
    const { token = '' } = (await person.get('/workspace')).hidden('/workspace');
    expect((await person.post('/workspace', { token })).status).toBe(400);
    expect((await person.post('/workspace', { token, workspace_id: crypto.randomUUID() })).status).toBe(404);
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
    expect(page.text).toContain('<bdi>&lt;b&gt;Porto&lt;/b&gt;</bdi>');
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
    expect([reply.status, reply.text.includes('href="/sign-in?next=%2Fworkspace"')]).toEqual([401, true]);
  });
});
