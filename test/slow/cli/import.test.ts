import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportMemories } from '../../../src/cli/export.js';
import { importMemories } from '../../../src/cli/import.js';
import { listen } from '../../anchoring/http.js';
import { table } from '../../cli/import-table.js';
import { bare, main } from '../../faults/service-process.js';
import { administration } from '../../http/keys.js';
import { apiKey, type Service, startService } from '../../http/service.js';

const root = mkdtempSync(join(tmpdir(), 'counterfoil-import-'));
const file = (name: string) => join(root, name);

let from: Service;
let to: Service;
let admin: ReturnType<typeof administration>;
let fromKey: string;
beforeAll(async () => {
  from = await startService();
  to = await startService();
  admin = administration(to);
  const { workspaceId, namespaceId } = await administration(from).first();
  const travel = await administration(from).namespace(workspaceId, 'travel');
  fromKey = await administration(from).key(workspaceId, { namespaceIds: [namespaceId, travel] });
});
afterAll(async () => {
  await from.stop();
  await to.stop();
  rmSync(root, { recursive: true, force: true });
});

const originOf = ({ app }: Service) => app.server.listeningOrigin;
const progress = { report: () => undefined, stop: () => undefined };

async function imported(path: string, options: object = {}, stdin: string | Uint8Array = '') {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const terminal = {
    out: say,
    err: say,
    stdin: (async function* () {
      yield stdin;
    })(),
  };
  const code = await importMemories(path, { url: originOf(to), key: apiKey, ...options }, terminal, progress);
  return { code, said: said.join('\n') };
}

async function exported(name: string, service = from, key = fromKey) {
  const said: string[] = [];
  const options = { url: originOf(service), key, out: file(name) };
  const code = await exportMemories(options, { err: (text) => said.push(text) });
  return { code, said: said.join('\n') };
}

/** Everything that an import must keep of every memory, with the text of its metadata as it is spelt. */
async function held(service: Service, key: string): Promise<string[]> {
  const { text } = await service.call('GET', '/v1/memories/export?limit=1000', undefined, {
    authorization: `Bearer ${key}`,
  });
  const fields =
    /"content":("(?:[^"\\]|\\.)*").*?"metadata":(.*?),"source":(.*?),"provenance".*?"playground":(\w+).*?"namespace":\{"id":"[^"]*","name":("[^"]*")/gs;
  return [...text.matchAll(fields)].map((found) => found.slice(1).join(' ')).sort();
}

const page = (data: unknown[], next: string | null = null) =>
  JSON.stringify({ format: 'service-memories/1', data, next_cursor: next });
const blank = { id: '0', metadata: {}, source: null, playground: false, namespace: { id: '0', name: 'default' } };

const memory = (content: unknown, more: object = {}) => ({ ...blank, content, ...more });

