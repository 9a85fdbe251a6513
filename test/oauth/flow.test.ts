import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open.js';
import { preparedStoreAddress, type StoreAddress } from '../support/new-store.js';
import { allowedClient, Browser, codeFor, get, newClient, postForm, redirect, register } from './client.js';
import { type Installation, startInstallation } from './installation.js';

describe('the authorization server', () => {
  let address: StoreAddress;
  let database: OpenedDatabase;
  let here: Installation;
  beforeAll(async () => {
    address = await preparedStoreAddress();
    database = await openDatabase(address.store);
    here = await startInstallation({ database });
  });
  afterAll(async () => {
    await here.close();
    await database.close();
    await address.remove();
  });

  // @covers OA-01
  it('describes itself and the resource at the well-known addresses, by the address of the service', async () => {
    const { issuer } = here;
    const servers = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map((name) => get(`${here.origin}/.well-known/${name}`)),
    );
    for (const { status, headers, json } of servers) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(json).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        jwks_uri: `${issuer}/oauth/jwks`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
        scopes_supported: ['offline_access', 'mcp:tools', 'memory.read', 'memory.write'],
        authorization_response_iss_parameter_supported: true,
      });
      expect(json).not.toHaveProperty('client_id_metadata_document_supported');
    }
    const [resource, suffixed] = await Promise.all(
      ['', '/mcp'].map((path) => get(`${here.origin}/.well-known/oauth-protected-resource${path}`)),
    );
    expect(resource?.json).toMatchObject({
      resource: `${issuer}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['mcp:tools', 'memory.read', 'memory.write'],
      bearer_methods_supported: ['header'],
    });
    expect(suffixed?.json).toEqual(resource?.json);
  });

  // @covers OA-01
  it('answers 404 in plain JSON below other well-known names, which pages of all sites may read', async () => {
    for (const name of ['oauth-authorization-server/mcp', 'openid-configuration/mcp', 'oauth-protected-resource/x']) {
      const { status, headers, json } = await get(`${here.origin}/.well-known/${name}`);
      expect([status, json.error.code, headers.get('access-control-allow-origin')]).toEqual([
        404,
        'route_not_found',
        '*',
      ]);
    }
  });

  // @covers OA-02
  it('may be called by pages of all sites, and answers their preflights', async () => {
    for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke', '/oauth/jwks']) {
      const asked = { 'access-control-request-method': 'POST', origin: 'https://a.example' };
      const { status, headers } = await fetch(`${here.origin}${path}`, { method: 'OPTIONS', headers: asked });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-methods')).toContain('POST');
    }
    const form = { grant_type: 'authorization_code', client_id: 'unknown' };
    const { status, headers } = await postForm(`${here.origin}/oauth/token`, form, { origin: 'https://a.example' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    expect((await fetch(`${here.origin}/oauth/authorize`)).headers.get('access-control-allow-origin')).toBeNull();
  });

  // @covers OA-06 OA-07
  it('gives signed tokens to a client that a person has allowed', async () => {
    const client = await newClient(here.origin, {
      client_name: 'A client',
      client_uri: 'https://client.example/about',
    });
    const { sentTo } = await new Browser().follow(client.asks({ scope: 'mcp:tools memory.read' }));
    expect(here.asked.at(-1)).toEqual({
      clientId: client.clientId,
      clientName: 'A client',
      clientHost: 'client.example',
      destination: { kind: 'loopback', host: '127.0.0.1:33418' },
      scopes: ['mcp:tools', 'memory.read'],
    });
    expect(sentTo?.searchParams.get('iss')).toBe(here.issuer);
    expect(sentTo?.searchParams.get('state')).toBe('a state');
    const { status, json } = await client.exchange(sentTo?.searchParams.get('code') ?? '');
    expect([status, json.token_type, json.expires_in, json.scope]).toEqual([
      200,
      'Bearer',
      900,
      'mcp:tools memory.read',
    ]);
    expect(decodeProtectedHeader(json.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    const claims = decodeJwt(json.access_token);
    expect(claims).toMatchObject({
      iss: here.issuer,
      aud: `${here.issuer}/mcp`,
      sub: 'member-ada',
      client_id: client.clientId,
    });
    expect(here.grants.live.has(String(claims.grant_id))).toBe(true);
    expect(await here.server.verifyAccessToken(json.access_token)).toMatchObject({
      grantId: claims.grant_id,
      clientId: client.clientId,
      scopes: ['mcp:tools', 'memory.read'],
    });
  });

  // @covers OA-06
  it('asks for all scopes where the client names none of this server', async () => {
    for (const scope of [null, 'openid profile', 'offline_access']) {
      const client = await newClient(here.origin);
      const { json } = await client.exchange(await codeFor(client, { scope, prompt: 'consent' }));
      expect(json.scope).toBe('mcp:tools memory.read memory.write');
    }
  });

  // @covers OA-06
  it('gives no more than the person has chosen', async () => {
    here.person.scopes = ['mcp:tools', 'memory.read'];
    const { access } = await allowedClient(here.origin);
    here.person.scopes = null;
    expect((await here.server.verifyAccessToken(access))?.scopes).toEqual(['mcp:tools', 'memory.read']);
  });

  // @covers OA-08
  it('asks a person for every request, also in a browser in which one was allowed before', async () => {
    const client = await newClient(here.origin);
    const browser = new Browser();
    const before = here.asked.length;
    for (const prompt of [null, null, 'login', 'select_account', 'consent']) {
      const { sentTo } = await browser.follow(client.asks({ prompt }));
      expect(sentTo?.searchParams.get('code')).toBeTruthy();
    }
    expect(here.asked.length - before).toBe(5);
    const { sentTo } = await browser.follow(client.asks({ prompt: 'none' }));
    expect(sentTo?.searchParams.get('error')).toBe('interaction_required');
    expect(here.asked.length - before).toBe(5);
    expect(browser.names.filter((name) => name.startsWith('_session'))).toEqual([]);
  });

  // @covers OA-08
  it('may be answered by another person in the same browser', async () => {
    const client = await newClient(here.origin);
    const browser = new Browser();
    for (const memberId of ['member-ada', 'member-bob']) {
      here.person.memberId = memberId;
      const { sentTo } = await browser.follow(client.asks());
      const { json } = await client.exchange(sentTo?.searchParams.get('code') ?? '');
      expect(decodeJwt(json.access_token).sub).toBe(memberId);
    }
    here.person.memberId = 'member-ada';
  });

  it('sends the browser back with access_denied when the person does not allow it', async () => {
    here.person.allows = false;
    const { sentTo } = await new Browser().follow((await newClient(here.origin)).asks());
    here.person.allows = true;
    expect([sentTo?.searchParams.get('error'), sentTo?.searchParams.get('iss')]).toEqual([
      'access_denied',
      here.issuer,
    ]);
  });

  // @covers OA-09
  it('renews tokens, each refresh token once', async () => {
    const { client, refresh } = await allowedClient(here.origin);
    const first = await client.refresh(refresh);
    const second = await client.refresh(first.json.refresh_token);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(new Set([refresh, first.json.refresh_token, second.json.refresh_token]).size).toBe(3);
    expect(await here.server.verifyAccessToken(second.json.access_token)).not.toBeNull();
  });

  // @covers OA-10
  it.each(['access', 'refresh'] as const)('ends the grant when its client revokes the %s token', async (kind) => {
    const { client, ...tokens } = await allowedClient(here.origin);
    const grantId = decodeJwt(tokens.access).grant_id;
    expect((await client.revoke(tokens[kind])).status).toBe(200);
    expect(here.grants.ended.at(-1)).toEqual([grantId, 'client']);
    expect((await client.refresh(tokens.refresh)).json.error).toBe('invalid_grant');
    // What is not known is revoked already (RFC 7009 §2.2).
    expect((await client.revoke('unknown')).status).toBe(200);
  });

  // @covers OA-04
  it.each(['client_secret_post', 'client_secret_basic'])('takes the secret of a client by %s', async (method) => {
    const { json } = await register(here.origin, { redirect_uris: [redirect], token_endpoint_auth_method: method });
    const secret: string = json.client_secret;
    expect(json.token_endpoint_auth_method).toBe(method);
    const { status } = await postForm(
      `${here.origin}/oauth/revoke`,
      {
        token: 'unknown',
        ...(method === 'client_secret_post' && { client_id: json.client_id, client_secret: secret }),
      },
      method === 'client_secret_basic' ? { authorization: `Basic ${btoa(`${json.client_id}:${secret}`)}` } : {},
    );
    expect(status).toBe(200);
  });
});
