import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleLimits } from '../../../src/verifier/bundle.js';
import { parseCheckpoint } from '../../../src/verifier/checkpoint.js';
import { leafHash } from '../../../src/verifier/merkle.js';
import { parseNote, parseVerifierKey } from '../../../src/verifier/note.js';
import { verifyBundle } from '../../../src/verifier/verify.js';
import { ask } from '../../http/ask.js';
import { administration } from '../../http/keys.js';
import { type Reply, type Service, startService } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Proofs of receipts and the public log, as an auditor gets them. The same on every store. */
describe.each(stores)('proofs on %s', () => {
  let service: Service;
  let admin: ReturnType<typeof administration>;
  beforeAll(async () => {
    // Only what a proof asks for is signed: nothing here depends on when the worker comes round.
    service = await startService({ ANCHOR_INTERVAL: '168h' });
    admin = administration(service);
  });
  afterAll(() => service.stop());

  const keys = async () => {
    const { json } = await service.call('GET', '/v1/ledger/keys');
    return json.data.map((key: { verifier_key: string }) => parseVerifierKey(key.verifier_key));
  };
  const write = async (content: string) => {
    const { json } = await service.call('POST', '/v1/memories', { content });
    const { json: memory } = await service.call('GET', `/v1/memories/${json.memory_id}`);
    return { id: json.memory_id as string, receipt: memory.receipt_id as string };
  };
  const prove = (receipt: string) => service.call('GET', `/v1/receipts/${receipt}/proof`);
  const states = async (reply: Reply) => {
    const { claims } = verifyBundle(Buffer.from(reply.text, 'utf8'), { keys: await keys() });
    return Object.fromEntries(claims.map(({ name, state }) => [name, state]));
  };
  const size = async () => parseCheckpoint(parseNote(Buffer.from((await checkpoint()).text)).text).size;
  const checkpoint = () => service.call('GET', '/v1/ledger/checkpoint');
  const bytes = async (path: string) => (await ask(service.app.server.listeningOrigin, 'GET', path)).bytes;

  it('proves a receipt the moment it is written, and of a deleted memory that it was', async () => {
    const { id, receipt } = await write('what an auditor asks for');
    const whole = await prove(receipt);
    expect(await states(whole)).toMatchObject({ entry: 'verified', content: 'verified', inclusion: 'verified' });
    expect((await states(whole)).checkpoint).toBe('verified');
    await service.call('DELETE', `/v1/memories/${id}`);
    const after = await prove(receipt);
    expect(after.text).not.toContain('what an auditor asks for');
    expect(await states(after)).toMatchObject({ entry: 'verified', content: 'absent', inclusion: 'verified' });
    expect((await states(after)).checkpoint).toBe('verified');
    // What was handed out before stays provable: it is about the same checkpoint.
    expect(await states(whole)).toMatchObject({ content: 'verified', checkpoint: 'verified' });
  });

  it('proves receipts of every kind, of other workspaces, and of trees beyond one tile', async () => {
    const contents = Array.from({ length: 300 }, (_, i) => `one of many ${i}`);
    const written = await Promise.all(contents.map((content) => write(content)));
    const { key } = await admin.workspace();
    const foreign = { authorization: `Bearer ${key}` };
    await service.call('POST', '/v1/memories', { content: 'elsewhere' }, foreign);
    const theirs = await service.call('GET', '/v1/receipts?limit=1', undefined, foreign);
    const receipt = theirs.json.data[0].receipt_id;
    expect((await prove(receipt)).status).toBe(404);
    const proof = await service.call('GET', `/v1/receipts/${receipt}/proof`, undefined, foreign);
    expect(await states(proof)).toMatchObject({ inclusion: 'verified', checkpoint: 'verified' });
    await service.call('POST', '/v1/memories/search', { query: 'many' });
    const { json } = await service.call('GET', '/v1/receipts?limit=100');
    const { json: old } = await service.call('GET', '/v1/receipts?limit=100&until=2999-01-01T00:00:00Z');
    const ids = [json.data[0], json.data[50], old.data.at(-1)].map((one) => one.receipt_id);
    for (const id of [...ids, ...written.slice(250, 253).map((one) => one.receipt)]) {
      expect(await states(await prove(id))).toMatchObject({ inclusion: 'verified', checkpoint: 'verified' });
    }
  });

  it('serves the log as tiles that lead to the checkpoint, and nothing beyond it', async () => {
    await write('one more');
    await prove((await write('and another')).receipt);
    const leaves = await size();
    const width = leaves % 256;
    const hashes = await bytes(`/v1/ledger/tile/0/000.p/${width}`);
    const entries = await bytes(`/v1/ledger/tile/entries/000.p/${width}`);
    expect(hashes.length).toBe(32 * width);
    let at = 0;
    for (let leaf = 0; leaf < width; leaf += 1) {
      const length = ((entries[at] ?? 0) << 8) | (entries[at + 1] ?? 0);
      const entry = entries.subarray(at + 2, at + 2 + length);
      at += 2 + length;
      expect(leafHash(entry)).toEqual(hashes.subarray(32 * leaf, 32 * leaf + 32));
      expect(Buffer.from(entry).toString()).not.toContain((await admin.first()).workspaceId);
    }
    expect(at).toBe(entries.length);
    for (const path of [`0/000.p/${width + 1}`, '0/001', '0/000', '1/000', '0/0', '0/000.p/0', 'x']) {
      const reply = await service.call('GET', `/v1/ledger/tile/${path}`);
      expect([path, reply.status]).toEqual([path, 404]);
    }
  });

  it('signs nothing new while nothing has changed', async () => {
    const { receipt } = await write('the last word');
    await prove(receipt);
    const before = (await checkpoint()).text;
    await prove(receipt);
    expect((await checkpoint()).text).toBe(before);
  });

  // @covers ERR-invalid_bundle
  it('verifies bundles for those who trust it, and knows receipts by their hash', async () => {
    const { receipt } = await write('known by its hash');
    const bundle = (await prove(receipt)).text;
    const anyone = { authorization: '' };
    const verified = await service.call('POST', '/v1/receipts/verify', bundle, anyone);
    expect(verified.json.receipt.receipt_id).toBe(receipt);
    expect(verified.json.claims.map((claim: { state: string }) => claim.state)).not.toContain('failed');
    const spoilt = bundle.replace('"content":"known', '"content":"Known');
    const failed = await service.call('POST', '/v1/receipts/verify', spoilt, anyone);
    expect(failed.json.claims.find((claim: { name: string }) => claim.name === 'content').state).toBe('failed');
    const { hash } = (await service.call('GET', `/v1/receipts/${receipt}`)).json;
    const known = await service.call('POST', '/v1/receipts/verify', { receipt_hash: hash }, anyone);
    expect(known.json).toMatchObject({ receipt_hash: hash, known: true, anchor_state: 'pending' });
    const other = { receipt_hash: 'f'.repeat(64) };
    expect((await service.call('POST', '/v1/receipts/verify', other, anyone)).json.known).toBe(false);
    const wrong = [{ receipt_hash: 'F' }, { receipt_hash: hash, more: 1 }, { format: 'counterfoil-proof/2' }, {}];
    for (const body of wrong) {
      const reply = await service.call('POST', '/v1/receipts/verify', body, anyone);
      expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_bundle']);
    }
    expect((await service.call('POST', '/v1/receipts/verify', 'no json', anyone)).status).toBe(400);
    const long = await service.call('POST', '/v1/receipts/verify', ' '.repeat(bundleLimits.bytes + 1), anyone);
    expect([long.status, long.json.error.message]).toEqual([413, 'The request body is over 2.5 MiB.']);
  });

  // @covers QUERY-OPENED QUERY-WHO QUERY-NOT-STORED
  it('shows the query of a search to the one who has searched and sends it again, and to no other key', async () => {
    const query = 'Who asked for the blue ledger? 🧾';
    const { workspaceId, namespaceId } = await admin.first();
    const reader = { authorization: `Bearer ${await admin.key(workspaceId, { namespaceIds: [namespaceId] })}` };
    const foreign = { authorization: `Bearer ${(await admin.workspace()).key}` };
    const { receipt_id: id } = (await service.call('POST', '/v1/memories/search', { query })).json;
    expect(await states(await prove(id))).toMatchObject({ entry: 'verified', content: 'absent' });
    const open = (body: unknown, receipt = id, headers = {}) =>
      service.call('POST', `/v1/receipts/${receipt}/proof`, body, headers);
    const opened = await open({ query });
    expect(opened.json.disclosed).toMatchObject({ content: null, query });
    expect(await states(opened)).toMatchObject({ content: 'verified', inclusion: 'verified', checkpoint: 'verified' });
    const { receipt } = await write('no search');
    for (const [reply, status, expected] of [
      [await open({ query: `${query} ` }), 400, 'invalid_query'],
      [await open({}), 400, 'invalid_query'],
      [await open({ query: 'x'.repeat(2001) }), 400, 'invalid_query'],
      [await open({ query }, id, reader), 403, 'admin_required'],
      [await open({ query }, id, foreign), 404, 'receipt_not_found'],
      [await open({ query: 'no search' }, receipt), 404, 'receipt_not_found'],
      [await open({ query }, 'rcp_none'), 404, 'receipt_not_found'],
    ] as const)
      expect([reply.status, reply.json.error.code, reply.json.disclosed]).toEqual([status, expected, undefined]);
    const key = { 'idempotency-key': 'opening' };
    for (const _ of [1, 2]) expect((await open({ query }, id, key)).json.disclosed.query).toBe(query);
    expect((await open({ query: 'another' }, id, key)).json.error.code).toBe('idempotency_key_reused');
    const stored = await service.app.database.transaction((tx) =>
      tx.query<{ n: number }>(`select count(*) as n from answers where body like '%blue ledger%'`),
    );
    expect(stored[0]?.n).toBe(0);
  });

  it('does not show a content that would make the bundle too long', async () => {
    const { receipt } = await write(`x${'\u0001'.repeat(1_048_575)}`);
    const reply = await prove(receipt);
    expect(reply.json.disclosed.content).toBeNull();
    expect(reply.text.length).toBeLessThan(bundleLimits.bytes);
    expect(await states(reply)).toMatchObject({ checkpoint: 'verified', inclusion: 'verified' });
  });

  it('proves nothing to those who may not see the receipt', async () => {
    const { receipt } = await write('not for everybody');
    const { workspaceId } = await admin.first();
    const other = await admin.namespace(workspaceId, 'elsewhere');
    const narrow = await admin.key(workspaceId, { namespaceIds: [other] });
    const asked = (key: string) =>
      service.call('GET', `/v1/receipts/${receipt}/proof`, undefined, { authorization: `Bearer ${key}` });
    expect((await asked(narrow)).json.error.code).toBe('namespace_out_of_scope');
    expect((await asked('ak_unknown')).status).toBe(401);
    expect((await service.call('GET', '/v1/receipts/rcp_none/proof')).json.error.code).toBe('receipt_not_found');
  });
});