describe('what was exported', () => {
  it('is taken into another workspace with content, metadata as it was spelt, source, playground and namespace', async () => {
    const written = [
      '{"content": "Grüße 🌊 \\u0007 \\"quoted\\" {[", "metadata": {"b": 1.0, "a": 12345678901234567890, "1": -0.0e5}}',
      '{"content": "second", "source": "chat }]", "playground": true, "namespace": "travel"}',
      '{"content": "third", "metadata": {\n  "line": "ends",\r\n\t"deep": [[{"x": {}}], "\\u00e9"]\n}}',
      `{"content": "deep", "metadata": {"d": ${'['.repeat(61)}${']'.repeat(61)}}}`,
    ];
    for (const body of written)
      expect((await from.call('POST', '/v1/memories', body, { authorization: `Bearer ${fromKey}` })).status).toBe(202);
    expect(await exported('all')).toEqual({ code: 0, said: `Exported 4 memories from ${originOf(from)}.` });

    const before = await imported(file('all'));
    expect(before.code).toBe(1);
    expect(before.said).toContain(table(3, 0, 1, 'namespace_not_found 1'));
    expect(before.said).toContain('There is no namespace "travel".');
    expect(before.said).toMatch(/page 1, memory 2: namespace_not_found: /);

    const { workspaceId, namespaceId } = await admin.first();
    const travel = await admin.namespace(workspaceId, 'travel');
    const key = await admin.key(workspaceId, { namespaceIds: [namespaceId, travel] });
    expect(await imported(file('all'), { key })).toEqual({
      code: 0,
      said: table(1, 3, 0),
    });
    expect(await held(to, key)).toHaveLength(4);
    expect(await held(to, key)).toEqual(await held(from, fromKey));
    expect(await imported(file('all'), { key })).toEqual({
      code: 0,
      said: table(0, 4, 0),
    });
  });

  it('goes into one namespace where that is requested, and from standard input', async () => {
    const { key } = await admin.workspace();
    const into = await imported('-', { key, namespace: 'default' }, readFileSync(file('all')));
    expect(into).toEqual({ code: 0, said: table(4, 0, 0) });
  });

  // @covers INVALID-IMPORT
  it('is invalidated if it was, also where an earlier import was interrupted before that', async () => {
    const { key } = await admin.workspace();
    const headers = { authorization: `Bearer ${key}` };
    const reasons = async () => {
      const { data } = (await to.call('GET', '/v1/memories/export', undefined, headers)).json;
      return data.map(({ invalidated }: { invalidated: { reason: string } | null }) => invalidated?.reason ?? null);
    };
    writeFileSync(file('valid'), page([memory('was true')]));
    await imported(file('valid'), { key });
    writeFileSync(
      file('invalid'),
      page([memory('was true', { invalidated: { reason: 'not any more' } }), memory('is true')]),
    );
    expect((await imported(file('invalid'), { key })).said).toBe(table(1, 1, 0));
    expect(await reasons()).toEqual(['not any more', null]);
    expect(await imported(file('invalid'), { key })).toMatchObject({ code: 0 });
    writeFileSync(file('odd'), page([memory('odd', { invalidated: { reason: 7 } })]));
    expect((await imported(file('odd'), { key })).said).toContain('invalidated is neither null nor');
  });

  it('is written again where it was deleted since', async () => {
    const { key } = await admin.workspace();
    writeFileSync(file('one'), page([memory('to delete')]));
    await imported(file('one'), { key });
    const headers = { authorization: `Bearer ${key}` };
    const [{ id }] = (await to.call('GET', '/v1/memories/export', undefined, headers)).json.data;
    await to.call('DELETE', `/v1/memories/${id}`, undefined, headers);
    expect((await imported(file('one'), { key })).said).toContain(table(1, 0, 0));
  });

  it('does not overwrite a file, and says why there is no export', async () => {
    expect(await exported('all')).toMatchObject({ code: 2, said: expect.stringContaining('EEXIST') });
    expect(await exported('none', from, 'ak_wrong')).toMatchObject({
      code: 2,
      said: expect.stringContaining('unauthorized'),
    });
  });
});

it('an import that is killed and repeated ends with every memory there once', async () => {
  const { key, workspaceId } = await admin.workspace();
  const count = async () => {
    const [row] = await to.app.database.transaction((tx) =>
      tx.query<{ all: number; different: number }>(
        'select count(*) as all, count(distinct content_hash) as different from memories where workspace_id = $1',
        [workspaceId],
      ),
    );
    return row ?? { all: 0, different: 0 };
  };
  const pages = Array.from({ length: 50 }, (_, p) =>
    page(
      Array.from({ length: 30 }, (_, i) => memory(`memory ${p * 30 + i}`)),
      p < 49 ? 'next' : null,
    ),
  );
  writeFileSync(file('many'), pages.join('\n'));
  const env = { ...bare, COUNTERFOIL_API_KEY: key };
  const start = () => {
    const child = spawn(process.execPath, [main, 'import', file('many'), '--url', originOf(to)], { env, cwd: root });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    return { child, ended, said: () => said };
  };
  const killed = start();
  while ((await count()).all < 20) await new Promise((next) => setTimeout(next, 10));
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect((await count()).all).toBeLessThan(1500);
  const again = start();
  expect(await again.ended).toBe(0);
  expect(again.said()).toMatch(/^Written +\d+\nAlready there +[1-9]\d*\n/);
  expect(again.said()).toMatch(/\nRefused +0\nIncomplete +0\n/);
  expect(await count()).toEqual({ all: 1500, different: 1500 });
});

