import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentFetch } from '../../../src/adapters/oauth/documents.js';
import {
  type PublicFetch,
  type PublicRequest,
  publicFetch,
  TooLarge,
  Unavailable,
} from '../../../src/adapters/public-fetch.js';
import type { OpenedDatabase } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { readConfig } from '../../../src/settings/config.js';
import { Browser, clientOf, get, redirect } from '../../oauth/client.js';
import { type Installation, startInstallation } from '../../oauth/installation.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';

const at = (name: string) => `https://client.example/${name}.json`;
const document = {
  client_name: 'By document',
  redirect_uris: [redirect, 'https://client.example/cb'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:other'],
};

/** The metadata documents of a network, by their addresses. */
const documents: Record<string, unknown> = {
  [at('good')]: { ...document, client_id: at('good') },
  [at('another')]: { ...document, client_id: at('good') },
  [at('secret')]: { ...document, client_id: at('secret'), token_endpoint_auth_method: 'client_secret_basic' },
  [at('redirect')]: { redirect_uris: ['http://evil.example/cb'], client_id: at('redirect') },
  [at('list')]: [],
};

describe('clients that are known by metadata documents', () => {
  let address: StoreAddress;
  let database: OpenedDatabase;
  let here: Installation;
  const requests: [URL, PublicRequest][] = [];
  const network: PublicFetch = async (url, request) => {
    requests.push([url, request]);
    if (url.href === at('large')) throw new TooLarge(5120, 6000);
    if (url.href === at('gone')) throw new Unavailable('it cannot be reached (ENOTFOUND)');
    const found = documents[url.href];
    const body = Buffer.from(url.href === at('text') ? 'no json' : JSON.stringify(found ?? null));
    const status = found === undefined && url.href !== at('text') ? 302 : 200;
    return { status, url: url.href, contentType: 'application/json', body };
  };
  beforeAll(async () => {
    address = await preparedStoreAddress();
    database = await openDatabase(address.store);
    here = await startInstallation({ database, network });
  });
  afterAll(async () => {
    await here.close();
    await database.close();
    await address.remove();
  });

  // @covers OA-22
  it('need no registration, and are fetched once for a while', async () => {
    const client = clientOf(here.origin, at('good'));
    for (let time = 0; time < 2; time += 1) {
      const { sentTo } = await new Browser().follow(client.asks());
      expect(here.asked.at(-1)).toMatchObject({
        clientId: at('good'),
        clientName: 'By document',
        clientHost: 'client.example',
      });
      const { status, json } = await client.exchange(sentTo?.searchParams.get('code') ?? '');
      expect(status).toBe(200);
      expect(await here.server.verifyAccessToken(json.access_token)).toMatchObject({ clientId: at('good') });
    }
    expect(
      requests.map(([url, { redirects, maxBytes, timeoutMs }]) => [url.href, redirects, maxBytes, timeoutMs]),
    ).toEqual([[at('good'), 0, 5120, 5000]]);
    const elsewhere = await get(client.asks({ redirect_uri: 'https://evil.example/cb' }));
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null]);
  });

  // @covers OA-22
  it.each([
    ['another', 'its client_id is not its address'],
    ['secret', 'its token_endpoint_auth_method is not none'],
    ['redirect', 'redirect_uris[0] uses http to another machine: use https'],
    ['list', 'it is not a JSON object'],
    ['text', 'it is not a JSON object'],
    ['moved', 'its server answered 302'],
    ['large', 'it has more than 5120 bytes'],
    ['gone', 'it cannot be reached (ENOTFOUND)'],
  ])('are refused with a sentence when their document cannot be used: %s', async (name, reason) => {
    const client = clientOf(here.origin, at(name));
    const sentence = `The metadata document of the client cannot be used: ${reason}.`;
    const asked = await get(client.asks(), { accept: 'application/json' });
    expect([asked.status, asked.json.error, asked.json.error_description]).toEqual([400, 'invalid_client', sentence]);
    const exchanged = await client.exchange('code');
    expect([exchanged.status, exchanged.json]).toEqual([400, { error: 'invalid_client', error_description: sentence }]);
  });

  // @covers OA-22
  it.each([
    'https://127.0.0.1/client.json',
    'https://localhost/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://intranet/client.json',
    'https://0x7f.1/client.json',
    'https://internal.example/client.json',
    'https://client.example:8443/client.json',
  ])('cannot make the service reach into its own network: %s', async (inside) => {
    const resolve = async () => ['10.0.0.7'];
    const fetch = createDocumentFetch(publicFetch({ allowPrivate: false, resolve }));
    await expect(fetch(inside, {})).rejects.toThrow('its address is not one of the public internet');
  });

  // @covers OA-23
  it('are announced where they are taken: by default where the address of the service is https', async () => {
    const taken = (env: Record<string, string>) => readConfig(env).clientMetadataDocuments;
    expect([taken({}), taken({ BASE_URL: 'https://a.example' })]).toEqual([false, true]);
    expect(taken({ BASE_URL: 'https://a.example', OAUTH_CLIENT_METADATA: 'off' })).toBe(false);
    const { json } = await get(`${here.origin}/.well-known/oauth-authorization-server`);
    expect(json.client_id_metadata_document_supported).toBe(true);
  });
});
