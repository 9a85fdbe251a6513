import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../contracts/limits.js';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { agentProof } from '../../../src/domain/identity/proof.js';
import { type Holder, holderKinds, newHolder } from '../../domain/identity/holder.js';
import { refusedKeys } from '../../domain/identity/refused-keys.js';
import { ask } from '../../http/ask.js';
import { type Reply, type Service, startService } from '../../http/service.js';

const public_key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const agn_id = 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Without any credential. */
const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, { authorization: '' });
const fetched = (path: string, headers: Record<string, string> = {}) =>
  ask(service.app.server.listeningOrigin, 'GET', path, { headers });
const issue = (body: unknown) => call('POST', '/v1/agent-id', body);
const newChallenge = async (): Promise<string> => (await call('GET', '/v1/agent-id/challenge')).json.challenge;
const bound = (holder: Holder) => agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
const proofBy = (holder: Holder, id: string, challenge: string) => ({
  challenge,
  signature: holder.sign(agentProof(id, challenge)),
});

const refusedWith = ({ status, json }: Reply, ...expected: [status: number, code: string]) =>
  expect([status, json.error?.code]).toEqual(expected);

describe('identities', () => {
  // @covers IDENTITY-ISSUE IDENTITY-RECORD
  it('are issued once for a binding, and everyone may read them', async () => {
    const first = await issue({ public_key, vendor: ' Acme', agent_name: 'Bot' });
    expect([first.status, first.json.created, first.json.record.status]).toEqual([201, true, 'issued']);
    const { ok, idempotent, deterministic, persisted } = first.json;
    expect([first.json.agn_id, ok, idempotent, deterministic, persisted]).toEqual([agn_id, true, true, true, true]);
    const again = await issue({ public_key: public_key.toUpperCase(), vendor: 'Acme', agent_name: 'Bot ' });
    expect([again.status, again.json]).toEqual([200, { ...first.json, created: false }]);
    const { json: record } = await call('GET', `/v1/agent-id?id=${agn_id}`);
    expect(record).toEqual(first.json.record);
    expect(record).toMatchObject({ vendor: 'Acme', agent_name: 'Bot', handle: null });
    expect((await call('GET', '/v1/agent-id')).json).toEqual([record]);
  });

  // @covers IDENTITY-UNKNOWN ERR-invalid_agn_id
  it('an identifier that was not issued has the same keys with nothing in them, and a malformed one is refused', async () => {
    const unknown = `agn_${'a'.repeat(32)}`;
    const { status, json } = await call('GET', `/v1/agent-id?id=${unknown}`);
    const { json: known } = await call('GET', `/v1/agent-id?id=${agn_id}`);
    expect([status, Object.keys(json)]).toEqual([200, Object.keys(known)]);
    expect(json).toEqual({
      agn_id: unknown,
      handle: null,
      vendor: null,
      agent_name: null,
      public_key: null,
      status: 'unverified',
      issued_at: null,
      capability_registry: [],
      attestation_chain: [],
      operating_history: {
        first_seen: null,
        last_seen: null,
        tasks: 0,
        success_rate: null,
        scope_violation_rate: null,
        months: [],
        disputes: { won: 0, lost: 0, open: 0 },
      },
      provenance: { registry: null, receipt_id: null, receipt_hash: null },
      ledger_anchor: { origin: null, checkpoint_size: null, ots: null, ethereum: null, erc8004: null },
    });
    for (const id of [
      '',
      'agn_',
      agn_id.toUpperCase(),
      `${agn_id}a`,
      agn_id.slice(0, -1),
      'agn_1'.padEnd(36, 'a'),
      '%00',
    ])
      refusedWith(await call('GET', `/v1/agent-id?id=${id}`), 400, 'invalid_agn_id');
    refusedWith(await call('GET', `/v1/agent-id?id=${agn_id}&id=${agn_id}`), 400, 'invalid_agn_id');
  });

  // @covers IDENTITY-INPUT
  it('take a key, two names and a proof, and nothing else', async () => {
    refusedWith(await issue({ public_key, model: 'x' }), 400, 'invalid_request');
    refusedWith(await issue({ public_key, vendor: 'x'.repeat(65) }), 400, 'invalid_request');
    refusedWith(await issue({ public_key, agent_name: 'a\u0007b' }), 400, 'invalid_request');
    refusedWith(await issue({ public_key, agent_name: 7 }), 400, 'invalid_request');
    refusedWith(await issue({ vendor: 'Acme' }), 400, 'invalid_public_key');
    const x = Buffer.alloc(32, 7).toString('base64url');
    const hidden = { ['__proto__']: { kty: 'OKP', crv: 'Ed25519', x }, kid: 'x' };
    refusedWith(await issue({ public_key: hidden }), 400, 'invalid_public_key');
    refusedWith(await issue('{"public_key":"a","public_key":"b"}'), 400, 'invalid_json');
    refusedWith(await issue({ public_key: 'z'.repeat(20_000) }), 413, 'body_too_large');
    const bare = await issue({ public_key });
    const empty = await issue({ public_key, vendor: ' ', agent_name: null, proof: null });
    expect([bare.status, empty.status, empty.json.agn_id]).toEqual([201, 200, bare.json.agn_id]);
  });

  // @covers IDENTITY-KEY-REFUSED
  it('private keys, weak points and everything that is no key are refused', async () => {
    // One that is longer than a body may be is refused before it is read.
    const sent = refusedKeys().filter(([, written]) => JSON.stringify(written).length < limits.identityBytes - 100);
    for (const [, written] of sent.filter((_, at) => at % 7 === 0))
      refusedWith(await issue({ public_key: written }), 400, 'invalid_public_key');
  });

  // @covers IDENTITY-VERIFIED
  it.each(holderKinds)('are verified by a signature with their key of %s', async (kind) => {
    const holder = newHolder(kind);
    const id = bound(holder);
    const challenge = await newChallenge();
    const { status, json } = await issue({ public_key: holder.publicKey, proof: proofBy(holder, id, challenge) });
    expect([status, json.agn_id, json.record.status]).toEqual([201, id, 'verified']);
    expect(
      json.record.attestation_chain.map(({ type, verified }: { type: string; verified: boolean }) => [type, verified]),
    ).toEqual([
      ['issued', true],
      ['verified', true],
    ]);
  });

  // @covers IDENTITY-VERIFIED
  it('may be verified later, which leaves one entry however often it is done', async () => {
    const holder = newHolder('Ed25519');
    const id = bound(holder);
    expect((await issue({ public_key: holder.publicKey })).json.record.status).toBe('issued');
    for (let round = 0; round < 2; round += 1) {
      const { status, json } = await issue({
        public_key: holder.publicKey,
        proof: proofBy(holder, id, await newChallenge()),
      });
      expect([status, json.created, json.record.status]).toEqual([200, false, 'verified']);
      expect(json.record.attestation_chain).toHaveLength(2);
    }
    expect((await issue({ public_key: holder.publicKey })).json.record.status).toBe('verified');
  });
});

