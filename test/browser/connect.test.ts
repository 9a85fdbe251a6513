import { spawn } from 'node:child_process';

import { createServer } from 'node:http';
import { connect as connectSocket, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import * as v2 from '@modelcontextprotocol/client';
import { type OAuthDiscoveryState, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Listening, listen } from '../anchoring/http.js';
import { type Service, startService } from '../http/service.js';
import { clientsDirectory, node22 } from '../mcp/clients/run-client.js';
import { openBrowser, openWindow } from './window.js';

const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const who = { name: 'test', version: '1' };

/** The service at the address that it names itself in its metadata. */
async function startAtItsAddress(): Promise<{ service: Service; origin: string; stop(): Promise<void> }> {
  let port = 0;
  const relay = createSocketServer((socket) => {
    const onward = connectSocket(port, '127.0.0.1');
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  const origin = `http://127.0.0.1:${address.port}`;
  const service = await startService({ BASE_URL: origin, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password });
  port = Number(new URL(service.app.server.listeningOrigin).port);
  const stop = async () => {
    await service.stop();
    relay.close();
  };
  return { service, origin, stop };
}

/** The store of a client for its sign-in, and the person whom it sends to the page of the service. */
class SignIn<Information, Tokens extends { access_token: string }, Discovery> {
  saved: { information?: Information; tokens?: Tokens; discovery?: Discovery } = {};
  /** The parameters that the browser has brought back. */
  answer: URLSearchParams | null = null;
  #verifier = '';
  constructor(
    readonly redirectUrl: string,
    readonly visit: (url: URL) => Promise<URLSearchParams>,
  ) {}
  get clientMetadata() {
    return {
      client_name: 'a test client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  clientInformation = () => this.saved.information;
  saveClientInformation = (information: Information) => {
    this.saved.information = information;
  };
  tokens = () => this.saved.tokens;
  saveTokens = (tokens: Tokens) => {
    this.saved.tokens = tokens;
  };
  /** Makes the access token one that is not accepted, as it is when it has expired. */
  spoil(): void {
    const { tokens } = this.saved;
    if (tokens) this.saved.tokens = { ...tokens, access_token: `${tokens.access_token}x` };
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (discovery: Discovery) => {
    this.saved.discovery = discovery;
  };
  discoveryState = () => this.saved.discovery;
  redirectToAuthorization = async (url: URL) => {
    this.answer = await this.visit(url);
  };
}

/** A client of one of the SDKs, as it is used here. */
interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}
type Visit = (url: URL) => Promise<URLSearchParams>;
interface Opened {
  readonly signIn: {
    answer: URLSearchParams | null;
    tokens(): { access_token: string; refresh_token?: string | undefined } | undefined;
    spoil(): void;
  };
  connect(): Promise<Connected>;
}

const sdks: Readonly<Record<string, (url: URL, redirectUrl: string, visit: Visit) => Opened>> = {
  'version 1': (url, redirectUrl, visit) => {
    const signIn = new SignIn<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryState>(redirectUrl, visit);
    return {
      signIn,
      async connect() {
        const transport = new StreamableHTTPClientTransport(url, { authProvider: signIn });
        const client = new Client(who);
        await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
        await transport.finishAuth(signIn.answer?.get('code') ?? '');
        const allowed = new Client(who);
        await allowed.connect(new StreamableHTTPClientTransport(url, { authProvider: signIn }));
        return allowed;
      },
    };
  },
  'version 2': (url, redirectUrl, visit) => {
    const signIn = new SignIn<v2.StoredOAuthClientInformation, v2.StoredOAuthTokens, v2.OAuthDiscoveryState>(
      redirectUrl,
      visit,
    );
    return {
      signIn,
      async connect() {
        const transport = new v2.StreamableHTTPClientTransport(url, { authProvider: signIn });
        const client = new v2.Client(who, { versionNegotiation: { mode: 'auto' } });
        await expect(client.connect(transport)).rejects.toThrow(v2.UnauthorizedError);
        await transport.finishAuth(signIn.answer ?? new URLSearchParams());
        const allowed = new v2.Client(who, { versionNegotiation: { mode: 'auto' } });
        await allowed.connect(new v2.StreamableHTTPClientTransport(url, { authProvider: signIn }));
        return allowed;
      },
    };
  },
};

describe('a person connects a client with nothing but the address', () => {
  let started: Awaited<ReturnType<typeof startAtItsAddress>>;
  let browser: Browser;
  let callback: Listening;
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    [browser, started] = await Promise.all([openBrowser(), startAtItsAddress()]);
    callback = await listen(createServer((_, response) => response.end('You may close this window.')));
    ({ page, complaints } = await openWindow(browser, `${started.origin}/grants`));
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser.close();
    await callback.close();
    await started.stop();
  });

  /** The person signs in if that is asked, and allows what the client asks for. */
  const allow: Visit = async (url) => {
    const back = url.searchParams.get('redirect_uri') ?? '';
    await page.goto(url.href);
    if (await page.locator('input[name=password]').count()) {
      await page.fill('input[name=email]', owner.email);
      await page.fill('input[name=password]', owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    }
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${back}?**`);
    return new URL(page.url()).searchParams;
  };

  // @covers MCP-CLIENT-OAUTH
  it.each(
    Object.entries(sdks),
  )('%s: signs in, consents, calls, refreshes, and is refused after the grant is revoked', async (_, open) => {
    const url = new URL('/mcp', started.origin);
    const { signIn, connect } = open(url, `${callback.url}/callback`, allow);
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('recall');
    const actions = [{ kind: 'memory', content: 'The ferry leaves at nine.' }];
    const written = await client.callTool({ name: 'record_action_batch', arguments: { actions } });
    expect(written).toMatchObject({ structuredContent: { results: [{ ok: true, kind: 'memory' }] } });
    expect(await client.callTool({ name: 'recall', arguments: { query: 'ferry' } })).toMatchObject({
      structuredContent: { data: expect.any(Array) },
    });
    // No agent was chosen, and subscriptions belong to agents.
    const refused = await client.callTool({ name: 'list_subscriptions', arguments: {} });
    expect(refused).toMatchObject({ isError: true });

    // A token that is not accepted any more is refreshed without the person.
    signIn.answer = null;
    const first = signIn.tokens();
    expect(first?.refresh_token).toEqual(expect.any(String));
    signIn.spoil();
    expect(await client.callTool({ name: 'recall', arguments: { query: 'ferry' } })).not.toHaveProperty('isError');
    expect(signIn.tokens()?.refresh_token).not.toBe(first?.refresh_token);
    expect(signIn.answer).toBeNull();

    const current = signIn.tokens()?.access_token;
    const ping = () =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${current}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
    expect((await ping()).status).toBe(200);
    await page.goto(`${started.origin}/grants`);
    await page.getByRole('button', { name: 'Revoke the grant' }).first().click();
    await page.waitForLoadState();
    const after = await ping();
    expect([after.status, after.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ]);
    await client.close();
    expect(complaints).toEqual([]);
  });

  // @covers MCP-CONFORMANCE
  it('the authorization server passes the official conformance suite', async () => {
    const free = await listen(createServer());
    await free.close();
    const redirectUri = `${free.url}/callback`;
    const registered = await fetch(`${started.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    });
    const { client_id } = z.object({ client_id: z.string() }).parse(await registered.json());
    const child = spawn(node22(), [
      join(clientsDirectory(), 'node_modules/conformance-alpha/dist/index.js'),
      ...['authorization', '--url', started.origin, '--resource', `${started.origin}/mcp`],
      ...['--client-id', client_id, '--port', new URL(free.url).port],
    ]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    const address = () => /http:\S+\/oauth\/authorize\S+/.exec(out)?.[0] ?? '';
    await expect.poll(address).not.toBe('');
    await allow(new URL(address()));
    expect(await ended, out).toBe(0);
    expect(out).toContain('Total: 2 passed, 0 failed');
  });
});
