import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '../../../../src/base/world.js';
import { ask } from '../../../http/ask.js';
import { administration } from '../../../http/keys.js';
import { laterWorld, type Service, startService } from '../../../http/service.js';
import { giveJobs } from '../../../support/given-jobs.js';
import { stores } from '../../../support/stores.js';

/** Requests that are repeated under an Idempotency-Key, and too many of them. The same on every store. */
describe.each(stores)('repeated requests on %s', () => {
  let service: Service;
  let later = 0;
  beforeAll(async () => {
    service = await startService(
      {},
      laterWorld(realWorld, () => later),
    );
  });
  afterAll(() => service.stop());

  const post = (path: string, body: unknown, key: string, headers = {}) =>
    service.call('POST', path, body, { 'idempotency-key': key, ...headers });
  const receipts = async () => (await service.call('GET', '/v1/receipts?limit=100')).json.data.length;

  // @covers IDEM-REPEAT
  it('answers a repeated write as the first time, and writes nothing', async () => {
    const first = await post('/v1/memories', { content: 'written once' }, 'w-1');
    const before = await receipts();
    const again = await post('/v1/memories', { content: 'written once' }, 'w-1');
    expect([again.status, again.text]).toEqual([202, first.text]);
    // Without the key the same content is a duplicate.
    expect((await service.call('POST', '/v1/memories', { content: 'written once' })).status).toBe(200);
    const imported = { kind: 'text', content: 'imported once' };
    const one = await post('/v1/ingest', imported, 'i-1');
    expect((await post('/v1/ingest', imported, 'i-1')).text).toBe(one.text);
    expect(await receipts()).toBe(before + 1);
  });

  it('keeps the answer of a write that was a duplicate', async () => {
    const first = await post('/v1/memories', { content: 'written once' }, 'w-2');
    expect(first.status).toBe(200);
    await service.call('DELETE', `/v1/memories/${first.json.memory_id}`);
    expect((await post('/v1/memories', { content: 'written once' }, 'w-2')).text).toBe(first.text);
    expect(await code(post('/v1/memories', { content: 'another' }, 'w-2'))).toEqual([422, 'idempotency_key_reused']);
  });

  // @covers IDEM-REUSED
  it('refuses a key that was used for another body or another route, and writes nothing', async () => {
    await post('/v1/memories', { content: 'under a key' }, 'r-1');
    const before = await receipts();
    const reused = [422, 'idempotency_key_reused'];
    expect(await code(post('/v1/memories', { content: 'another' }, 'r-1'))).toEqual(reused);
    expect(await code(post('/v1/memories', '{"content":"under a key" }', 'r-1'))).toEqual(reused);
    expect(await code(post('/v1/memories/search', { query: 'key' }, 'r-1'))).toEqual(reused);
    expect(await code(post('/v1/ingest', { kind: 'text', content: 'x' }, 'r-1'))).toEqual(reused);
    expect(await receipts()).toBe(before);
  });

  // @covers IDEM-TOGETHER SEARCH-RECALL
  it('gives one receipt to one search that is sent many times at once', async () => {
    await service.call('POST', '/v1/memories', { content: 'Lovelace wrote notes on the engine.' });
    await service.settled();
    const before = await receipts();
    const search = () => post('/v1/memories/search', { query: 'engine notes' }, 's-1');
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, search));
    expect(first?.json.data).toHaveLength(1);
    for (const other of others) expect(other.text).toBe(first?.text);
    expect(await receipts()).toBe(before + 1);
  });

  // @covers IDEM-TOGETHER
  it('writes one memory for eight requests at once, and another for another credential', async () => {
    const { workspaceId, namespaceId } = await administration(service).first();
    const other = await administration(service).key(workspaceId, { namespaceIds: [namespaceId] });
    const write = () => post('/v1/memories', { content: 'at once' }, 'c-1');
    const replies = await Promise.all(Array.from({ length: 8 }, write));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    const theirs = await post('/v1/memories', { content: 'at once' }, 'c-1', { authorization: `Bearer ${other}` });
    expect([theirs.status, theirs.json.duplicate]).toEqual([200, true]);
  });

  // @covers IDEM-FORGET
  it('forgets an answer with the memory that it shows', async () => {
    const secret = 'the vault opens with marmalade';
    const { json } = await post('/v1/memories', { content: secret }, 'f-1');
    await service.settled();
    const found = await post('/v1/memories/search', { query: 'marmalade' }, 'f-2');
    expect(found.text).toContain(secret);
    await service.call('DELETE', `/v1/memories/${json.memory_id}`);
    const after = await post('/v1/memories/search', { query: 'marmalade' }, 'f-2');
    expect([after.status, after.json.data]).toEqual([200, []]);
    // The answer of a write shows no text, so it stays. Under another key the content is new.
    const again = await post('/v1/memories', { content: secret }, 'f-1');
    expect([again.status, again.json]).toEqual([202, json]);
    const other = await post('/v1/memories', { content: secret }, 'f-3');
    expect([other.status, other.json.memory_id === json.memory_id]).toEqual([202, false]);
  });

  // @covers IDEM-REFUSALS
  it('keeps no refusal, and no key of a request that does not write', async () => {
    expect(await code(post('/v1/memories', { content: '' }, 'n-1'))).toEqual([400, 'invalid_content']);
    expect((await post('/v1/memories', { content: 'now it is right' }, 'n-1')).status).toBe(202);
    const list = await service.call('GET', '/v1/memories', undefined, { 'idempotency-key': 'r-1' });
    expect(list.status).toBe(200);
    for (const key of ['', 'two words', 'é', 'x'.repeat(256)]) {
      const encoded = Buffer.from(key, 'utf8').toString('latin1');
      expect(await code(post('/v1/memories', { content: 'no' }, encoded))).toEqual([400, 'invalid_request']);
    }
  });

  // @covers JOB-RETRY-REPEAT
  it('repeats a retry as it was answered', async () => {
    const { json } = await service.call('POST', '/v1/memories', { content: 'to be stuck' });
    await service.settled();
    await service.app.database.transaction(giveJobs);
    await service.app.database.transaction((tx) =>
      tx.query(`update jobs set stage = 'failed', failed_stage = 'chunking' where job_id = $1`, [json.job_id]),
    );
    const first = await post(`/v1/ingest/${json.job_id}/retry`, undefined, 'j-1');
    expect(first.status).toBe(202);
    expect((await post(`/v1/ingest/${json.job_id}/retry`, undefined, 'j-1')).text).toBe(first.text);
  });

  // @covers IDEM-24H
  it('takes a key for another request after 24 hours', async () => {
    await post('/v1/memories', { content: 'of yesterday' }, 'o-1');
    later += 24 * 3_600_000 - 30_000;
    expect((await post('/v1/memories', { content: 'of today' }, 'o-1')).status).toBe(422);
    later += 60_000;
    expect((await post('/v1/memories', { content: 'of today' }, 'o-1')).status).toBe(202);
    const rows = await service.app.database.read((tx) => tx.query('select request_key from answers'));
    expect(rows).toHaveLength(1);
  });
});

