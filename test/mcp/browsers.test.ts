import { describe, expect, it } from 'vitest';
import { baseUrl, good, mounted } from './harness.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const app = 'https://app.example.org';
const loopback = 'http://127.0.0.1:8080';

describe('the host', () => {
  const { send } = mounted();

  // @covers MCP-HOST
  it.each([
    ['memory.example.org', 200],
    ['MEMORY.example.org', 200],
    ['memory.example.org:443', 200],
    ['memory.example.org:9000', 403],
    ['memory.example.org:80', 403],
    ['memory.example.org:', 403],
    ['user@memory.example.org', 403],
    ['memory.example.org:443:443', 403],
    ['memory.example.org.', 403],
    ['[::1]', 403],
    ['evil.example', 403],
    ['memory.example.org.evil.example', 403],
    ['127.0.0.1', 403],
    ['localhost:8080', 403],
    ['', 403],
  ])('%s is answered with %i', async (host, status) => {
    const answer = await send(ping, { host });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json).toMatchObject({ id: null, error: { code: -32000 } });
  });

  // @covers MCP-HOST
  it.each([
    [loopback, '127.0.0.1:8080', 200],
    [loopback, 'localhost:8080', 200],
    [loopback, 'LocalHost:8080', 200],
    [loopback, '[::1]:8080', 200],
    [loopback, '127.0.0.1:8081', 403],
    [loopback, 'localhost', 403],
    [loopback, '[::1]', 403],
    [loopback, '[::1]:80808', 403],
    [loopback, '127.0.0.2:8080', 403],
    [loopback, 'localhost.evil.example:8080', 403],
    [loopback, 'evil.example:8080', 403],
    ['http://[::1]:9000', 'localhost:9000', 200],
    ['http://localhost', '127.0.0.1', 200],
    ['http://localhost', '[::1]:80', 200],
    ['http://127.0.0.5:8080', '127.0.0.5:8080', 200],
    ['https://memory.example.org:8443', 'memory.example.org:8443', 200],
    ['https://memory.example.org:8443', 'memory.example.org', 403],
    ['https://memory.example.org:8443', 'localhost:8443', 403],
  ])('of a service at %s: %s is answered with %i', async (base, host, status) => {
    expect((await mounted({ base }).send(ping, { host })).status).toBe(status);
  });

  // @covers MCP-HOST
  it('is that of X-Forwarded-Host behind a proxy that is believed, and of no one else', async () => {
    const behind = mounted({ trustProxy: true });
    const by = (host: string, forwarded: string) => ({ host, 'x-forwarded-host': forwarded });
    expect((await behind.send(ping, by('10.0.0.5:8080', 'memory.example.org'))).status).toBe(200);
    expect((await behind.send(ping, by('10.0.0.5:8080', 'memory.example.org:443'))).status).toBe(200);
    expect((await behind.send(ping, by('10.0.0.5:8080', 'memory.example.org:8443'))).status).toBe(403);
    expect((await behind.send(ping, by('memory.example.org', 'evil.example'))).status).toBe(403);
    expect((await send(ping, by('evil.example', 'memory.example.org'))).status).toBe(403);
  });
});

