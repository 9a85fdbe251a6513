import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../src/pages/frame/files.js';
import { pages } from '../../src/pages/pages.js';
import { signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';
import { asking } from './asking.js';
import { reader, signedInReader } from './reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

/** A page without the script that the console has, and without those of single pages. */
function withoutOwn(text: string): string {
  const own = (['live.js', 'import.js', 'agent-key.js'] as const).map(
    (name) => `<script type="module" src="${addressOf(name)}"></script>`,
  );
  return own.reduce((rest, script) => rest.replace(script, ''), text);
}

describe('the pages for people', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
  });
  afterAll(() => service.stop());

  // @covers PAGES-POLICY
  it('run nothing, load nothing of others, are not stored and cannot be framed', async () => {
    const person = await signedInReader(service, ada);
    for (const { path, show } of pages) {
      const { headers, text } = await person.get(path);
      const hasScript = text.includes('<script');
      // A page that asks for a password or for consent runs nothing.
      expect([path, hasScript && /^\/(sign-in|consent)/.test(path)]).toEqual([path, false]);
      expect(headers.get('content-security-policy'), path).toBe(
        hasScript
          ? "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
          : "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(withoutOwn(text)).not.toMatch(/<script|<style| style=| on\w+="|<iframe/);
      const type = headers.has('content-disposition') ? 'application/x-ndjson' : 'text/html; charset=utf-8';
      if (show && text !== '') expect(headers.get('content-type')).toBe(type);
    }
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
    const forms = pages.filter(({ access, path, submit }) => submit && (access === 'a person' || path === '/sign-out'));
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
    const tooLarge = (path: string, bytes: number) =>
      statusOf(path, { method: 'POST', body: 'x'.repeat(bytes), headers: form });
    expect(await tooLarge('/workspace', 65_537)).toEqual([413, null]);
    // The sign-in carries the sealed fields of another form.
    expect(await tooLarge('/sign-in', 2 * 65_536 + 1)).toEqual([413, null]);
    const json = { 'content-type': 'application/json' };
    expect(await statusOf('/workspace', { method: 'POST', body: '{}', headers: json })).toEqual([415, null]);
    expect(await statusOf('/sign-in', { method: 'DELETE' })).toEqual([405, 'GET, POST']);
    expect(await statusOf('/sign-out', {})).toEqual([405, 'POST']);
    const { token = '' } = (await person.get('/workspace')).hidden('/workspace');
    expect((await person.post('/workspace', { token })).status).toBe(400);
    expect((await person.post('/workspace', { token, workspace_id: crypto.randomUUID() })).status).toBe(404);
  });

  // @covers PAGES-BAD-FORMS
  it('answer unknown addresses with a page to browsers, and as the API does to programs', async () => {
    const one = reader(service);
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await one.get('/no/such/page', html);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const [path, headers] of [
      ['/no/such/page', {}],
      ['/v1/no', html],
      ['/.well-known/no', html],
    ] as const)
      expect((await one.get(path, headers)).headers.get('content-type')).toMatch(/^application\/json/);
  });

  // @covers PAGES-ESCAPED
  it('show every stored text as text', async () => {
    const hostile = `"'><script>x</script><img src=x onerror=x>`;
    const person = await signedIn(service, ada);
    const make = async (path: string, body: object) => (await person.call('POST', path, body)).json;
    await person.call('PATCH', '/v1/workspace', { name: hostile });
    await make('/v1/namespaces', { name: hostile });
    const key = await make('/v1/keys', { name: hostile, namespace_ids: [hostile], agent_id: hostile, app_id: hostile });
    const link = await make('/v1/agents', { agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u', name: hostile });
    const agentKey = await make(`/v1/agents/${link.id}/keys`, { name: hostile, namespace_ids: [hostile] });
    const ask_owner = [{ source: 'crawler' }];
    await person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner });
    const held = { content: 'x', source: 'crawler', namespace: hostile };
    await service.call('POST', '/v1/memories', held, { authorization: `Bearer ${key.key}` });
    const memory = await make('/v1/memories', { content: hostile, source: hostile, metadata: { [hostile]: hostile } });
    await service.settled();
    const visitor = await signedInReader(service, ada);
    const client = await asking(service, visitor, { client_name: hostile, client_uri: 'https://desk.example' });
    const allowing = { do: 'allow', scope: 'memory.read', namespace: key.namespace_ids };
    const consent = await visitor.get(client.consent);
    await visitor.send(client.consent, client.consent, allowing);
    const paths = [
      '/sign-in',
      '/workspace',
      '/keys',
      `/keys/${key.key_id}`,
      '/approvals',
      '/grants',
      `/keys/agents/${link.id}`,
    ];
    const shown = [...paths, `/keys/agents/${link.id}/${agentKey.key_id}`, `/m/${memory.memory_id}`];
    const all = await Promise.all(shown.map((path) => visitor.get(path)));
    const typed = await visitor.send('/keys', '/keys', { do: 'find', name: hostile, find: hostile });
    const problem = await visitor.post('/sign-in', { email: hostile, password: hostile });
    for (const [at, page] of [consent, typed, problem, ...all].entries()) {
      expect([at, page.text.includes('&quot;&#39;&gt;&lt;script&gt;x')]).toEqual([at, true]);
      expect(withoutOwn(page.text)).not.toMatch(/<script|<img|onerror=x(?!&gt;)/);
    }
  });
});
