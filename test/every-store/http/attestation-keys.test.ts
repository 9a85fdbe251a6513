import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';

const multikey = 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const hex = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const path = '/v1/attestation-keys';

describe.each(stores)('attestation keys on %s', () => {
  const people = usePeople();
  const add = (public_key: unknown, name?: string) => people.as('admin').call('POST', path, { public_key, name });

  // @covers ATTESTATION-KEY-ADD
  it('are added by an admin in any writing, each once, with a receipt', async () => {
    const made = await add(hex, ' Robot ');
    expect([made.status, made.json]).toMatchObject([201, { name: 'Robot', public_key: multikey }]);
    expect(Object.keys(made.json).sort()).toEqual(['created_at', 'id', 'name', 'public_key', 'receipt_id']);
    const x = Buffer.from(hex, 'hex').toString('base64url');
    for (const writing of [multikey, `did:key:${multikey}`, x, { kty: 'OKP', crv: 'Ed25519', x }]) {
      const again = await add(writing, 'other');
      expect([again.status, again.json]).toEqual([200, made.json]);
    }
    const receipt = await people.as('owner').call('GET', `/v1/receipts/${made.json.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'attestation_key.added', body: { public_key: multikey } });
    expect((await people.as('owner').call('GET', path)).json).toEqual({ data: [made.json], next_cursor: null });
  });

  // @covers ERR-invalid_public_key
  it('are public keys only', async () => {
    const x = Buffer.from(hex, 'hex').toString('base64url');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    const wrong = ['', 'z', 7, null, [], {}, { ...jwk, d: x }, `0x${'ab'.repeat(20)}`, '00'.repeat(32), `${multikey}x`];
    for (const one of wrong) expect([one, code(await add(one))]).toEqual([one, [400, 'invalid_public_key']]);
    expect(code(await add(multikey, ''))).toEqual([400, 'invalid_name']);
    const unknown = { public_key: multikey, kid: 'x' };
    expect(code(await people.as('admin').call('POST', path, unknown))).toEqual([400, 'invalid_request']);
  });

  // @covers ERR-invalid_public_key
  it('are read from the members of a JWK alone, never from its prototype', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') };
    const hidden = { ['__proto__']: jwk };
    for (const one of [hidden, { ...hidden, kid: 'x' }, { ...hidden, kty: 'OKP', crv: 'Ed25519' }]) {
      expect([one, code(await add(one))]).toEqual([one, [400, 'invalid_public_key']]);
    }
    // Members that say nothing about the key are ignored, as RFC 7517 demands.
    const known = await add({ ...jwk, kid: 'x', ['__proto__']: { d: 'x', crv: 'P-256' } });
    expect([known.status, known.json.public_key]).toEqual([200, multikey]);
    const beside = { public_key: multikey, ['__proto__']: { name: 'x' } };
    expect(code(await people.as('admin').call('POST', path, beside))).toEqual([400, 'invalid_request']);
  });

  // @covers ATTESTATION-KEY-LIST
  it('are listed newest first, page by page', async () => {
    await add('zDnaepsL7AXenJkVYdkh5KuKsSU7Ykh7kyXaLLU7auN9FWSiZ');
    await add('zQ3shVc2UkAfJCdc1TR8E66J85h48P43r93q8jGPkPpjF9Ef9');
    const first = (await people.as('owner').call('GET', `${path}?limit=2`)).json;
    const second = (await people.as('owner').call('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
    const shown = [...first.data, ...second.data].map((one: { public_key: string }) => one.public_key.slice(0, 4));
    expect([shown, second.next_cursor]).toEqual([['zQ3s', 'zDna', 'z6Mk'], null]);
    expect(code(await people.as('owner').call('GET', `${path}?cursor=x`))).toEqual([400, 'invalid_cursor']);
    expect(code(await people.as('owner').call('GET', `${path}?limit=0`))).toEqual([400, 'invalid_request']);
  });

  // @covers ATTESTATION-KEY-REMOVE
  it('are removed by an admin, with a receipt', async () => {
    const [{ id }] = (await people.as('owner').call('GET', path)).json.data;
    const removed = await people.as('admin').call('DELETE', `${path}/${id}`);
    expect([removed.status, removed.json]).toEqual([
      200,
      { id, deleted: true, receipt_id: expect.stringMatching(/^rcp_/) },
    ]);
    for (const gone of [id, 'nothing', '00000000-0000-7000-8000-000000000000']) {
      const reply = await people.as('admin').call('DELETE', `${path}/${gone}`);
      expect(code(reply)).toEqual([404, 'attestation_key_not_found']);
    }
  });

  // @covers ATTESTATION-KEY-ADMIN
  it('are not for members, readers and API keys', async () => {
    for (const role of ['member', 'reader'] as const) {
      expect(code(await people.as(role).call('GET', path))).toEqual([403, 'admin_required']);
      expect(code(await people.as(role).call('POST', path, { public_key: hex }))).toEqual([403, 'admin_required']);
    }
    expect(code(await people.service().call('GET', path))).toEqual([403, 'user_session_required']);
  });
});
