import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registryChain } from '../../../../contracts/chains.js';
import { agentIdOf } from '../../../../src/domain/identity/binding.js';
import { agentProof } from '../../../../src/domain/identity/proof.js';
import { newHolder } from '../../../domain/identity/holder.js';
import { ask } from '../../../http/ask.js';
import { apiKey, type Service, startService } from '../../../http/service.js';

const public_key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const ofService = (service: Service) => ({
  get: (path: string, headers: Record<string, string> = {}) =>
    ask(service.app.server.listeningOrigin, 'GET', path, { headers }),
  issue: (body: object, headers: Record<string, string> = {}) =>
    ask(service.app.server.listeningOrigin, 'POST', '/v1/agent-id', { headers, body: JSON.stringify(body) }),
});

describe('the list of identities', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  // @covers IDENTITY-LIST ERR-invalid_page
  it('has 100 records a page, newest first, and says by Link where the next page is', async () => {
    const { get, issue } = ofService(service);
    expect((await get('/v1/agent-id')).json).toEqual([]);
    const ids: string[] = [];
    for (let n = 0; n < 205; n += 1) ids.unshift((await issue({ public_key, vendor: `vendor ${n}` })).json.agn_id);
    const found: string[] = [];
    const sizes: number[] = [];
    for (let path: string | undefined = '/v1/agent-id'; path !== undefined; ) {
      const { headers, json } = await get(path);
      sizes.push(json.length);
      found.push(...json.map((one: { agn_id: string }) => one.agn_id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(sizes).toEqual([100, 100, 5]);
    expect(found).toEqual(ids);
    const beyond = await get('/v1/agent-id?page=4');
    expect([beyond.status, beyond.json, beyond.headers.get('link')]).toEqual([200, [], null]);
    for (const page of ['0', '-1', '1.5', 'x', '', '9999999999', '1&page=2']) {
      const { status, json } = await get(`/v1/agent-id?page=${page}`);
      expect([page, status, json.error?.code]).toEqual([page, 400, 'invalid_page']);
    }
  });

  // @covers IDENTITY-PUBLIC
  it('may be read by pages of other sites, and is sent again only when it has changed', async () => {
    const { get, issue } = ofService(service);
    const { headers, status } = await get('/v1/agent-id');
    expect([status, headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
      200,
      '*',
      'no-cache',
    ]);
    expect(headers.get('access-control-expose-headers')).toContain('link');
    const etag = headers.get('etag') ?? '';
    for (const named of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect((await get('/v1/agent-id', { 'if-none-match': named })).status).toBe(304);
    await issue({ public_key, vendor: 'one more' });
    expect((await get('/v1/agent-id', { 'if-none-match': etag })).status).toBe(200);
    // With a query it is the same feed.
    for (const path of ['/v1/agent-id', '/v1/agent-id?vendor=x']) {
      const preflight = await ask(service.app.server.listeningOrigin, 'OPTIONS', path, {
        headers: { origin: 'https://x.example', 'access-control-request-method': 'POST' },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        204,
        'GET, HEAD, OPTIONS',
      ]);
    }
    const challenge = await get('/v1/agent-id/challenge');
    expect(challenge.headers.get('cache-control')).toBe('no-store');
    const head = await ask(service.app.server.listeningOrigin, 'HEAD', '/v1/agent-id');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

// @covers IDENTITY-RATE
it('one address gets 20 new identities an hour, repetitions are free, and reading has a budget of its own', async () => {
  const service = await startService({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  try {
    const { get, issue } = ofService(service);
    const from = { 'x-forwarded-for': '203.0.113.1' };
    for (let n = 0; n < 20; n += 1) {
      expect((await issue({ public_key, vendor: `${n}` }, from)).status).toBe(201);
      expect((await issue({ public_key, vendor: `${n}` }, from)).status).toBe(200);
    }
    const refused = await issue({ public_key, vendor: 'one more' }, from);
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await issue({ public_key, vendor: '7' }, from)).status).toBe(200);
    const elsewhere = { 'x-forwarded-for': '203.0.113.2' };
    expect((await issue({ public_key, vendor: 'one more' }, elsewhere)).status).toBe(201);
    // Of requests for one new binding at once, one counts.
    const together = await Promise.all(Array.from({ length: 10 }, () => issue({ public_key, vendor: 'x' }, elsewhere)));
    expect(together.filter(({ status }) => status === 201)).toHaveLength(1);
    for (let n = 0; n < 18; n += 1) expect((await issue({ public_key, vendor: `y${n}` }, elsewhere)).status).toBe(201);
    expect((await issue({ public_key, vendor: 'z' }, elsewhere)).status).toBe(429);
    // More than the 300 requests to other routes.
    const reader = { 'x-forwarded-for': '203.0.113.3' };
    for (let n = 0; n < 350; n += 1) expect((await get('/v1/agent-id/challenge', reader)).status).toBe(200);
  } finally {
    await service.stop();
  }
});

// @covers IDENTITY-RESTART REGISTRY-EXISTING
it('a restart forgets neither identities nor used challenges, and begins the registry in a store that has none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-identities-'));
  const env = { DATA_DIR: directory };
  try {
    const first = await startService(env);
    // As in a store of an earlier version.
    await first.app.database.transaction((tx) => tx.query('delete from chains where chain = $1', [registryChain]));
    await first.stop();
    const holder = newHolder('Ed25519');
    const id = agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
    const second = await startService(env);
    expect((await second.call('GET', '/v1/memories')).status).toBe(200);
    const { challenge } = (await ofService(second).get('/v1/agent-id/challenge')).json;
    const { challenge: unused } = (await ofService(second).get('/v1/agent-id/challenge')).json;
    const body = {
      public_key: holder.publicKey,
      proof: { challenge, signature: holder.sign(agentProof(id, challenge)) },
    };
    const issued = await ofService(second).issue(body);
    expect([issued.status, issued.json.record.status]).toEqual([201, 'verified']);
    await second.stop();
    const third = await startService(env);
    const { get, issue } = ofService(third);
    const { ledger_anchor, ...kept } = (await get(`/v1/agent-id?id=${id}`)).json;
    const { ledger_anchor: before, ...record } = issued.json.record;
    expect(kept).toEqual(record);
    // A checkpoint may have been signed meanwhile.
    expect({ ...ledger_anchor, checkpoint_size: before.checkpoint_size }).toEqual(before);
    expect((await issue(body)).json.error.code).toBe('challenge_expired');
    const later = { challenge: unused, signature: holder.sign(agentProof(id, unused)) };
    expect((await issue({ public_key: holder.publicKey, proof: later })).status).toBe(200);
    expect((await third.call('GET', '/v1/receipts', undefined, { authorization: `Bearer ${apiKey}` })).status).toBe(
      200,
    );
    await third.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
