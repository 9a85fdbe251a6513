import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { formsOf } from '../../pages/forms-of.js';
import { hostileTexts } from '../../pages/hostile.js';
import { startOwned } from '../../pages/owner.js';
import { type Reader, recordedAt, signedInReader } from '../../pages/reader.js';
import { giveJobs } from '../../support/given-jobs.js';

interface File {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly type?: string;
}

describe('the page that imports, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
  });
  afterAll(() => service.stop());

  const to = ({ headers }: { readonly headers: Headers }) => headers.get('location') ?? '';
  /** Sends the form with a file as a browser does. */
  async function sendFile({ name, bytes, type = '' }: File, more: Record<string, string> = {}) {
    const form = new FormData();
    const hidden = (await owner.get('/import')).hidden('/import');
    for (const [field, value] of Object.entries({ ...hidden, ...more })) form.append(field, value);
    form.append('file', new Blob([bytes], { type }), name);
    return post(form);
  }
  async function post(body: FormData | string, type?: string) {
    const origin = service.app.server.listeningOrigin;
    const headers = { origin, cookie: owner.cookie(), ...(type !== undefined && { 'content-type': type }) };
    const reply = await fetch(`${origin}/import`, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
  const jobs = async () => (await person.call('GET', '/v1/ingest?limit=100')).json.data;

  // @covers PAGES-IMPORT
  it('take a file, name its receipt, show its job and lead to its memory', async () => {
    const sent = await sendFile({ name: 'ferry.txt', bytes: 'The ferry leaves at six.', type: 'text/plain' });
    expect([sent.status, to(sent)]).toEqual([303, recordedAt('/import?written')]);
    const page = await owner.get(to(sent));
    expect(page.text).toContain('The text was written as a memory.');
    expect(page.text).toMatch(/Recorded .* as receipt <a class="id" href="\/receipts\/rcp_/);
    await service.settled();
    const [job] = await jobs();
    expect(job).toMatchObject({ label: 'ferry.txt', source: 'import:file', stage: 'done' });
    const { text } = await owner.get('/import?stage=done');
    expect(text).toContain(`<a class="whole" href="/m/${job.memory_id}"><bdi dir="auto">ferry.txt</bdi></a>`);
    expect(text).toContain('<span>Done</span>');
    const again = await sendFile({ name: 'ferry.txt', bytes: 'The ferry leaves at six.', type: 'text/plain' });
    expect(to(again)).toBe(`/import?duplicate=${job.memory_id}`);
    expect((await owner.get(to(again))).text).toContain(
      `href="/m/${job.memory_id}">this memory</a>. Nothing was written`,
    );
  });

  it('say the assumptions of the reader of a file', async () => {
    const bytes = Buffer.concat([Buffer.from('The ferry waits for the train. '.repeat(60)), Buffer.from([0xff])]);
    expect((await sendFile({ name: 'alt.txt', bytes })).status).toBe(303);
    expect((await owner.get('/import')).text).toContain('1 character that is no UTF-8 is stored as U+FFFD.');
  });

  it('take a text with its own kind of source, and refuse an address that is not public with the text kept', async () => {
    const written = await owner.send('/import?kind=text', '/import?kind=text', { content: 'One line.\r\nAnother.' });
    expect(to(written)).toEqual(recordedAt('/import?written'));
    const [job] = await jobs();
    expect(job.source).toBe('import:text');
    expect((await person.call('GET', `/v1/memories/${job.memory_id}`)).json.content).toBe('One line.\nAnother.');
    const url = 'http://127.0.0.1/private';
    const refused = await owner.send('/import?kind=url', '/import?kind=url', { url });
    expect([refused.status, refused.text.includes(`value="${url}"`), refused.text.includes('role="alert"')]).toEqual([
      400,
      true,
      true,
    ]);
  });

  it('refuse what is no file, no text, too large or no form, and write nothing', async () => {
    const before = (await jobs()).length;
    const cases = [
      [{ name: '', bytes: '' }, 400, 'Choose a file.'],
      [{ name: 'empty.txt', bytes: '' }, 422, 'role="alert"'],
      [{ name: 'photo.png', bytes: Uint8Array.from([0x89, 0x50, 0, 1]), type: 'image/png' }, 415, 'role="alert"'],
      [{ name: 'broken.pdf', bytes: '%PDF-1.7 nothing' }, 422, 'This PDF cannot be read'],
      [{ name: 'long.txt', bytes: 'a line\n'.repeat(200_000) }, 413, 'role="alert"'],
      [{ name: 'large.txt', bytes: 'a'.repeat(6 * 1024 * 1024) }, 413, 'role="alert"'],
    ] as const;
    for (const [file, status, words] of cases) {
      const { status: found, text } = await sendFile(file);
      expect([file.name, found, text.includes(words)]).toEqual([file.name, status, true]);
    }
    const parts = Array.from(
      { length: 40 },
      (_, at) => `--x\r\nContent-Disposition: form-data; name="${at}"\r\n\r\n\r\n`,
    );
    for (const [body, type] of [
      [`${parts.join('')}--x--\r\n`, 'multipart/form-data; boundary=x'],
      ['--x\r\nnot a part', 'multipart/form-data; boundary=x'],
      ['anything', 'multipart/form-data'],
      ['anything', 'multipart/form-data; boundary=""'],
    ] as const) {
      const { status, text } = await post(body, type);
      expect([body.slice(0, 20), status, text.includes('cannot be read')]).toEqual([body.slice(0, 20), 400, true]);
    }
    expect((await post('{}', 'application/json')).status).toBe(415);
    // A form with a file of another session or page is refused as every other form is.
    expect((await sendFile({ name: 'a.txt', bytes: 'A stale form.' }, { token: 'x' })).status).toBe(403);
    expect((await jobs()).length).toBe(before);
  });

  it('show hostile names of files as text', async () => {
    for (const [at, name] of hostileTexts
      .filter((one) => !/[\0\r\n]/.test(one) && one.length < 200)
      .slice(0, 40)
      .entries()) {
      const { status } = await sendFile({ name, bytes: `A text of its own: ${at}.` });
      expect([name, [303, 400, 415, 422].includes(status)]).toEqual([name, true]);
      const { text } = await owner.get('/import');
      expect([
        name,
        /<img|<script(?! type="module" src="\/files\/)|onerror=/i.test(text.replaceAll(/<bdi[^>]*>.*?<\/bdi>/gs, '')),
      ]).toEqual([name, false]);
      expect([
        name,
        /<bdi[^>]*>[^<]*<(?!\/bdi>|span class="mark">)/.test(text.replaceAll(/<span class="mark">[^<]*<\/span>/g, '')),
      ]).toEqual([name, false]);
    }
  });

  // @covers PAGES-IMPORT
  it('show failed jobs with their reason, and retry one and all', async () => {
    const sent = await owner.send('/import?kind=text', '/import?kind=text', { content: 'A job that fails.' });
    expect(sent.status).toBe(303);
    await service.settled();
    await service.app.database.transaction(giveJobs);
    const [{ job_id }] = await jobs();
    const fail = () =>
      service.app.database.transaction((tx) =>
        tx.query(
          `update jobs set stage = 'failed', failed_stage = 'embedding', failure_reason = 'The model <b>did not</b> answer.', attempts = 5 where job_id = $1`,
          [job_id],
        ),
      );
    await fail();
    const failed = await owner.get('/import?stage=failed');
    expect(failed.text).toContain('The model &lt;b&gt;did not&lt;/b&gt; answer.');
    expect(failed.text).toContain('It was tried 5 times.');
    expect((await owner.get('/')).text).toContain('<a href="/import?stage=failed">1 import</a> failed');
    const one = formsOf(failed.text).find(({ controls }) => controls.some(({ name }) => name === 'job_id'));
    const retried = await owner.post('/import', { ...Object.fromEntries(one?.fields() ?? []), do: 'retry' });
    expect([retried.status, to(retried)]).toEqual([303, '/import?retried=1']);
    expect((await owner.get(to(retried))).text).toContain('1 job is queued again. A retry changes no memory');
    await service.settled();
    await fail();
    const all = formsOf((await owner.get('/import')).text).find(({ controls }) =>
      controls.some(({ value }) => value === 'retry all'),
    );
    const allAgain = await owner.post('/import', { ...Object.fromEntries(all?.fields() ?? []), do: 'retry all' });
    expect([allAgain.status, to(allAgain)]).toEqual([303, '/import?retried=1']);
    await service.settled();
    expect((await owner.get('/import?stage=failed')).text).toContain('No job has failed.');
    const running = await owner.post('/import', {
      ...Object.fromEntries(one?.fields() ?? []),
      once: 'another',
      do: 'retry',
    });
    expect([running.status, running.text.includes('role="alert"')]).toEqual([409, true]);
  });

  it('let the filters, the pages and a hostile address of the list do no harm', async () => {
    for (const stage of ['open', 'failed', 'done', 'nothing', '<b>']) {
      const { status, text } = await owner.get(`/import?stage=${encodeURIComponent(stage)}`);
      expect([stage, status, text.includes('<b>')]).toEqual([stage, 200, false]);
    }
    const wrong = await owner.get('/import?before=wrong');
    expect([wrong.status, wrong.text.includes('role="alert"'), wrong.text.includes('<cf-import')]).toEqual([
      200,
      true,
      true,
    ]);
    const older =
      /href="(\/import\?before=[^"]+)" data-live="top">Older/.exec((await owner.get('/import')).text)?.[1] ?? '';
    expect((await owner.get(older.replaceAll('&amp;', '&'))).text).toContain('ferry.txt');
  });

  it('hold a file until it is approved, and write it then', async () => {
    await person.call('PUT', '/v1/rules', {
      pause_all: false,
      sensitive: 'redact',
      ask_owner: [{ source: 'import:file' }],
    });
    const file = { name: 'held.txt', bytes: 'A file that is held.' };
    const held = await sendFile(file);
    expect(held.status).toBe(409);
    const [, approval = ''] = /name="approval" value="(apr_[0-9a-f]{32})"/.exec(held.text) ?? [];
    expect(held.text).toContain(`<a href="/approvals/${approval}">decided</a>`);
    await person.call('POST', `/v1/approvals/${approval}/approve`);
    expect((await owner.get(`/approvals/${approval}`)).text).toContain(`href="/import?approval=${approval}"`);
    expect((await owner.get(`/import?approval=${approval}`)).text).toContain(`name="approval" value="${approval}"`);
    expect(to(await sendFile(file, { approval }))).toEqual(recordedAt('/import?written'));
    await person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact' });
  });

  // @covers PAGES-READERS
  it('show readers the jobs and no form, and writers the tab', async () => {
    const { workspaceId } = await administration(service).first();
    const reads = await signedInReader(service, await administration(service).member(workspaceId, 'reader'));
    const page = await reads.get('/import');
    expect([
      page.status,
      page.text.includes('ferry.txt') || page.text.includes('Older'),
      formsOf(page.text).filter(({ action }) => action.startsWith('/import')).length,
    ]).toEqual([200, true, 0]);
    expect(page.text).toContain('Your role reads and does not write.');
    expect((await reads.get('/memories')).text).not.toContain('href="/import"');
    expect((await owner.get('/memories')).text).toContain('<a class="tab" href="/import">Import</a>');
  });
});