describe('attacks on the proof of an identity', () => {
  // @covers IDENTITY-PROOF ERR-invalid_proof
  it('another key, another identity, another challenge and a made-up challenge prove nothing', async () => {
    const [holder, thief] = [newHolder('Ed25519'), newHolder('Ed25519')];
    const id = bound(holder);
    const [challenge, other] = [await newChallenge(), await newChallenge()];
    const madeUp = Buffer.alloc(38, 7).toString('base64url');
    const wrong = [
      proofBy(thief, id, challenge),
      proofBy(holder, bound(thief), challenge),
      { ...proofBy(holder, id, other), challenge },
      proofBy(holder, id, madeUp),
      proofBy(holder, id, `${challenge}=`),
      { challenge, signature: 'A' },
      { challenge },
      { ...proofBy(holder, id, challenge), more: 1 },
      'proof',
    ];
    for (const proof of wrong) refusedWith(await issue({ public_key: holder.publicKey, proof }), 400, 'invalid_proof');
    expect((await call('GET', `/v1/agent-id?id=${id}`)).json.status).toBe('unverified');
    // None of them has used up the challenge.
    expect((await issue({ public_key: holder.publicKey, proof: proofBy(holder, id, challenge) })).status).toBe(201);
  });

  // @covers IDENTITY-CHALLENGE ERR-challenge_expired
  it('a challenge is used once, also by the same holder for another identity', async () => {
    const holder = newHolder('P-256');
    const challenge = await newChallenge();
    const proof = proofBy(holder, bound(holder), challenge);
    expect((await issue({ public_key: holder.publicKey, proof })).status).toBe(201);
    refusedWith(await issue({ public_key: holder.publicKey, proof }), 400, 'challenge_expired');
    const named = agentIdOf({ agent_name: 'b', public_key: holder.bound, vendor: null });
    const again = proofBy(holder, named, challenge);
    refusedWith(await issue({ public_key: holder.publicKey, agent_name: 'b', proof: again }), 400, 'challenge_expired');
  });

  // @covers IDENTITY-CHALLENGE
  it('of requests with one challenge at once, one is answered', async () => {
    const holder = newHolder('Ed25519');
    const proof = proofBy(holder, bound(holder), await newChallenge());
    const replies = await Promise.all(Array.from({ length: 8 }, () => issue({ public_key: holder.publicKey, proof })));
    expect(replies.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status >= 300)) refusedWith(reply, 400, 'challenge_expired');
  });

  // @covers IDENTITY-ONCE
  it('16 clients that have one binding issued at once get one entry', async () => {
    const { publicKey, bound: key } = newHolder('secp256k1');
    const replies = await Promise.all(Array.from({ length: 16 }, () => issue({ public_key: publicKey })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(15);
    expect(new Set(replies.map(({ json }) => json.record.provenance.receipt_id)).size).toBe(1);
    const { json } = await call('GET', '/v1/agent-id');
    expect(json.filter((one: { public_key: string }) => one.public_key === key)).toHaveLength(1);
  });
});

describe('the public files of the registry', () => {
  // @covers REGISTRY-RECEIPT
  it('show an entry unchanged forever, and its proof with an ETag', async () => {
    const { json: record } = await call('GET', `/v1/agent-id?id=${agn_id}`);
    const path = `/v1/registry/receipts/${record.provenance.receipt_id}`;
    const entry = await fetched(path);
    expect(entry.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(entry.headers.get('access-control-allow-origin')).toBe('*');
    expect(entry.json).toMatchObject({
      kind: 'identity.issued',
      hash: record.provenance.receipt_hash,
      workspace_id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      body: { agn_id, binding: { agent_name: 'Bot', public_key: record.public_key, vendor: 'Acme' } },
    });
    const proof = await fetched(`${path}/proof`);
    const etag = proof.headers.get('etag') ?? '';
    expect(proof.headers.get('cache-control')).toBe('public, max-age=60');
    expect([proof.json.format, etag.length > 10]).toEqual(['counterfoil-proof/1', true]);
    expect((await fetched(`${path}/proof`, { 'if-none-match': etag })).status).toBe(304);
    expect((await fetched(`${path}/proof`, { 'if-none-match': '"other"' })).status).toBe(200);
    // The proof has signed a checkpoint, which the record names, and the entry is the same bytes as before.
    const { json: anchored } = await call('GET', `/v1/agent-id?id=${agn_id}`);
    expect(anchored.ledger_anchor.checkpoint_size).toBeGreaterThan(0);
    expect(anchored.ledger_anchor.origin).toBe(proof.json.checkpoint.split('\n', 1)[0]);
    expect(anchored.provenance.registry).toBe(anchored.ledger_anchor.origin);
    expect((await fetched(path)).text).toBe(entry.text);
    const { json: report } = await call('POST', '/v1/receipts/verify', proof.json);
    const states = report.claims.map(({ name, state }: { name: string; state: string }) => [name, state]);
    expect(states).toContainEqual(['entry', 'verified']);
    expect(states).toContainEqual(['inclusion', 'verified']);
    expect(states).toContainEqual(['checkpoint', 'verified']);
  });

  // @covers REGISTRY-PRIVATE
  it('show nothing of a workspace, and no workspace shows the registry', async () => {
    const written = await service.call('POST', '/v1/memories', { content: 'of a workspace' });
    const { json: own } = await service.call('GET', `/v1/receipts/${written.json.receipt_id}`);
    for (const id of [own.receipt_id, own.hash, own.workspace_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', '%00', 'x'])
      for (const suffix of ['', '/proof'])
        refusedWith(await call('GET', `/v1/registry/receipts/${id}${suffix}`), 404, 'receipt_not_found');
    const { json: record } = await call('GET', `/v1/agent-id?id=${agn_id}`);
    const { receipt_id, receipt_hash } = record.provenance;
    for (const id of [receipt_id, receipt_hash])
      for (const suffix of ['', '/proof'])
        refusedWith(await service.call('GET', `/v1/receipts/${id}${suffix}`), 404, 'receipt_not_found');
    const { json: list } = await service.call('GET', '/v1/receipts?limit=100');
    expect(list.data.filter(({ kind }: { kind: string }) => kind.startsWith('identity.'))).toEqual([]);
  });
});
