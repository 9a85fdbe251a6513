import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSigningKeys } from '../../../../src/adapters/oauth/keys.js';
import { realWorld } from '../../../../src/base/world.js';
import type { OpenedDatabase } from '../../../../src/database/database.js';
import { openDatabase } from '../../../../src/database/open.js';
import {
  allowedClient,
  Browser,
  clientOf,
  codeFor,
  get,
  newClient,
  postForm,
  proofKey,
  redirect,
} from '../../../oauth/client.js';
import { type Installation, startInstallation } from '../../../oauth/installation.js';
import { preparedStoreAddress, type StoreAddress } from '../../../support/new-store.js';

const evil = 'https://evil.example/cb';

describe('attacks on the authorization server', () => {
  const stores: { address: StoreAddress; database: OpenedDatabase }[] = [];
  /** Two processes of one installation, and another installation. */
  let here: Installation;
  let there: Installation;
  let other: Installation;
  let database: OpenedDatabase;
  /** By how much both processes are ahead of the clock, in seconds. */
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead * 1000);
  async function newStore(): Promise<OpenedDatabase> {
    const address = await preparedStoreAddress();
    const database = await openDatabase(address.store);
    stores.push({ address, database });
    return database;
  }
  beforeAll(async () => {
    database = await newStore();
    here = await startInstallation({ database, now });
    there = await startInstallation({ database, now, issuer: here.issuer, grants: here.grants });
    other = await startInstallation({ database: await newStore() });
  });
  afterEach(() => {
    ahead = 0;
  });
  afterAll(async () => {
    await Promise.all([here, there, other].map((one) => one.close()));
    for (const { address, database } of stores) {
      await database.close();
      await address.remove();
    }
  });

  // @covers OA-11
  it('a code that was injected into another client, or into another session of the same, opens nothing', async () => {
    const [victim, attacker] = [await newClient(here.origin), await newClient(here.origin)];
    const code = await codeFor(victim);
    for (const attempt of [
      attacker.exchange(code),
      attacker.exchange(code, { code_verifier: victim.verifier }),
      victim.exchange(code, { code_verifier: proofKey().verifier }),
      victim.exchange(code, { code_verifier: '' }),
      victim.exchange(code, { redirect_uri: 'http://127.0.0.1:1/callback' }),
    ]) {
      const { status, json } = await attempt;
      expect([status, json.error, json.access_token]).toEqual([400, 'invalid_grant', undefined]);
    }
    expect((await victim.exchange(code)).status).toBe(200);
  });

  // @covers OA-11
  it('no request goes without PKCE by S256', async () => {
    const client = await newClient(here.origin);
    const { verifier } = proofKey();
    for (const downgraded of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: null },
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge: null },
    ]) {
      const { sentTo } = await new Browser().follow(client.asks(downgraded));
      expect([sentTo?.searchParams.get('error'), sentTo?.searchParams.get('code')]).toEqual(['invalid_request', null]);
    }
    const code = await codeFor(client);
    expect((await client.exchange(code, { code_verifier: '' })).json.error).toBe('invalid_grant');
  });

  // @covers OA-12
  it('no browser is sent to an address that the client has not registered, also not with an error', async () => {
    const client = await newClient(here.origin, { redirect_uris: [redirect, 'https://client.example/cb'] });
    for (const address of [
      evil,
      'http://127.0.0.1:33418/callback/../evil',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:33418@evil.example/callback',
      'https://client.example/cb?x=1',
      'https://client.example:444/cb',
      'https://client.example/cb/',
      'https://CLIENT.example/cb',
      'http://client.example/cb',
      'javascript:alert(1)',
    ]) {
      for (const wrong of [{}, { response_type: 'token' }, { prompt: 'none' }]) {
        const answer = await get(client.asks({ redirect_uri: address, ...wrong }), { accept: 'text/html' });
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
        expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      }
    }
  });

  // @covers OA-12
  it('each answer names this installation, so that a client knows whose code it has', async () => {
    const client = await newClient(here.origin);
    const good = await new Browser().follow(client.asks());
    const bad = await new Browser().follow(client.asks({ resource: evil }));
    expect([good, bad].map(({ sentTo }) => sentTo?.searchParams.get('iss'))).toEqual([here.issuer, here.issuer]);
  });

  // @covers OA-13
  it('tokens are for this resource only', async () => {
    const client = await newClient(here.origin);
    for (const resource of ['https://evil.example/mcp', `${here.issuer}/mcp/`, here.issuer, `${here.issuer}/v1`]) {
      const { sentTo } = await new Browser().follow(client.asks({ resource }));
      expect(sentTo?.searchParams.get('error')).toBe('invalid_target');
    }
    const code = await codeFor(client, { resource: `${here.issuer}/mcp` });
    expect((await client.exchange(code, { resource: 'https://evil.example/mcp' })).json.error).toBe('invalid_target');
    const { access } = await allowedClient(here.origin);
    expect(await here.server.verifyAccessToken(access)).not.toBeNull();
  });

  // @covers OA-13
  it('tokens of another installation, and tokens that are like ours but for one claim, are not taken', async () => {
    const foreign = await allowedClient(other.origin);
    expect(await here.server.verifyAccessToken(foreign.access)).toBeNull();
    expect((await foreign.client.revoke(foreign.access)).status).toBe(200);
    const own = await allowedClient(here.origin);
    const [head = '', body = '', signature = ''] = own.access.split('.');
    const [key] = await createSigningKeys(database, realWorld).all();
    const right = { typ: 'at+jwt', key: key && (await importJWK(key, 'ES256')), claims: {}, expires: '15m' };
    const signed = ({ typ, key, claims, expires }: typeof right) =>
      new SignJWT({ ...decodeJwt(own.access), ...claims })
        .setProtectedHeader({ ...decodeProtectedHeader(own.access), alg: 'ES256', typ })
        .setExpirationTime(expires)
        .sign(key ?? new Uint8Array());
    expect(await here.server.verifyAccessToken(await signed(right))).not.toBeNull();
    const unsigned = btoa(JSON.stringify({ ...decodeProtectedHeader(own.access), alg: 'none' })).replace(/=+$/, '');
    const { privateKey } = await generateKeyPair('ES256');
    for (const token of [
      await signed({ ...right, key: privateKey }),
      await signed({ ...right, typ: 'JWT' }),
      await signed({ ...right, expires: '-1s' }),
      await signed({ ...right, claims: { aud: here.issuer } }),
      await signed({ ...right, claims: { iss: other.issuer } }),
      await signed({ ...right, claims: { grant_id: undefined } }),
      `${unsigned}.${body}.`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      own.refresh,
      '',
    ]) {
      expect(await here.server.verifyAccessToken(token)).toBeNull();
    }
  });

  // @covers OA-09
  it('a refresh token that is used again ends the grant, in every process', async () => {
    const { client, refresh } = await allowedClient(here.origin);
    const renewed = await client.refresh(refresh);
    const ended = here.grants.ended.length;
    ahead += 11;
    const replayed = await client.refresh(refresh);
    expect([replayed.status, replayed.json.error]).toEqual([400, 'invalid_grant']);
    expect(here.grants.ended.slice(ended).map(([, reason]) => reason)).toEqual(['replayed_token']);
    expect((await client.refresh(renewed.json.refresh_token)).json.error).toBe('invalid_grant');
  });

  // @covers OA-LEEWAY
  it('two windows of one program that share a refresh token keep their grant, in every process', async () => {
    const { client, refresh } = await allowedClient(here.origin);
    const elsewhere = clientOf(there.origin, client.clientId);
    const windows = [client, elsewhere, client, elsewhere];
    const ended = here.grants.ended.length;
    let shared = refresh;
    const used = [refresh];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(windows.map((window) => window.refresh(shared)));
      ahead += 9;
      answers.push(await elsewhere.refresh(shared));
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      const successors = [...new Set(answers.map(({ json }) => json.refresh_token))];
      expect(successors).toHaveLength(1);
      for (const { json } of answers) expect(await there.server.verifyAccessToken(json.access_token)).not.toBeNull();
      shared = successors[0];
      used.push(shared);
      ahead += 11;
    }
    expect(new Set(used).size).toBe(4);
    expect(here.grants.ended.length).toBe(ended);
    expect((await client.refresh(shared)).status).toBe(200);
  });

  // @covers OA-LEEWAY OA-09
  it('the leeway of a refresh token is ten seconds, for its own client, and makes no used successor new', async () => {
    const { client, refresh } = await allowedClient(here.origin);
    const attacker = await newClient(here.origin);
    const first = (await client.refresh(refresh)).json.refresh_token;
    const second = (await client.refresh(first)).json.refresh_token;
    expect((await attacker.refresh(refresh)).json.error).toBe('invalid_grant');
    // The slow window gets the successor that the other one has used already.
    expect((await client.refresh(refresh)).json.refresh_token).toBe(first);
    ahead += 11;
    const ended = here.grants.ended.length;
    expect((await client.refresh(first)).json.error).toBe('invalid_grant');
    expect(here.grants.ended.slice(ended).map(([, reason]) => reason)).toEqual(['replayed_token']);
    expect((await client.refresh(second)).json.error).toBe('invalid_grant');
  });

  // @covers OA-11
  it('a code that is used again ends the grant', async () => {
    const client = await newClient(here.origin);
    const code = await codeFor(client);
    const { json } = await client.exchange(code);
    const replayed = await client.exchange(code);
    expect([replayed.status, replayed.json.error]).toEqual([400, 'invalid_grant']);
    expect(here.grants.ended.at(-1)?.[1]).toBe('replayed_token');
    expect((await client.refresh(json.refresh_token)).json.error).toBe('invalid_grant');
  });

  // @covers OA-14
  it('two processes that get the same code at once give tokens once at most', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { client } = await allowedClient(here.origin);
      const code = await codeFor(client);
      const send = (origin: string, form: Record<string, string>) =>
        postForm(`${origin}/oauth/token`, { client_id: client.clientId, redirect_uri: redirect, ...form });
      const form = { grant_type: 'authorization_code', code, code_verifier: client.verifier };
      const answers = await Promise.all([here, there, here, there].map(({ origin }) => send(origin, form)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    }
  });

  // @covers OA-15
  it('a grant that a person has ended gives no more tokens, in another process either', async () => {
    const { client, refresh, access } = await allowedClient(here.origin);
    const verified = await here.server.verifyAccessToken(access);
    here.grants.live.delete(verified?.grantId ?? '');
    const { status, json } = await clientOf(there.origin, client.clientId).refresh(refresh);
    expect([status, json.error]).toEqual([400, 'invalid_grant']);
  });

  // @covers OA-16
  it('a client cannot be impersonated: not by its id, its secret of old, nor by revoking for it', async () => {
    const { client, refresh, access } = await allowedClient(here.origin, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    const attacker = await newClient(here.origin);
    expect((await attacker.refresh(refresh)).json.error).toBe('invalid_grant');
    expect((await attacker.refresh(refresh, { client_id: client.clientId })).json.error).toBe('invalid_client');
    expect((await client.refresh(refresh, { client_secret: 'guessed' })).json.error).toBe('invalid_client');
    const ended = here.grants.ended.length;
    await attacker.revoke(access);
    await attacker.revoke(refresh);
    expect(here.grants.ended.length).toBe(ended);
    expect((await client.refresh(refresh)).status).toBe(200);
  });

  // @covers OA-17
  it('a question is answered only in the browser that began it', async () => {
    const client = await newClient(here.origin);
    const begin = async (browser: Browser) => {
      const { headers } = await browser.visit(client.asks());
      return new URL(headers.get('location') ?? '', here.origin);
    };
    const [victim, attacker] = [new Browser(), new Browser()];
    const [question, own] = [await begin(victim), await begin(attacker)];
    for (const browser of [attacker, new Browser()]) {
      expect((await browser.visit(question.href)).status).toBe(404);
      const uid = question.searchParams.get('id');
      expect((await browser.visit(`${here.origin}/oauth/authorize/${uid}`)).status).toBe(400);
    }
    expect([(await victim.visit(question.href)).status, (await attacker.visit(own.href)).status]).toEqual([303, 303]);
  });
});