describe.each(stores)('rate limits on %s', () => {
  // @covers LIMIT-ADDRESS
  it('refuses the 301st request of an address within a minute, no matter what it asks for', async () => {
    const service = await startService({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    const from = (address: string, path = '/v1/namespaces') =>
      service.call('GET', path, undefined, { 'x-forwarded-for': address });
    const paths = ['/v1/namespaces', '/v1/nothing', '/%76%31/namespaces'];
    const all = await Promise.all(Array.from({ length: 300 }, (_, at) => from('192.0.2.1', paths[at % 3])));
    expect(all.filter(({ status }) => status === 429)).toEqual([]);
    const over = await Promise.all(paths.map((path) => from('192.0.2.1', path)));
    for (const { status, json } of over) expect([status, json.error.code]).toEqual([429, 'rate_limited']);
    // What the client claims in front of the proxy's word changes nothing.
    expect((await from('198.51.100.9, 192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(200);
    expect((await service.call('GET', '/healthz', undefined, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
    // All of an IPv6 client's addresses are one client.
    await Promise.all(Array.from({ length: 300 }, (_, at) => from(`2001:db8::${at.toString(16)}`)));
    expect((await from('2001:db8::ffff:1')).status).toBe(429);
    expect((await from('2001:db8:0:1::1')).status).toBe(200);
    await service.stop();
  });

  // @covers LIMIT-WRITES LIMIT-SEARCHES LIMIT-READS LIMIT-RETRY-AFTER
  it('refuses the 601st write and the 301st search of a workspace, not its reads, nor other workspaces', async () => {
    const service = await startService({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    const admin = administration(service);
    const { workspaceId, namespaceId } = await admin.first();
    const second = await admin.key(workspaceId, { namespaceIds: [namespaceId] });
    const { key: foreign } = await admin.workspace();
    let sent = 0;
    const send = (method: string, path: string, body?: unknown, headers = {}) => {
      sent += 1;
      return service.call(method, path, body, { 'x-forwarded-for': `10.0.${sent >> 8}.${sent & 255}`, ...headers });
    };
    const write = () => send('DELETE', '/v1/memories/none', undefined);
    const search = (headers = {}) => send('POST', '/v1/memories/search', { query: '' }, headers);
    await Promise.all(Array.from({ length: 600 }, write));
    const refused = await ask(service.app.server.listeningOrigin, 'POST', '/v1/memories', {
      headers: { authorization: `Bearer ${second}`, 'x-forwarded-for': '10.1.1.1' },
      body: '{"content":"one too many"}',
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await Promise.all(Array.from({ length: 300 }, () => search()));
    expect(await code(search())).toEqual([429, 'rate_limited']);
    expect((await send('GET', '/v1/memories')).status).toBe(200);
    expect((await search({ authorization: `Bearer ${foreign}` })).status).toBe(400);
    await service.stop();
  });
});

async function code(reply: ReturnType<Service['call']>): Promise<[number, string | undefined]> {
  const { status, json } = await reply;
  return [status, json?.error?.code];
}
