import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { type Asked, ask } from './ask.js';
import { apiKey, type Service, startService } from './service.js';

describe('the edges of HTTP', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS: 'on', TRUST_PROXY: '1', CORS_ORIGINS: 'https://app.example.org' });
  });
  afterAll(() => service.stop());

  let sent = 0;
  const send = (method: string, path: string, init: RequestInit = {}): Promise<Asked> => {
    sent += 1;
    // Each request from another address, so that only the budgets of the workspace are shared.
    const headers = { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': `10.0.0.${sent}`, ...init.headers };
    return ask(service.app.server.listeningOrigin, method, path, { ...init, headers });
  };
  const write = (body: Uint8Array, encoding: string) =>
    send('POST', '/v1/memories', { body: new Uint8Array(body), headers: { 'content-encoding': encoding } });

  // @covers HTTP-HEAD
  it('answer HEAD wherever there is a GET, except where it would not end', async () => {
    for (const path of ['/v1/memories', '/v1/receipts', '/v1/usage', '/v1/ledger/keys', '/healthz']) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
    expect((await send('HEAD', '/v1/terminal/stream')).status).toBe(404);
    expect((await send('HEAD', '/v1/memories', { headers: { authorization: 'Bearer ak_x' } })).status).toBe(401);
    // A browser reads no header of a private answer from another site's page.
    expect((await send('HEAD', '/v1/terminal/watchlist')).headers.get('access-control-allow-origin')).toBeNull();
  });

  // @covers PAGES-SIGN-IN
  it('say at the address of the service what it is, and lead to the sign-in', async () => {
    const reply = await fetch(`${service.app.server.listeningOrigin}/`, { redirect: 'manual' });
    expect([reply.status, (await reply.text()).includes('href="/sign-in">Sign in')]).toEqual([200, true]);
  });

  // @covers HTTP-ENCODED-BODIES
  it('read bodies that are compressed', async () => {
    const body = (text: string) => Buffer.from(JSON.stringify({ content: text }));
    expect((await write(gzipSync(body('gzip')), 'gzip')).status).toBe(202);
    expect((await write(gzipSync(body('gzip')), 'X-GZIP')).status).toBe(200);
    expect((await write(deflateSync(body('deflate')), 'deflate')).status).toBe(202);
    expect((await write(brotliCompressSync(body('br')), 'br')).status).toBe(202);
    const receipts = gzipSync('{"receipts": []}');
    expect(
      (await send('POST', '/v1/receipts', { body: receipts, headers: { 'content-encoding': 'gzip' } })).status,
    ).toBe(400);
  });

  // @covers HTTP-ENCODED-BODIES
  it('bound what a compressed body becomes, and refuse other encodings', async () => {
    const bomb = gzipSync(Buffer.alloc(3 * limits.bodyBytes, '['));
    const code = ({ status, json }: Asked) => [status, json.error.code];
    const bombs = await Promise.all(Array.from({ length: 3 }, () => write(bomb, 'gzip')));
    for (const answer of bombs) expect(code(answer)).toEqual([413, 'body_too_large']);
    expect(code(await write(randomBytes(100), 'gzip'))).toEqual([400, 'invalid_json']);
    expect(code(await write(gzipSync('{"content":"cut"}').subarray(0, 20), 'gzip'))).toEqual([400, 'invalid_json']);
    expect(code(await write(gzipSync('{}'), 'zstd'))).toEqual([400, 'invalid_request']);
    expect(code(await write(gzipSync(gzipSync('{}')), 'gzip, gzip'))).toEqual([400, 'invalid_request']);
  });

  // @covers HTTP-NOSNIFF HTTP-NO-STORE
  it('have nosniff in every answer, and no-store where others may not read it', async () => {
    const headers = { cookie: '', 'content-type': 'application/json' };
    const answers = [
      ...(await Promise.all(
        ['/v1/memories', '/v1/usage', '/v1/nothing', '/healthz', '/sign-in'].map((p) => send('GET', p)),
      )),
      await send('POST', '/v1/session', { body: '{"email":"a@example.org","password":"wrong"}', headers }),
      await send('GET', '/v1/ledger/keys'),
      await send('GET', '/.well-known/oauth-authorization-server'),
      await send('POST', '/mcp', { body: '{}' }),
    ];
    for (const one of answers) expect(one.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answers.slice(0, 2).map((one) => one.headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
    expect(answers[5]?.headers.get('cache-control')).toBe('no-store');
  });

  // @covers HTTP-CORS
  it('allow pages of the origins in CORS_ORIGINS, and no others', async () => {
    // The description of the API has no preflights.
    const preflight = (path: string, origin: string) =>
      fetch(`${service.app.server.listeningOrigin}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const page = 'https://app.example.org';
    for (const path of ['/v1/memories', '/v1/webhooks', '/v1/receipts/verify']) {
      const asked = await preflight(path, page);
      expect([path, asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([path, 204, page]);
      const headers = asked.headers.get('access-control-allow-headers')?.split(', ');
      for (const one of ['authorization', 'content-type', 'idempotency-key', 'prefer', 'x-service-agent']) {
        expect(headers).toContain(one);
      }
      const other = await preflight(path, 'https://evil.example');
      expect([path, other.status, other.headers.get('access-control-allow-origin')]).toEqual([
        path,
        path === '/v1/webhooks' ? 405 : 404,
        null,
      ]);
    }
    for (const [path, status] of [
      ['/v1/memories', 200],
      ['/v1/memories/x', 404],
      ['/v1/nothing', 404],
      ['/v1/memories?limit=0', 400],
    ] as const) {
      const { status: seen, headers } = await send('GET', path, { headers: { origin: page } });
      expect([path, seen, headers.get('access-control-allow-origin')]).toEqual([path, status, page]);
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      for (const one of ['x-request-id', 'ratelimit', 'retry-after', 'preference-applied']) {
        expect(exposed).toContain(one);
      }
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toMatch(/\borigin\b/);
    }
    const other = await send('GET', '/v1/memories', { headers: { origin: 'https://app.example.org.evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('vary')).toMatch(/\borigin\b/);
    const feed = await send('GET', '/v1/ledger/keys', { headers: { origin: page } });
    expect(feed.headers.get('access-control-allow-origin')).toBe('*');
  });

  // @covers LIMIT-HEADERS
  it('say what is left of each budget before a request is refused', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const first = await send('GET', '/v1/memories', { headers: from });
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=299;t=(60|59)$/);
    const search = { method: 'POST', headers: from, body: '{"query":"tea"}' };
    const second = await send('POST', '/v1/memories/search', search);
    expect(second.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60, "searches";q=300;w=60');
    expect(second.headers.get('ratelimit')).toMatch(/^"address";r=298;t=\d+, "searches";r=299;t=\d+$/);
    const listed = { ...from, 'x-service-agent': 'no one' };
    const lists = (await send('GET', '/v1/webhooks', { headers: listed })).headers.get('ratelimit');
    expect(lists).toMatch(/^"address";r=297;t=\d+, "webhook-lists";r=119;t=\d+$/);
    const last = await Promise.all(Array.from({ length: 298 }, () => send('GET', '/v1/memories', { headers: from })));
    const refused = last.find(({ status }) => status === 429);
    expect(refused?.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
    expect(refused?.headers.get('retry-after')).toBe(/t=(\d+)/.exec(refused?.headers.get('ratelimit') ?? '')?.[1]);
    // Caches keep public files for everybody.
    expect((await send('GET', '/v1/ledger/keys')).headers.get('ratelimit')).toBeNull();
  });
});
