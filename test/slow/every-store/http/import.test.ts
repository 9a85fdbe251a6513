import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfFolder } from '../../../corpus/make/pdf.js';
import { type Service, startService } from '../../../http/service.js';
import { pdfWith, textPdf } from '../../../import/pdf.js';
import { drip, openSite, page, redirect, type Site } from '../../../import/web.js';
import { stores } from '../../../support/stores.js';

const mebibyte = 1024 * 1024;
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

/** Files and pages as memories. The same on every store. */
describe.each(stores)('imports on %s', () => {
  let service: Service;
  let site: Site;
  beforeAll(async () => {
    service = await startService({ ALLOW_PRIVATE_URLS: '1', LOG_LEVEL: 'error' });
    site = await openSite({
      '/page': page('text/html; charset=iso-8859-2', Buffer.from('<title>Kafka</title><p>\xa9kola \xe1no', 'latin1')),
      '/zipped': page('application/json', gzipSync('{"zipped":true}'), { 'content-encoding': 'gzip' }),
      '/report': page('application/pdf', textPdf([['The report of a quarter.']])),
      '/data/notes.md': page('application/octet-stream', '# Notes of a walk'),
      '/picture': page('image/png', '\x89PNG'),
      '/empty': page('text/html', '<script>nothing()</script>'),
      '/gone': (_request, response) => response.writeHead(410).end('gone'),
      '/moved': redirect('/page'),
      '/loop': redirect('/loop'),
      '/huge': page('text/plain', Buffer.alloc(5 * mebibyte + 1, 'x')),
      '/wordy': page('text/plain', 'word '.repeat(mebibyte / 4)),
      '/drip': drip((response) => response.writeHead(200, { 'content-type': 'text/plain' })),
    });
  });
  afterAll(async () => {
    await site?.close();
    await service?.stop();
  });

  const ingest = (body: object, headers = {}) => service.call('POST', '/v1/ingest', body, headers);
  const file = (filename: string, bytes: string | Uint8Array, more: object = {}) =>
    ingest({ kind: 'file', filename, data_base64: base64(bytes), ...more });
  const url = (path: string, more: object = {}) => ingest({ kind: 'url', url: `${site.origin}${path}`, ...more });
  const kept = async (memoryId: string) => (await service.call('GET', `/v1/memories/${memoryId}`)).json;
  const receipts = async () => (await service.call('GET', '/v1/receipts?limit=1')).json.data[0].seq;
  const labels = async () =>
    (await service.call('GET', '/v1/ingest?limit=100')).json.data.map((job: { label: string }) => job.label);

  // @covers ADD-DUPLICATE-STAGE JOB-LIST-LABEL IMPORT-SAME IMPORT-FILE
  it('makes a memory of a file, with the same receipt, job and search as one that was written', async () => {
    const pdf = textPdf([['The heron stands', 'in the shallows.'], ['Second page.']]);
    const { status, json } = await file('C:\\birds\\heron.pdf', pdf, { metadata: { a: 1 }, content_type: '' });
    expect([status, json.duplicate, json.stage]).toEqual([202, false, 'queued']);
    await service.settled();
    const memory = await kept(json.memory_id);
    expect(memory).toMatchObject({
      content: 'The heron stands\nin the shallows.\n\nSecond page.',
      source: 'import:file',
      metadata: { a: 1 },
      status: 'ready',
    });
    const receipt = await service.call('GET', `/v1/receipts/${memory.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'memory.write', body: { memory_id: json.memory_id } });
    expect(receipt.json.body.label_commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(receipt.text).not.toContain('heron');
    expect(await labels()).toContain('C:\\birds\\heron.pdf');
    const found = await service.call('POST', '/v1/memories/search', { query: 'heron in the shallows' });
    expect(found.json.data[0].memory_id).toBe(json.memory_id);
    expect((await file('copy.pdf', pdf)).json).toEqual({ ...json, duplicate: true, stage: 'done' });
  });

  // @covers IMPORT-FILE IMPORT-CHARSETS
  it.each<[string, string | Uint8Array, string, string]>([
    ['a.txt', 'plain', '', 'plain'],
    ['a.md', '# é', 'application/octet-stream', '# é'],
    ['a.csv', 'x;y\r\n1;2', 'application/vnd.ms-excel', 'x;y\r\n1;2'],
    ['a.json', '{"a":1}', 'application/json', '{"a":1}'],
    ['a.html', '<h1>One</h1><p>two &amp; three', 'text/html', 'One\n\ntwo & three'],
    ['noname', 'by its type', 'text/plain', 'by its type'],
    ['a.txt', Buffer.from('\xff\xfew\0i\0d\0e\0', 'latin1'), '', 'wide'],
    ['a.txt', Buffer.from('\xd0\xd2', 'latin1'), 'text/plain; charset=koi8-r', 'пр'],
  ])('reads %s', async (name, bytes, contentType, content) => {
    const { status, json } = await file(name, bytes, { content_type: contentType });
    expect([202, 200]).toContain(status);
    expect((await kept(json.memory_id)).content).toBe(content);
  });

  // @covers IMPORT-CHARSETS
  it('says wherever the memory is seen what was assumed of the bytes of a file', async () => {
    const french = 'Le capitaine a noté que la marée était très haute à l’écluse. Où était le pilote ?';
    const assumed = { charset: 'windows-1252' };
    const bytes = iconv.encode(french, 'windows-1252');
    const body = { kind: 'file', filename: 'old.txt', data_base64: base64(bytes), content_type: 'text/plain' };
    const { json: accepted } = await ingest(body, { prefer: 'wait=10' });
    expect(accepted).toMatchObject({ stage: 'done', assumed });
    const memory = await kept(accepted.memory_id);
    expect(memory).toMatchObject({ content: french, assumed, metadata: {} });
    expect((await service.call('GET', `/v1/ingest/${accepted.job_id}`)).json.assumed).toEqual(assumed);
    expect((await service.call('GET', `/v1/receipts/${memory.receipt_id}`)).json.body.assumed).toEqual(assumed);
    expect((await ingest(body)).json).toMatchObject({ duplicate: true, assumed });
    const { json: whole } = await file('whole.txt', 'Déjà vu, in UTF-8');
    expect([accepted, await kept(whole.memory_id)].map((one) => 'assumed' in one)).toEqual([true, false]);

    const damaged = await file('log.txt', Buffer.concat([Buffer.from('the end of a log: é'), Buffer.from([0xff])]));
    expect(damaged.json.assumed).toEqual({ replaced: 1 });
    const unclear = await file('short.txt', Buffer.from('na\xefve \x80', 'latin1'));
    expect([unclear.status, unclear.json.error.code]).toEqual([415, 'unsupported_file']);
    expect(unclear.json.error.message).toContain('declare it in the Content-Type');
    const misread = await file('misread.txt', 'it\u0080\u0099s');
    expect([misread.status, misread.json.error.code]).toEqual([415, 'unsupported_file']);
  });

  // @covers JOB-LIST-LABEL IMPORT-URL
  it('makes a memory of a page, under the address that was requested', async () => {
    const { status, json } = await url('/moved');
    expect(status).toBe(202);
    expect(await kept(json.memory_id)).toMatchObject({ content: 'Kafka\n\nŠkola áno', source: 'import:url' });
    expect(await labels()).toContain(`${site.origin}/moved`);
    const others = [await url('/zipped'), await url('/report'), await url('/data/notes.md')];
    const contents = await Promise.all(others.map(async (one) => (await kept(one.json.memory_id)).content));
    expect(contents).toEqual(['{"zipped":true}', 'The report of a quarter.', '# Notes of a walk']);
  });

  // @covers IMPORT-URL-ONCE
  it('asks a page once for a request that is repeated under its key', async () => {
    const key = { 'idempotency-key': 'page-1' };
    const body = { kind: 'url', url: `${site.origin}/page`, metadata: { once: true } };
    const first = await ingest(body, key);
    const before = site.asked.length;
    expect((await ingest(body, key)).text).toBe(first.text);
    expect(site.asked).toHaveLength(before);
  });

  // @covers ADD-REFUSED-NOTHING IMPORT-FILE-LIMIT IMPORT-PAGE-LIMIT IMPORT-TEXT-LIMIT IMPORT-URL-LIMIT
  // @covers IMPORT-URL-CREDENTIALS IMPORT-TIMEOUT IMPORT-NO-TEXT IMPORT-REFUSED-NOTHING ERR-invalid_file
  it('says of a PDF how many values of fields are in its text, and what share of its letters is not', async () => {
    const corpus = (name: string) => file(`${name}.pdf`, readFileSync(join(pdfFolder, `${name}.pdf`)));
    const form = await corpus('form-text');
    expect(form.json).toMatchObject({ assumed: { form_fields: 3 } });
    expect((await kept(form.json.memory_id)).content).toContain('Amount:\t4,711.02');
    expect((await corpus('unknown-little')).json.assumed).toEqual({ unreadable_pct: expect.any(Number) });
    const refused = ['unknown-all', 'dynamic-form', 'encrypted-for-user'].map(
      async (name) => (await corpus(name)).json.error.code,
    );
    expect(await Promise.all(refused)).toEqual(['no_text', 'unreadable_pdf', 'unreadable_pdf']);
    const about = await file('about.txt', readFileSync(join(pdfFolder, 'no-pdf.pdf')));
    expect((await kept(about.json.memory_id)).content).toMatch(/^%PDF-1.7 is how a PDF begins/);
  });

  // @covers ERR-invalid_url ERR-unsupported_file ERR-unsupported_url ERR-unreadable_pdf ERR-source_too_large
  // @covers ERR-fetch_failed
  it('gives each of its refusals, and writes nothing', async () => {
    const before = await receipts();
    const asked = site.asked.length;
    const cases: [string, number, object][] = [
      ['invalid_kind', 400, { kind: 'tape' }],
      ['invalid_content', 400, { kind: 'text' }],
      ['invalid_file', 400, { kind: 'file' }],
      ['invalid_file', 400, { kind: 'file', filename: 'a.txt' }],
      ['invalid_file', 400, { kind: 'file', filename: '', data_base64: 'YQ==' }],
      ['invalid_file', 400, { kind: 'file', filename: 'a\0.txt', data_base64: 'YQ==' }],
      ...['YQ', 'YQ=', 'YR==', 'Y Q==', 'YWE-', 'data:,a', '===='].map((data): [string, number, object] => [
        'invalid_file',
        400,
        { kind: 'file', filename: 'a.txt', data_base64: data },
      ]),
      ['invalid_metadata', 400, { kind: 'file', filename: 'a', data_base64: '', metadata: 3 }],
      ['no_text', 422, { kind: 'file', filename: 'a.txt', data_base64: '' }],
      ['no_text', 422, { kind: 'file', filename: 'a.txt', data_base64: base64(' \r\n\t') }],
      ['no_text', 422, { kind: 'file', filename: 'a.pdf', data_base64: base64(pdfWith([{ bytes: Buffer.from('') }])) }],
      ['unreadable_pdf', 422, { kind: 'file', filename: 'a.pdf', data_base64: base64('no pdf') }],
      ['unsupported_file', 415, { kind: 'file', filename: 'a.docx', data_base64: base64('PK') }],
      ['unsupported_file', 415, { kind: 'file', filename: 'a.txt', data_base64: base64('a\0b') }],
      [
        'source_too_large',
        413,
        { kind: 'file', filename: 'a.txt', data_base64: base64(Buffer.alloc(5 * mebibyte + 1)) },
      ],
      ['content_too_large', 413, { kind: 'file', filename: 'a.txt', data_base64: base64('x'.repeat(mebibyte + 1)) }],
      ['content_too_large', 413, { kind: 'file', filename: 'a.html', data_base64: base64('x'.repeat(mebibyte + 1)) }],
      ['metadata_too_large', 413, { kind: 'url', url: site.origin, metadata: { a: 'x'.repeat(65_536) } }],
      ['namespace_not_found', 404, { kind: 'file', filename: 'a.txt', data_base64: 'YQ==', namespace: 'nowhere' }],
      ...[
        '',
        'example.org',
        '/page',
        'ftp://example.org/',
        'http:example.org',
        'http://a:b@example.org/',
        ' http://a/',
      ].map((text): [string, number, object] => ['invalid_url', 400, { kind: 'url', url: text }]),
      ['invalid_url', 400, { kind: 'url' }],
      ['invalid_url', 400, { kind: 'url', url: `http://example.org/${'x'.repeat(2048)}` }],
    ];
    for (const [code, status, body] of cases) {
      const reply = await ingest(body);
      expect([JSON.stringify(body).slice(0, 80), reply.status, reply.json.error.code]).toEqual([
        JSON.stringify(body).slice(0, 80),
        status,
        code,
      ]);
    }
    expect(site.asked).toHaveLength(asked);
    const pages: [string, number, string][] = [
      ['unsupported_url', 415, '/picture'],
      ['no_text', 422, '/empty'],
      ['fetch_failed', 502, '/gone'],
      ['fetch_failed', 502, '/loop'],
      ['source_too_large', 413, '/huge'],
      ['content_too_large', 413, '/wordy'],
      ['fetch_failed', 502, '/drip'],
    ];
    for (const [code, status, path] of pages) {
      const reply = await url(path);
      expect([path, reply.status, reply.json.error.code]).toEqual([path, status, code]);
    }
    expect(await receipts()).toBe(before);
  });

  // @covers IMPORT-REFUSED-FIRST
  it('asks no page for what it could not write', async () => {
    const { asked } = site;
    const before = asked.length;
    expect((await url('/page', { namespace: 'nowhere' })).json.error.code).toBe('namespace_not_found');
    expect(asked).toHaveLength(before);
  });

  it('holds this number of large files at once, and takes the rest a moment later', async () => {
    const filling = `<!--${'x'.repeat(5 * mebibyte - 100)}-->`;
    const upload = (at: number) => file(`${at}.html`, `<p>File ${at} of many${filling}`);
    const replies = await Promise.all(Array.from({ length: 16 }, (_, at) => upload(at)));
    const codes = replies.map(({ json }) => json.error?.code);
    expect(new Set(codes)).toEqual(new Set([undefined, 'rate_limited']));
    const again = await upload(codes.indexOf('rate_limited'));
    expect((await kept(again.json.memory_id)).content).toMatch(/^File \d+ of many$/);
  });

  it('forgets the name of a file with its memory, and leaves a store in which nothing is wrong', async () => {
    const { json } = await file('secret-plans.txt', 'to be deleted with its name');
    expect(await labels()).toContain('secret-plans.txt');
    await service.call('DELETE', `/v1/memories/${json.memory_id}`);
    expect(await labels()).not.toContain('secret-plans.txt');
    const rows = await service.app.database.read((tx) =>
      tx.query("select 1 from vault where label = 'secret-plans.txt'"),
    );
    expect(rows).toEqual([]);
    const checked = await service.app.maintenance.get('fsck')?.([], () => undefined);
    expect(checked).toMatchObject({ ok: true });
  });
});

describe.each(stores)('imports without ALLOW_PRIVATE_URLS on %s', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  // @covers IMPORT-PRIVATE IMPORT-PORT ERR-url_not_allowed
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'https://localhost/',
    'http://example.org:8080/',
  ])('does not go to %s', async (address) => {
    const { status, json } = await service.call('POST', '/v1/ingest', { kind: 'url', url: address });
    expect([status, json.error.code]).toEqual([400, 'url_not_allowed']);
  });
});
