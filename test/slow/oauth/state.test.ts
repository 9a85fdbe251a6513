import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigningKeys } from '../../../src/adapters/oauth/keys.js';
import { type OpenedDatabase, StoreUnavailable } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { sweepingOAuth } from '../../../src/workers/sweeping-oauth.js';
import { allowedClient, codeFor, get, newClient, redirect, register } from '../../oauth/client.js';
import { type Installation, startInstallation } from '../../oauth/installation.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';

const day = 24 * 3_600_000;

describe('the state of the authorization server', () => {
  let address: StoreAddress;
  let database: OpenedDatabase;
  let here: Installation;
  let isDown = false;
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const stored = (where: string) =>
    database.read((tx) => tx.query<{ text: string }>(`select o::text as text from oauth_state o where ${where}`));
  beforeAll(async () => {
    address = await preparedStoreAddress();
    database = await openDatabase(address.store);
    const failing = <T>(work: () => Promise<T>): Promise<T> =>
      isDown ? Promise.reject(new StoreUnavailable('gone')) : work();
    here = await startInstallation({
      database: {
        ...database,
        read: (work) => failing(() => database.read(work)),
        transaction: (work) => failing(() => database.transaction(work)),
      },
      now,
    });
  });
  afterAll(async () => {
    await here.close();
    await database.close();
    await address.remove();
  });

  // @covers OA-18
  it('has no row that is enough to act as a client or a browser', async () => {
    const { client, refresh, access } = await allowedClient(here.origin, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    const begun = await get(client.asks());
    const question = new URL(begun.headers.get('location') ?? '', here.origin).searchParams.get('id') ?? '';
    const code = await codeFor(client);
    const rows = (await stored('true')).map(({ text }) => text).join('\n');
    for (const secret of [refresh, access, client.secret ?? '', question, code]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(rows).not.toContain(secret);
    }
    // Nor a session of the library, which could answer for a person.
    expect(await stored("model = 'Session'")).toEqual([]);
  });

  // @covers OA-25
  it('answers 503 while the store does not, and nothing is lost', async () => {
    const { client, refresh } = await allowedClient(here.origin);
    isDown = true;
    const refused = [
      await client.refresh(refresh),
      await client.revoke(refresh),
      await register(here.origin, { redirect_uris: [redirect] }),
    ];
    isDown = false;
    expect(refused.map(({ status, json }) => [status, json.error])).toEqual(
      Array(3).fill([503, 'temporarily_unavailable']),
    );
    expect((await client.refresh(refresh)).status).toBe(200);
  });

  // @covers OA-24
  it('takes no tokens of a client whose registration is gone', async () => {
    const { client, access, refresh } = await allowedClient(here.origin);
    expect(await here.server.verifyAccessToken(access)).not.toBeNull();
    await database.transaction((tx) =>
      tx.query(`delete from oauth_state where model = 'Client' and payload like '%' || $1 || '%'`, [client.clientId]),
    );
    expect(await here.server.verifyAccessToken(access)).toBeNull();
    expect((await client.refresh(refresh)).json.error).toBe('invalid_client');
  });

  // @covers OA-20
  it('forgets a client without a grant after a day, and keeps one with a grant', async () => {
    const [unused, used] = [await newClient(here.origin), (await allowedClient(here.origin)).client];
    offset = day + 1000;
    const answers = await Promise.all([unused, used].map((client) => get(client.asks())));
    expect(answers.map(({ status }) => status)).toEqual([400, 303]);
    const sweeping = sweepingOAuth(database, { now });
    while (await sweeping.work(new AbortController().signal));
    expect(await stored(`payload like '%${unused.clientId}%'`)).toEqual([]);
    expect(await stored(`model = 'Client' and payload like '%${used.clientId}%'`)).toHaveLength(1);
    expect(await stored(`model = 'AuthorizationCode'`)).toEqual([]);
    offset = 0;
  });

  // @covers OA-20
  it('takes no more than 10,000 clients without a grant', async () => {
    await database.transaction((tx) =>
      tx.query(
        `insert into oauth_state (model, id, payload, expires_at)
         select 'Client', n::text, '{}', now() + interval '1 day' from generate_series(1, 9999) n`,
      ),
    );
    const count = async () => (await stored(`model = 'Client' and grant_id is null`)).length;
    const answers = [];
    while (answers.length < 20 && (await count()) < 10_000)
      answers.push(await register(here.origin, { redirect_uris: [redirect] }));
    const refused = await register(here.origin, { redirect_uris: [redirect] });
    expect([refused.status, refused.json.error]).toEqual([429, 'too_many_requests']);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(await count()).toBe(10_000);
    await database.transaction((tx) => tx.query(`delete from oauth_state where model = 'Client' and payload = '{}'`));
    expect((await register(here.origin, { redirect_uris: [redirect] })).status).toBe(201);
  });

  // @covers OA-19
  it('has one signing key for all processes, and a new one after 90 days', async () => {
    const processes = [1, 2, 3].map(() => createSigningKeys(database, { now }));
    const first = await Promise.all(processes.map((keys) => keys.all()));
    expect(new Set(first.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1);
    const before = await allowedClient(here.origin);
    offset = 90 * day + 1000;
    const [renewed, ...others] = await Promise.all(processes.map((keys) => keys.all()));
    expect(others.map((keys) => keys[0]?.kid)).toEqual([renewed?.[0]?.kid, renewed?.[0]?.kid]);
    expect(renewed?.map(({ kid }) => kid)).toEqual([renewed?.[0]?.kid, first[0]?.[0]?.kid]);
    const published = await get(`${here.origin}/oauth/jwks`);
    expect(published.json.keys.map(({ kid }: { kid: string }) => kid)).toEqual(renewed?.map(({ kid }) => kid));
    expect(JSON.stringify(published.json)).not.toContain('"d"');
    expect(await processes[0]?.publicKey(decodeProtectedHeader(before.access).kid ?? '')).toBeDefined();
    const { json } = await before.client.exchange('unknown');
    expect(json.error).toBe('invalid_grant');
    offset = 0;
  });
});