describe('origins', () => {
  const status = async (settings: Parameters<typeof mounted>[0], origin: string) =>
    (await mounted(settings).send(ping, { origin })).status;

  // @covers MCP-ORIGIN
  it.each([
    [{}, baseUrl, 200],
    [{}, 'https://memory.example.org:8443', 403],
    [{}, 'http://memory.example.org', 403],
    [{}, 'http://localhost:3000', 403],
    [{}, app, 403],
    [{}, 'null', 403],
    [{ base: loopback }, 'http://localhost:3000', 200],
    [{ base: loopback }, 'http://127.0.0.1:9', 200],
    [{ base: loopback }, 'https://[::1]:9', 200],
    [{ base: loopback }, 'http://localhost.evil.example', 403],
    [{ base: loopback }, 'http://127.0.0.1.evil.example', 403],
    [{ base: loopback }, 'http://localhost:3000/', 403],
    [{ base: loopback }, 'null', 403],
    [{ allowed: [app] }, app, 200],
    [{ allowed: [app] }, `${app}:8443`, 403],
    [{ allowed: [app] }, baseUrl, 403],
    [{ base: loopback, allowed: [app] }, 'http://localhost:3000', 403],
    [{ allowed: ['*'] }, 'https://any.example', 200],
  ])('with %j the origin %s is answered with %i', async (settings, origin, expected) => {
    expect(await status(settings, origin)).toBe(expected);
  });

  const { send, server } = mounted({ allowed: [app] });

  // @covers MCP-CORS
  it.each([
    ['an answer', ping, {}, 200],
    ['a refused credential', ping, { authorization: '' }, 401],
    ['a refused scope', ping, { authorization: 'Bearer agk_narrow' }, 403],
    ['a refused type', ping, { 'content-type': 'text/plain' }, 415],
    ['a refused body', '{', {}, 400],
    ['a body that is too large', 'x'.repeat(8 * 1024 * 1024 + 1), {}, 413],
    ['another host', ping, { host: 'evil.example' }, 403],
  ])('may read %s', async (_name, body, headers, status) => {
    const answer = await send(body, { ...headers, origin: app });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, Retry-After, x-request-id',
      vary: 'Origin',
    });
    expect('access-control-allow-credentials' in answer.headers).toBe(false);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  // @covers MCP-CORS
  it('are refused with a body of JSON-RPC, and without a header that allows them to read it', async () => {
    const { status, json, headers } = await send(ping, { origin: 'https://evil.example' });
    expect([status, json.error.code, json.id]).toEqual([403, -32000, null]);
    expect([headers.vary, 'access-control-allow-origin' in headers]).toEqual(['Origin', false]);
    expect((await send(ping)).headers.vary).toBe('Origin');
  });

  const preflight = (origin: string, url = '/mcp') =>
    server.inject({
      method: 'OPTIONS',
      url,
      headers: { host: 'memory.example.org', origin, 'access-control-request-method': 'POST' },
    });

  // @covers MCP-CORS
  it('ask before they send, without a credential', async () => {
    const { statusCode, headers, body } = await preflight(app);
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, x-service-run, idempotency-key',
      vary: 'Origin',
    });
    const refused = await preflight('https://evil.example');
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, -32000]);
  });
});

describe('other methods', () => {
  const { server } = mounted();
  const ask = (method: 'GET' | 'DELETE' | 'HEAD' | 'PUT' | 'PATCH' | 'OPTIONS', headers = {}, url = '/mcp') =>
    server.inject({ method, url, headers: { host: 'memory.example.org', ...headers } });

  // @covers MCP-METHODS
  it.each(['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'] as const)('%s is refused', async (method) => {
    for (const headers of [
      {},
      { authorization: good },
      { accept: 'text/event-stream' },
      { accept: 'text/html,application/xhtml+xml' },
      { 'mcp-session-id': 'x' },
    ]) {
      const { statusCode, headers: given } = await ask(method, headers);
      expect([statusCode, given.allow]).toEqual([405, 'POST']);
    }
  });

  // @covers MCP-METHODS
  it('shows a person who comes with a browser how to connect', async () => {
    const { statusCode, headers, body } = await ask('GET', { accept: 'text/html' });
    expect([statusCode, headers['content-type']]).toEqual([405, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(body).toContain(`claude mcp add --transport http counterfoil ${baseUrl}/mcp`);
    expect((await ask('GET')).json().error.code).toBe(-32000);
  });

  // @covers MCP-METHODS
  it('the address with a slash leads to the one without, with the same method', async () => {
    const { statusCode, headers } = await server.inject({
      method: 'POST',
      url: '/mcp/?a=1',
      headers: { host: 'memory.example.org' },
    });
    expect([statusCode, headers.location]).toEqual([308, '/mcp?a=1']);
  });
});

describe('the challenge', () => {
  const { send } = mounted();
  const where = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  const scope = 'scope="mcp:tools memory.read memory.write"';

  // @covers MCP-CHALLENGE
  it.each([
    [401, '', `Bearer ${where}, ${scope}`],
    [401, 'Bearer agk_other', `Bearer error="invalid_token", ${where}, ${scope}`],
    [401, 'Basic dTpw', `Bearer error="invalid_token", ${where}, ${scope}`],
    [403, 'Bearer agk_narrow', `Bearer error="insufficient_scope", ${where}, ${scope}`],
    [403, 'Bearer agk_unlinked', undefined],
  ])('of a %i to "%s" says where to get a token', async (status, authorization, expected) => {
    const answer = await send(ping, { authorization });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([status, expected]);
  });
});
