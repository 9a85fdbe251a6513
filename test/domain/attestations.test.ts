import { createHmac, sign } from 'node:crypto';
import { CompactSign, exportJWK, FlattenedSign, GeneralSign } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  attestedBytes,
  checkAttestation,
  hasSignatures,
  type VerificationBudget,
} from '../../src/domain/task/attestations.js';
import { receiptPayloadType } from '../../src/domain/task/dsse.js';
import { base64url, compact, envelope, keys, payload, raw, type Signer, signer } from './signers.js';

const alice = await signer('Ed25519', 'agn_alice');
const bob = await signer('P-256', 'key-of-bob');
const carol = await signer('secp256k1', 'key-of-carol');
const unknown = await signer('Ed25519', 'agn_unknown');
const signers = [alice, bob, carol];
const known = signers.map((one) => one.known);

const check = (attestation: unknown, budget: VerificationBudget = { left: 1000 }) =>
  checkAttestation(
    attestation,
    payload,
    known,
    ({ publicKey }, message, signature) => keys.verify('a workspace', publicKey, message, signature),
    budget,
  );
const jws = (value: unknown) => check({ type: 'jws', jws: value });
const dsse = (value: unknown) => check({ type: 'dsse', envelope: value });
const verified = ({ known: { signer: name } }: Signer) => ({ state: 'verified', signer: name });
const notChecked = { state: 'not_checked', signer: null };

describe('the bytes that an attestation signs', () => {
  it('are the canonical form of all members except the attestations', () => {
    expect(Buffer.from(payload).toString()).toBe(
      '{"agent_handle":"@bot","cost_usd":0.1,"receipt_id":"r-1","z":"private"}',
    );
    const odd = '{"__proto__":1,"attestations":[],"n":1e-7}';
    expect(Buffer.from(attestedBytes(odd)).toString()).toBe('{"__proto__":1,"n":1e-7}');
  });
});