describe('what is no export', () => {
  it.each([
    ['', 'there is nothing in it'],
    ['hello', 'it is not one page of JSON after another'],
    ['[]', 'it is not one page of JSON after another'],
    ['{}', 'page 1: its format is not service-memories/1'],
    [page([]).slice(0, -1), 'it ends in the middle of a page'],
    [page([]).replace('[]', '{}'), 'page 1: it has no list of memories in data'],
    [page([]).replace('null', '1'), 'page 1: its next_cursor is neither a text nor null'],
    [page([]).replace('null', ','), 'page 1: it is not JSON'],
    [`${page([])}]`, 'it is not one page of JSON after another'],
    [`{"a":${'['.repeat(1_000_000)}`, 'it ends in the middle of a page'],
    [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'page 1: it is nested deeper than 66'],
    [Buffer.from('{"\xff"}', 'latin1'), 'it is not UTF-8'],
    [Buffer.alloc(65 * 1024 * 1024, '{"a":"'), 'it has a page of more than 67108864 bytes'],
  ])('%.20s: ends with 2 and a sentence', async (bytes, sentence) => {
    writeFileSync(file('wrong'), bytes);
    const { code, said } = await imported(file('wrong'));
    expect(said).toContain(`is not an export: ${sentence}`);
    expect(code).toBe(2);
  });

  it('refuses what is no memory by its place, and takes the rest', async () => {
    const { key } = await admin.workspace();
    const odd = [3, null, [], 'x', {}, memory(1), memory('a', { metadata: [] }), memory('a', { namespace: 'default' })];
    const more = [
      memory('a', { source: 4 }),
      memory('a', { playground: 'no' }),
      memory(''),
      memory('x'.repeat(1_048_577)),
    ];
    writeFileSync(file('odd'), `\ufeff\n${page([...odd, ...more, memory('right')])}\r\n\r\n`);
    const { code, said } = await imported(file('odd'), { key });
    expect(code).toBe(1);
    expect(said).toContain(table(1, 0, 12, 'not_a_memory 10, invalid_content 1, content_too_large 1'));
    expect(said).toContain('page 1, memory 6: not_a_memory: content is not a text');
    expect(said).toContain('page 1, memory 11: invalid_content: ');
    expect(said).toContain('page 1, memory 12: content_too_large: ');
  });

  it('says when the last page is not there', async () => {
    writeFileSync(file('part'), page([memory('of part')], 'next'));
    expect(await imported(file('part'))).toMatchObject({
      code: 1,
      said: expect.stringContaining('not the whole export'),
    });
  });

  it('and a file, a key or a service that is not there', async () => {
    expect(await imported(file('absent'))).toMatchObject({ code: 2, said: expect.stringContaining('ENOENT') });
    expect(await imported(root)).toMatchObject({ code: 2, said: expect.stringContaining('is a directory') });
    expect(await imported(file('part'), { key: 'ak_no' })).toMatchObject({
      code: 2,
      said: expect.stringContaining('unauthorized'),
    });
    expect(await imported(file('part'), { key: '' })).toMatchObject({
      code: 2,
      said: expect.stringContaining('--key'),
    });
    expect(await imported(file('part'), { url: 'ftp://x' })).toMatchObject({
      code: 2,
      said: expect.stringContaining('--url'),
    });
  });
});

describe('a service that', () => {
  async function answeredBy(answers: [number, string, Record<string, string>?][]) {
    let asked = 0;
    const server = await listen(
      createServer((request, response) => {
        const [status, body, headers] = answers[Math.min(asked, answers.length - 1)] ?? [500, ''];
        asked += 1;
        request.resume().on('end', () => response.writeHead(status, headers).end(body));
      }),
    );
    writeFileSync(file('single'), page([memory('single')]));
    const result = await imported(file('single'), { url: server.url });
    await server.close();
    return { ...result, asked };
  }
  const taken = JSON.stringify({ job_id: 'j', memory_id: 'm', duplicate: false, stage: 'queued' });

  it('asks to be waited for is asked again', async () => {
    const answers: [number, string, Record<string, string>?][] = [
      [429, '{}', { 'retry-after': '0' }],
      [503, '', { 'retry-after': '1' }],
      [202, taken],
    ];
    expect(await answeredBy(answers)).toEqual({ code: 0, asked: 3, said: table(1, 0, 0) });
  });

  it.each([
    ['asks for a day', 429, '{}', { 'retry-after': '86400' }, 'after 86400 s'],
    ['is another service', 200, '<html>', {}, 'not as Counterfoil does'],
    ['leads elsewhere', 301, '', { location: 'https://example.org' }, 'not as Counterfoil does'],
    ['answers another shape', 202, '{"memory_id":1}', {}, 'not as Counterfoil does'],
  ])('%s ends the import', async (_, status, body, headers, sentence) => {
    const { code, said } = await answeredBy([[status, body, headers]]);
    expect(said).toContain(sentence);
    expect(code).toBe(2);
  });
});
