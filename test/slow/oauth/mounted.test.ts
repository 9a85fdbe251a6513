import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../http/service.js';
import { get, postForm, redirect, register } from '../../oauth/client.js';

describe('the authorization server in the service', () => {
  let here: Service;
  let origin: string;
  beforeAll(async () => {
    here = await startService({
      RATE_LIMITS: 'on',
      BASE_URL: 'https://memory.example',
      LOG_LEVEL: 'info',
      TRUST_PROXY: '1',
    });
    origin = here.app.server.listeningOrigin;
  });
  afterAll(() => here.stop());

  // @covers OA-01 OA-23
  it('names the address of the service, not the one that a request was sent to', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { json } = await get(`${origin}/.well-known/oauth-authorization-server`, forged);
    const addresses = Object.entries(json).filter(([name]) => name === 'issuer' || /_(endpoint|uri)$/.test(name));
    expect(addresses.map(([, url]) => new URL(String(url)).origin)).toEqual(
      addresses.map(() => 'https://memory.example'),
    );
    expect(addresses).toHaveLength(6);
    expect(json.client_id_metadata_document_supported).toBe(true);
    const resource = await get(`${origin}/.well-known/oauth-protected-resource/mcp`, forged);
    expect(resource.json.resource).toBe('https://memory.example/mcp');
  });

  it('sets cookies that are sent over https only, and to its own paths only', async () => {
    const { json } = await register(origin, { redirect_uris: [redirect], token_endpoint_auth_method: 'none' });
    const asking = new URLSearchParams({
      client_id: json.client_id,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { status, headers } = await get(`${origin}/oauth/authorize?${asking}`);
    expect(status).toBe(303);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(4);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; secure/i);
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
      expect(cookie).toMatch(/; path=\/(consent|oauth\/authorize\/)/i);
    }
  });

  // @covers OA-28
  it('shows a page to a person whose application cannot be answered, with nothing of it as markup', async () => {
    const asking = new URLSearchParams({ client_id: '<b>no one</b>', response_type: 'code' });
    const address = `${origin}/oauth/authorize?${asking}`;
    const page = await get(address, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.json).toContain('This application cannot be connected');
    expect(page.json).toContain('<code>invalid_client</code>');
    expect(page.json).not.toContain('<b>');
    expect((await get(address, { accept: 'application/json' })).json.error).toBe('invalid_client');
  });

  // @covers OA-26
  it('is in the request log and in the metrics, takes short bodies, and gives each answer the id of its request', async () => {
    const large = await postForm(`${origin}/oauth/token`, { code: 'x'.repeat(65 * 1024) });
    expect([large.status, large.json.error]).toEqual([413, 'invalid_request']);
    const { status, headers } = await postForm(`${origin}/oauth/token`, { grant_type: 'x', client_id: 'unknown' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    const id = headers.get('x-request-id') ?? '';
    const line = here.logged.map((text) => JSON.parse(text)).find(({ reqId }) => reqId === id);
    expect(line).toMatchObject({ route: '/oauth/token', status: 401, method: 'POST' });
    const { text } = await here.call('GET', '/metrics');
    expect(text).toContain('route="/oauth/token"');
  });

  // @covers OA-21
  it('registers 20 clients an hour for one address', async () => {
    const from = (address: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
          const body = JSON.stringify({ redirect_uris: [redirect] });
          const response = await fetch(`${origin}/oauth/register`, { method: 'POST', headers, body });
          return { response, json: await response.json() };
        }),
      );
    const answers = await from('203.0.113.7', 22);
    const statuses = answers.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([...Array(20).fill(201), 429, 429]);
    const refused = answers.find(({ response }) => response.status === 429);
    expect(refused?.json).toMatchObject({ error: 'too_many_requests' });
    expect(Number(refused?.response.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(refused?.response.headers.get('access-control-allow-origin')).toBe('*');
    expect((await from('203.0.113.8', 1))[0]?.response.status).toBe(201);
  });
});
