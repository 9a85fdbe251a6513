import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdPort } from '../../../src/cli/port.js';
import { signedIn } from '../../http/person.js';
import { startProvider } from '../../http/provider.js';
import { startService } from '../../http/service.js';
import { everyForm } from '../../pages/every-form.js';
import { fieldsOf, formsOf } from '../../pages/forms-of.js';
import { reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const text = 'The <b>ferry</b> & the "tide"\n\nare late.';
const add = '/memories/new';

describe('the forms of a service that starts again', () => {
  // @covers PAGES-STATES
  it('are taken by the service that follows, and kept while it opens its store', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-forms-'));
    const env = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, DATA_DIR: directory };
    const first = await startService(env);
    const owner = await signedInReader(first, ada);
    const forms = await everyForm(first, owner, await signedIn(first, ada));
    const opened: { readonly action: string; readonly fields: Record<string, string>; readonly answer: number }[] = [];
    for (const { from, action, typed, answer } of forms) {
      const page = await owner.get(from);
      const form = formsOf(page.text).findLast((one) => one.method === 'post' && one.action === action);
      opened.push({ action, answer, fields: { ...Object.fromEntries(form?.fields() ?? []), ...typed } });
    }
    await first.stop();
    const second = await startService(env);
    owner.continueAt(second);
    for (const { action, fields, answer } of opened) {
      const reply = await owner.post(action, fields);
      expect([action, reply.status, reply.status === answer ? '' : reply.text]).toEqual([action, answer, '']);
    }
    await second.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  // @covers PAGES-UNAVAILABLE
  it('come back on a page of the service that starts, and programs are answered as ever', async () => {
    const port = 20_000 + (process.pid % 20_000);
    const held = await holdPort('127.0.0.1', port);
    const origin = `http://127.0.0.1:${port}`;
    const browser = { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/x-www-form-urlencoded' };
    const shown = await fetch(`${origin}/memories?q=a`, { headers: browser });
    const page = await shown.text();
    expect([shown.status, shown.headers.get('retry-after'), shown.headers.get('content-type')]).toEqual([
      503,
      '3',
      'text/html; charset=utf-8',
    ]);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('content="3;url=/memories?q=a"');
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
    expect((await fetch(`${origin}${style}`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    const body = new URLSearchParams({ token: 't', by: 'b', content: text, once: 'o' });
    const sent = await fetch(`${origin}${add}`, { method: 'POST', headers: browser, body });
    const [form] = formsOf(await sent.text()).filter(({ method }) => method === 'post');
    expect([sent.status, form?.action, Object.fromEntries(form?.fields() ?? [])]).toEqual([
      503,
      add,
      { token: 't', by: 'b', content: text, once: 'o' },
    ]);
    const password = new URLSearchParams({ email: 'ada@example.org', password: 'pass-3' });
    const signIn = await fetch(`${origin}/sign-in`, { method: 'POST', headers: browser, body: password });
    expect((await signIn.text()).includes('pass-3')).toBe(false);
    for (const [path, headers] of [
      ['/memories', {}],
      ['/v1/memories', browser],
    ] as const) {
      const reply = await fetch(`${origin}${path}`, { headers });
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
        path,
        503,
        'application/json; charset=utf-8',
      ]);
    }
    await held.release();
  });
});

describe('a person whose sign-in is in no workspace', () => {
  // @covers PAGES-STATES
  it('reads who can help, keeps what was typed, and can sign out', async () => {
    const baseUrl = 'http://counterfoil.example';
    const provider = await startProvider(`${baseUrl}/v1/session/oidc/callback`);
    const service = await startService({
      BASE_URL: baseUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'counterfoil',
      OIDC_CLIENT_SECRET: 'a secret of the client',
    });
    provider.behaviour.account = { email: 'outsider@example.org', email_verified: true };
    const one = reader(service);
    let location = (await one.get('/v1/session/oidc')).headers.get('location') ?? '';
    const jar: string[] = [];
    while (location.startsWith(provider.issuer)) {
      const reply = await fetch(location, { redirect: 'manual', headers: { cookie: jar.join('; ') } });
      jar.push(...reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? ''));
      location = new URL(reply.headers.get('location') ?? '', location).href;
    }
    expect((await one.get(location.slice(baseUrl.length))).status).toBe(302);
    for (const path of ['/memories', '/keys', '/workspace', add]) {
      const page = await one.get(path);
      expect([path, page.status]).toEqual([path, 409]);
      expect(page.text).toContain('adds you as a member');
      expect(page.text).toContain('no_workspace');
    }
    const reply = await one.post(add, { content: text });
    expect([reply.status, reply.text.includes('The &lt;b&gt;ferry')]).toEqual([409, true]);
    const out = await one.send('/memories', '/sign-out');
    expect([out.status, out.headers.get('location'), one.cookie()]).toEqual([303, '/sign-in', '']);
    await service.stop();
    await provider.close();
  });

  // @covers PAGES-SESSION-ENDED
  it('keeps a form in its tab when the sign-in is with a provider', async () => {
    const provider = await startProvider('http://counterfoil.example/v1/session/oidc/callback');
    const service = await startService({
      OWNER_EMAIL: ada.email,
      OWNER_PASSWORD: ada.password,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'counterfoil',
      OIDC_CLIENT_SECRET: 'a secret of the client',
    });
    const one = reader(service);
    const page = await one.post(add, { content: text });
    expect(page.text).toMatch(/target="_blank" rel="noopener">Sign in with .* in another tab/);
    const form = fieldsOf(page, add);
    expect((await one.post(add, form)).status).toBe(401);
    await one.post('/sign-in', ada);
    const back = await one.post(add, form);
    expect([back.status, fieldsOf(back, add).content]).toEqual([200, text]);
    await service.stop();
    await provider.close();
  });
});
