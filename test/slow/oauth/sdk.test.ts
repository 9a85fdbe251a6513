import { createServer, request } from 'node:http';
import * as second from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../anchoring/http.js';
import { signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { postForm } from '../../oauth/client.js';
import { Application } from '../../oauth/sdk-provider.js';
import { reader, unescaped } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

/** An SDK of the two, as an application uses it. */
interface Sdk {
  /** Fails when it needs tokens, after the person has answered. */
  connect(application: Application): Promise<void>;
  finish(application: Application): Promise<void>;
  /** @returns the names of the tools */
  tools(application: Application): Promise<readonly string[]>;
}

describe('unmodified clients of the SDKs', () => {
  let relay: Listening;
  let service: Service;
  let namespace = '';
  beforeAll(async () => {
    // The service has to know its address before it listens, so it is reached through a relay.
    let target = '';
    relay = await listen(
      createServer((incoming, outgoing) => {
        const { method, headers, url } = incoming;
        const passed = request(`${target}${url}`, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        incoming.pipe(passed);
      }),
    );
    service = await startService({ BASE_URL: relay.url, OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    target = service.app.server.listeningOrigin;
    const person = await signedIn(service, ada);
    namespace = (await person.call('GET', '/v1/namespaces')).json.data[0].id;
  });
  afterAll(async () => {
    await service.stop();
    await relay.close();
  });

  /** A person at a browser: signs in, allows everything, and continues to the application. */
  async function browse({ pathname, search }: URL): Promise<URL> {
    const browser = reader(service);
    const to = (location: string | null) => {
      const url = new URL(location ?? '', relay.url);
      return `${url.pathname}${url.search}`;
    };
    const question = to((await browser.get(`${pathname}${search}`)).headers.get('location'));
    const signIn = await browser.post('/sign-in', { ...ada, next: question });
    expect(to(signIn.headers.get('location'))).toBe(question);
    const choice = { do: 'allow', scope: ['memory.read', 'memory.write'], namespace };
    const { text } = await browser.send(question, question, choice);
    const [, location = ''] = /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(text) ?? [];
    return new URL((await browser.get(to(unescaped(location)))).headers.get('location') ?? '');
  }

  const who = { name: 'test', version: '1' };
  const mcp = () => new URL('/mcp', relay.url);
  const first = (authProvider: Application) => new StreamableHTTPClientTransport(mcp(), { authProvider });
  const next = (authProvider: Application) => new second.StreamableHTTPClientTransport(mcp(), { authProvider });
  const sdks: Readonly<Record<string, Sdk>> = {
    'version 1': {
      connect: (application) => new Client(who).connect(first(application)),
      finish: (application) => first(application).finishAuth(application.answer?.get('code') ?? ''),
      async tools(application) {
        const client = new Client(who);
        await client.connect(first(application));
        const { tools } = await client.listTools();
        await client.close();
        return tools.map(({ name }) => name);
      },
    },
    'version 2': {
      connect: (application) => new second.Client(who).connect(next(application)),
      finish: (application) => next(application).finishAuth(application.answer ?? new URLSearchParams()),
      async tools(application) {
        const client = new second.Client(who, { versionNegotiation: { mode: 'auto' } });
        await client.connect(next(application));
        const { tools } = await client.listTools();
        await client.close();
        return tools.map(({ name }) => name);
      },
    },
  };

  // @covers OA-27
  it.each(Object.entries(sdks))('connect from the 401 alone, refresh and revoke: %s', async (_name, sdk) => {
    const application = new Application(browse);
    await sdk.connect(application).catch((error: unknown) => {
      if (!application.answer) throw error;
    });
    expect(application.answer?.get('iss')).toBe(relay.url);
    await sdk.finish(application);
    expect(await sdk.tools(application)).toContain('recall');
    const { access_token: stale = '', refresh_token: refresh = '' } = application.saved ?? {};
    // A token that is not taken: the client renews it by itself.
    application.answer = undefined;
    if (application.saved) application.saved = { ...application.saved, access_token: `${stale.slice(0, -8)}AAAAAAAA` };
    expect(await sdk.tools(application)).toContain('recall');
    expect(application.answer).toBeUndefined();
    expect(application.saved?.refresh_token).not.toBe(refresh);
    const token = application.saved?.access_token ?? '';
    const client_id = application.information?.client_id ?? '';
    expect((await postForm(`${relay.url}/oauth/revoke`, { token, client_id })).status).toBe(200);
    const refused = await fetch(mcp(), { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const { json } = await service.call('GET', '/v1/receipts?kind=grant.revoked&limit=1');
    expect(json.data[0].body).toMatchObject({ reason: 'client' });
  });
});
