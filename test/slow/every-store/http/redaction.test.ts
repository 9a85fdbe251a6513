import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Nothing is stored of sensitive values. The same on every store. */
describe.each(stores)('redaction on %s', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const post = (path: string, body: unknown) => service.call('POST', path, body);
  const stored = async (path: string, body: unknown) => {
    const { status, json } = await post(path, body);
    expect(status).toBe(202);
    await service.settled();
    return service.call('GET', `/v1/memories/${json.memory_id}`);
  };

  // @covers MEM-CONTENT-HASH RULE-REDACT
  it('stores, hashes and finds the redacted content', async () => {
    const content = 'Grace (grace@example.com, +44 20 7946 0958) keeps bees; card 4111 1111 1111 1111.';
    const kept = 'Grace ([redacted], [redacted]) keeps bees; card [redacted].';
    const { json } = await stored('/v1/memories', { content });
    expect(json).toMatchObject({ content: kept, content_hash: sha256(kept) });
    const { json: receipt } = await service.call('GET', `/v1/receipts/${json.receipt_id}`);
    expect(receipt.body.content_bytes).toBe(Buffer.byteLength(kept));
    const found = await post('/v1/memories/search', { query: 'who keeps bees' });
    expect(found.json.data[0].content).toBe(kept);
    const exported = await service.call('GET', '/v1/memories/export');
    for (const text of [found.text, exported.text]) expect(text).not.toMatch(/grace@example|7946 0958|4111 1111/);
  });

  // @covers RULE-REDACT
  it('gives metadata back as it was sent but for what went', async () => {
    const sent =
      '{ "b":1.0, "mail" :"a@example.com","a":[1e400,"\\u00e9",{"phone":"2125550147", "n":2125550147}],"10":12345678901234567890 }';
    const kept =
      '{ "b":1.0, "mail" :"[redacted]","a":[1e400,"\\u00e9",{"phone":"[redacted]", "n":2125550147}],"10":12345678901234567890 }';
    const { text } = await stored('/v1/memories', `{"content":"with metadata","metadata":${sent}}`);
    expect(text).toContain(`"metadata":${kept}`);
  });

  // @covers RULE-REDACT RULE-REDACT-IMPORT
  it('redacts the source, and what is imported as text', async () => {
    const { json } = await stored('/v1/memories', { content: 'from a mail', source: 'mail:ada@example.com' });
    expect(json.source).toBe('mail:[redacted]');
    const body = { kind: 'text', content: 'Reach Ada at ada@example.com.', metadata: { by: 'bob@example.com' } };
    const imported = await stored('/v1/ingest', body);
    expect(imported.json).toMatchObject({ content: 'Reach Ada at [redacted].', metadata: { by: '[redacted]' } });
    const jobs = await service.call('GET', '/v1/ingest');
    expect(jobs.text).not.toContain('@example.com');
  });

  // @covers RULE-REDACT IMPORT-TABLE
  it('says how many values of each kind it has replaced', async () => {
    const content = 'Grace: grace@example.com or hopper@example.com.';
    const body = { content, metadata: { phone: '+44 20 7946 0958' } };
    const { json } = await post('/v1/memories', body);
    expect(json.redacted).toEqual({ email: 2, phone: 1 });
    expect((await post('/v1/memories', body)).json).toMatchObject({
      duplicate: true,
      redacted: { email: 2, phone: 1 },
    });
    const batch = await post('/v1/memories/batch', {
      memories: [{ content: 'No address.' }, { content: `Second ${content}` }],
    });
    expect(batch.json.results.map(({ redacted }: { redacted?: object }) => redacted)).toEqual([
      undefined,
      { email: 2 },
    ]);
  });

  // @covers ADD-DUPLICATE-REDACTED
  it('knows a memory again by what is left of it', async () => {
    const first = await post('/v1/memories', { content: 'Write to one@example.com.' });
    const second = await post('/v1/memories', { content: 'Write to two@example.com.' });
    expect([first.status, second.status, second.json.duplicate]).toEqual([202, 200, true]);
    expect(second.json.memory_id).toBe(first.json.memory_id);
  });

  // @covers LIMIT-REDACTED
  it('keeps what was sent and what is stored to the limits', async () => {
    const code = async (body: unknown) => (await post('/v1/memories', body)).json.error?.code;
    expect(await code({ content: 'a@example.com '.repeat(80_000) })).toBe('content_too_large');
    const addresses = Array.from({ length: 7000 }, () => 'x@y.io');
    expect(JSON.stringify({ addresses }).length).toBeLessThan(65_536);
    expect(await code({ content: 'addresses', metadata: { addresses } })).toBe('metadata_too_large');
  });
});