describe('a JWS', () => {
  // @covers TASK-ATTESTATION-JWS
  it('that jose has made is verified: compact, flattened, general, detached and unencoded', async () => {
    for (const by of [alice, bob]) {
      const header = { alg: by.alg };
      expect(await jws(await new CompactSign(payload).setProtectedHeader(header).sign(by.privateKey))).toEqual(
        verified(by),
      );
      const flat = await new FlattenedSign(payload).setProtectedHeader(header).sign(by.privateKey);
      expect(await jws(flat)).toEqual(verified(by));
      const { payload: _, ...detached } = flat;
      expect(await jws(detached)).toEqual(verified(by));
      expect(await jws(`${flat.protected}..${flat.signature}`)).toEqual(verified(by));
      const unencoded = { ...header, b64: false, crit: ['b64'] };
      const plain = await new FlattenedSign(payload).setProtectedHeader(unencoded).sign(by.privateKey);
      expect(await jws(plain)).toEqual(verified(by));
      expect(await jws({ ...plain, payload: Buffer.from(payload).toString() })).toEqual(verified(by));
      const general = new GeneralSign(payload);
      general.addSignature(by.privateKey).setProtectedHeader(header).setUnprotectedHeader({ kid: by.known.publicKey });
      general.addSignature(unknown.privateKey).setProtectedHeader({ alg: unknown.alg });
      expect(await jws(await general.sign())).toEqual(verified(by));
    }
  });

  it('names its key by signer, multikey, did:key or thumbprint, and is verified with each algorithm', async () => {
    for (const by of signers) {
      for (const kid of by.known.names) expect(await jws(compact(by, { alg: by.alg, kid }))).toEqual(verified(by));
      expect(await jws(compact(by, { alg: by.alg, kid: 'a name of their own' }))).toEqual(verified(by));
    }
    expect(await jws(compact(alice, { alg: 'Ed25519' }))).toEqual(verified(alice));
  });

  // @covers TASK-ATTESTATION-FAILED
  it('of a known key over another payload fails, and so does a wrong signature of a key that it names', async () => {
    for (const by of signers) {
      const other = Buffer.from(payload.toString().replace('0.1', '0.2'));
      expect(await jws(compact(by, { alg: by.alg }, other))).toBe('failed');
      expect(await jws(compact(by, { alg: by.alg, kid: by.known.signer }, other))).toBe('failed');
      const forged = compact(by === alice ? unknown : alice, { alg: by.alg, kid: by.known.publicKey });
      expect(await jws(forged)).toBe('failed');
      const good = compact(by, { alg: by.alg, kid: by.known.publicKey });
      const [header, , signature] = good.split('.');
      expect(await jws(`${header}.${base64url(other)}.${signature}`)).toBe('failed');
      const changed = signature?.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'));
      expect(await jws(`${header}.${base64url(payload)}.${changed}`)).toBe('failed');
    }
    const two = new GeneralSign(Buffer.from('{}'));
    two.addSignature(unknown.privateKey).setProtectedHeader({ alg: 'EdDSA' });
    two.addSignature(alice.privateKey).setProtectedHeader({ alg: 'EdDSA' });
    expect(await jws(await two.sign())).toBe('failed');
  });

  // @covers TASK-ATTESTATION-UNKNOWN
  it('of an unknown key is not checked, no matter what it says about itself', async () => {
    const jwk = await exportJWK(unknown.publicKey);
    for (const more of [{}, { jwk }, { kid: 'agn_unknown' }, { jku: 'https://example.org/keys' }, { x5c: ['MIIB'] }]) {
      expect(await jws(compact(unknown, { alg: 'EdDSA', ...more }))).toEqual(notChecked);
    }
    expect(await jws(compact(unknown, { alg: 'RS256' }))).toEqual(notChecked);
    expect(await jws(compact(unknown, { alg: 'EdDSA' }, Buffer.from('{}')))).toEqual(notChecked);
  });

  // @covers TASK-ATTESTATION-ALGORITHMS
  it('is never verified by an algorithm that its header chooses', async () => {
    const secrets = [alice.known.publicKey, alice.publicKey.export({ format: 'pem', type: 'spki' }).toString()];
    for (const secret of [...secrets, alice.publicKey.export({ format: 'der', type: 'spki' })]) {
      const text = `${base64url('{"alg":"HS256"}')}.${base64url(payload)}`;
      const mac = createHmac('sha256', secret).update(text).digest('base64url');
      expect(await jws(`${text}.${mac}`)).toEqual(notChecked);
      const named = `${base64url(JSON.stringify({ alg: 'HS256', kid: alice.known.signer }))}.${base64url(payload)}`;
      expect(await jws(`${named}.${createHmac('sha256', secret).update(named).digest('base64url')}`)).toBe('failed');
    }
    const none = `${base64url('{"alg":"none"}')}.${base64url(payload)}.`;
    expect([await jws(none), await jws(`${none}AAAA`)]).toEqual(['failed', 'failed']);
    for (const [by, alg] of [
      [alice, 'ES256'],
      [bob, 'ES256K'],
      [bob, 'EdDSA'],
      [carol, 'ES256'],
    ] as const) {
      expect(await jws(compact(by, { alg }))).toEqual(notChecked);
      expect(await jws(compact(by, { alg, kid: by.known.publicKey }))).toBe('failed');
    }
    // DSSE takes ECDSA as DER too, JWS does not.
    const text = `${base64url('{"alg":"ES256"}')}.${base64url(payload)}`;
    expect(await jws(`${text}.${base64url(sign('sha256', Buffer.from(text), bob.privateKey))}`)).toBe('failed');
  });

  it('fails if it is malformed', async () => {
    const good = compact(alice, { alg: 'EdDSA' });
    const [header = '', body = '', signature = ''] = good.split('.');
    const flat = { protected: header, payload: body, signature };
    const malformed = [
      'e30..e30',
      '',
      'a.b',
      'a.b.c.d',
      `${good}=`,
      `${header}.${body}.`,
      `${header}.${body}.${signature}A`,
      `${base64url('[]')}.${body}.${signature}`,
      `${base64url('{"alg":"EdDSA"')}.${body}.${signature}`,
      compact(alice, { alg: 7 }),
      compact(alice, { alg: 'EdDSA', kid: 7 }),
      compact(alice, { alg: 'EdDSA', crit: ['exp'], exp: 1 }),
      compact(alice, { alg: 'EdDSA', crit: ['b64', 'exp'], b64: true, exp: 1 }),
      compact(alice, { alg: 'EdDSA', b64: false }),
      compact(alice, { alg: 'EdDSA', crit: [] }),
      7,
      null,
      [good],
      { ...flat, header: { alg: 'EdDSA' } },
      { ...flat, header: { crit: ['b64'], b64: false } },
      { ...flat, signatures: [] },
      { payload: body, signatures: Array(17).fill({ protected: header, signature }) },
      { payload: 7, protected: header, signature },
      { payload: body, signatures: [null] },
      { payload: body, protected: `${header}!`, signature },
    ];
    for (const one of malformed) expect([one, await jws(one)]).toEqual([one, 'failed']);
  });

  it('with a huge header is read in linear time', async () => {
    const by = compact(alice, { alg: 'EdDSA', junk: 'x'.repeat(40_000), more: Array(4000).fill([]) });
    const begun = performance.now();
    expect(await jws(by)).toEqual(verified(alice));
    const deep = `${base64url(`{"alg":"EdDSA","d":${'['.repeat(40_000)}${']'.repeat(40_000)}}`)}.${base64url(payload)}`;
    const signature = base64url(raw(alice, Buffer.from(deep)));
    expect(await jws(`${deep}.${signature}`)).toEqual(verified(alice));
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

describe('a DSSE envelope', () => {
  // @covers TASK-ATTESTATION-DSSE
  it('is verified with each algorithm, in both alphabets, with ECDSA as r ‖ s or DER', async () => {
    for (const by of signers) {
      expect(await dsse(envelope(by))).toEqual(verified(by));
      expect(await dsse(envelope(by, { keyid: by.known.publicKey }))).toEqual(verified(by));
      expect(await dsse(envelope(by, { keyid: 'their own name' }))).toEqual(verified(by));
      const one = envelope(by);
      const sig = Buffer.from(one.signatures[0]?.sig ?? '', 'base64').toString('base64url');
      expect(await dsse({ ...one, payload: base64url(payload), signatures: [{ sig }] })).toEqual(verified(by));
    }
    const message = Buffer.concat([
      Buffer.from(`DSSEv1 ${receiptPayloadType.length} ${receiptPayloadType} ${payload.length} `),
      payload,
    ]);
    for (const by of [bob, carol]) {
      const sig = sign('sha256', message, by.privateKey).toString('base64');
      expect(await dsse({ ...envelope(by), signatures: [{ sig }] })).toEqual(verified(by));
    }
  });

  it('fails over another payload, with a wrong signature of a key that it names, or malformed', async () => {
    for (const by of signers) {
      expect(await dsse(envelope(by, {}, Buffer.from('{}')))).toBe('failed');
      expect(await dsse(envelope(unknown, { keyid: by.known.signer }))).toBe('failed');
      const swapped = { ...envelope(by, { keyid: by.known.signer }), payload: Buffer.from('{}').toString('base64') };
      expect(await dsse(swapped)).toBe('failed');
    }
    const good = envelope(alice);
    for (const one of [
      7,
      {},
      { ...good, payload: '{}' },
      { ...good, payload: undefined },
      { ...good, signatures: [] },
      { ...good, signatures: {} },
      { ...good, signatures: [{}] },
      { ...good, signatures: [{ sig: '' }] },
      { ...good, signatures: [{ ...good.signatures[0], keyid: 7 }] },
      { ...good, signatures: Array(17).fill(good.signatures[0]) },
    ]) {
      expect([one, await dsse(one)]).toEqual([one, 'failed']);
    }
  });

  it('of another type of payload or of an unknown key is not checked', async () => {
    expect(await dsse(envelope(alice, {}, payload, 'application/vnd.in-toto+json'))).toEqual(notChecked);
    expect(await dsse(envelope(unknown))).toEqual(notChecked);
    expect(await dsse(envelope(unknown, {}, Buffer.from('{}')))).toEqual(notChecked);
  });
});

describe('attestations', () => {
  it('of other types and forms are not checked', async () => {
    const others = [
      { type: 'photo' },
      { type: 'jws' },
      { type: 'dsse' },
      { type: 'jws', envelope: {} },
      'jws',
      null,
      7,
    ];
    for (const one of others) expect(await check(one)).toEqual(notChecked);
    expect(hasSignatures([{ type: 'photo' }, 7])).toBe(false);
    expect(hasSignatures([{ type: 'dsse' }])).toBe(true);
  });

  // @covers TASK-ATTESTATION-BOUNDED
  it('cost at most the budget of their request, and are not checked beyond it', async () => {
    const budget = { left: 2 };
    const one = { type: 'dsse', envelope: envelope(carol) };
    expect(await check(one, budget)).toEqual(notChecked);
    expect(budget.left).toBe(0);
    expect(await check({ type: 'jws', jws: compact(alice, { alg: 'EdDSA' }) }, budget)).toEqual(notChecked);
  });
});
