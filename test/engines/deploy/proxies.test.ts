import { type IncomingMessage, request as plain } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '../../../contracts/limits.js';
import { apiKey, type Service, startService } from '../../http/service.js';
import { host, proxies, type RunningProxy } from './proxies.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const base = `https://${host}`;

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

describe.each(Object.entries(proxies))('the service behind %s, with the file of ops/deploy', (_, startProxy) => {
  let service: Service;
  let proxy: RunningProxy;
  beforeAll(async () => {
    const owner = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password };
    service = await startService({ ...owner, BASE_URL: base, TRUST_PROXY: '1', RATE_LIMITS: 'on' });
    proxy = await startProxy(Number(new URL(service.app.server.listeningOrigin).port));
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
  });

  const open = (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const connection = { host: '127.0.0.1', port: proxy.https, servername: host, rejectUnauthorized: false };
      const sent = request({ ...connection, path, method, headers: { host, ...headers } }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  const call = async (path: string, sent: Sent = {}) => {
    const answer = await open(path, sent);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') };
  };
  const asKey = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  // @covers DEPLOY-PROXY
  it('is reached by https alone', async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = plain({ host: '127.0.0.1', port: proxy.http, path: '/tour?step=1', headers: { host } }, resolve);
      sent.once('error', reject);
      sent.end();
    });
    answer.resume();
    expect([answer.statusCode, answer.headers.location]).toEqual([308, `${base}/tour?step=1`]);
    const healthy = await call('/healthz');
    expect([healthy.status, healthy.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });

  // @covers DEPLOY-PROXY
  it('writes, signs in with a cookie for https, takes forms of its own pages, and names itself to clients of MCP', async () => {
    const body = JSON.stringify({ content: 'The pilot boards at buoy 4.' });
    const written = await call('/v1/memories', { method: 'POST', headers: asKey, body });
    expect([written.status, written.headers['x-receipt-id']]).toEqual([202, expect.stringMatching(/^rcp_/)]);
    const signedIn = await call('/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: JSON.stringify(ada),
    });
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Secure/);
    const pair = cookie.split(';')[0] ?? '';
    const page = await call('/memories/new', { headers: { cookie: pair, accept: 'text/html' } });
    const [, token = ''] = /action="\/memories\/new">.*?name="token" value="([^"]+)"/s.exec(page.text) ?? [];
    const [, once = ''] = /name="once" value="([^"]+)"/.exec(page.text) ?? [];
    const form = new URLSearchParams({ token, once, content: 'Moor at the east quay.' }).toString();
    const headers = { cookie: pair, origin: base, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await call('/memories/new', { method: 'POST', headers, body: form });
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/m\/.*receipt=rcp_/)]);
    const mcp = await call('/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(mcp.status).toBe(401);
    expect(mcp.headers['www-authenticate']).toContain(`${base}/.well-known/oauth-protected-resource`);
  });

  // @covers DEPLOY-PROXY
  it('refuses a body that is too large by itself, and passes events on as they come', async () => {
    const body = Buffer.alloc(9 * 1024 * 1024, ' ');
    const refused = await call('/v1/memories', { method: 'POST', headers: asKey, body });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([413, 'body_too_large']);
    const stream = await open('/v1/terminal/stream');
    expect(stream.headers['content-type']).toContain('text/event-stream');
    const [first] = await Promise.all([
      new Promise<Buffer>((resolve) => stream.once('data', resolve)),
      new Promise((resolve) => setTimeout(resolve, 10)),
    ]);
    expect(first.length).toBeGreaterThan(0);
    stream.destroy();
  });

  // @covers DEPLOY-PROXY
  it.each([
    '/metrics',
    '//metrics',
    '/%6detrics',
    '/metrics?all=1',
    '/./metrics',
    '/x/../metrics',
  ])('does not show the metrics at %s', async (path) => {
    const { text } = await call(path);
    expect(text).not.toContain('counterfoil_');
  });

  // @covers DEPLOY-PROXY
  it('counts the requests of the client, no matter which addresses the client claims', async () => {
    const { requests } = rateLimits.address;
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < requests + 20; n += 20) {
      const some = Array.from({ length: 20 }, (_, one) =>
        call('/v1/usage', { headers: { ...asKey, 'x-forwarded-for': `203.0.113.${(n + one) % 250}` } }),
      );
      statuses.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    // A client at another address, as the proxy would name it, has a budget of its own.
    const other = await service.call('GET', '/v1/usage', undefined, { 'x-forwarded-for': '203.0.113.9' });
    expect(other.status).toBe(200);
  });
});
