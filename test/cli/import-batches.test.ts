import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importMemories } from '../../src/cli/import.js';
import { type Answering, type Given, startAnswering } from './answering.js';
import { table } from './import-table.js';

const root = mkdtempSync(join(tmpdir(), 'counterfoil-import-batches-'));
const path = join(root, 'memories.jsonl');
let service: Answering;
beforeAll(async () => {
  service = await startAnswering();
});
beforeEach(() => service.forget());
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

async function imported(memories: readonly object[], next_cursor: string | null = null) {
  const data = memories.map((one) => ({ content: 'a', metadata: {}, source: null, playground: false, ...one }));
  writeFileSync(path, JSON.stringify({ format: 'service-memories/1', data, next_cursor }));
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const progress = { report: () => undefined, stop: () => undefined };
  const terminal = { out: say, err: say, stdin: (async function* () {})() };
  const code = await importMemories(path, { url: service.url, key: 'ak_test' }, terminal, progress);
  return { code, said: said.join('\n') };
}

const contents = Array.from({ length: 8 }, (_, n) => ({ content: `memory ${n}`, namespace: { name: 'default' } }));
const written = (n: number) => ({ index: n, status: 202, memory_id: `m${n}`, duplicate: false });
const refusedAs = (n: number, status: number, code: string) => ({ index: n, status, error: { code, message: 'No.' } });
const json = (status: number, body: unknown): Given => ({ status, body: JSON.stringify(body) });
const refusal = (status: number, code: string) => json(status, { error: { code, message: 'No.' } });
const sentContents = (body: string): string[] => {
  const { memories = [], content }: { memories?: { content: string }[]; content?: string } = JSON.parse(body);
  return content === undefined ? memories.map((one) => one.content) : [content];
};

describe('an import in batches', () => {
  // @covers IMPORT-BATCHES
  it('reports each refused memory with its place, and sends those again that have only to wait', async () => {
    const answers = [
      json(200, {
        results: [written(0), refusedAs(1, 429, 'rate_limited'), refusedAs(2, 413, 'content_too_large')].concat(
          [3, 4, 5, 6].map((n) => ({ ...written(n), duplicate: n > 4 })),
          [refusedAs(7, 503, 'receipt_unavailable')],
        ),
      }),
      { ...refusal(429, 'rate_limited'), headers: { 'retry-after': '0' } },
      json(200, { results: [written(0), refusedAs(1, 429, 'rate_limited')] }),
      json(202, written(0)),
    ];
    service.respondWith(() => answers.shift() ?? refusal(500, 'internal_error'));
    expect(await imported(contents)).toEqual({
      code: 1,
      said: ['page 1, memory 3: content_too_large: No.', table(5, 2, 1, 'content_too_large 1')].join('\n'),
    });
    expect(service.received.map(({ path: at, body }) => [at, sentContents(body)])).toEqual([
      ['POST /v1/memories/batch', contents.map(({ content }) => content)],
      ['POST /v1/memories/batch', ['memory 1', 'memory 7']],
      ['POST /v1/memories/batch', ['memory 1', 'memory 7']],
      ['POST /v1/memories', ['memory 7']],
    ]);
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    expect([new Set(keys).size, keys[1]]).toEqual([3, keys[2]]);
  });

  // @covers IMPORT-BATCHES
  it('finds by halves the memory for which a batch is refused, and takes the rest', async () => {
    service.respondWith(({ path: at, body }) => {
      const sent = sentContents(body);
      if (!at.endsWith('/batch'))
        return sent[0] === 'memory 5' ? refusal(400, 'invalid_metadata') : json(202, written(0));
      return sent.includes('memory 5')
        ? refusal(400, 'invalid_json')
        : json(200, { results: sent.map((_, n) => written(n)) });
    });
    expect(await imported(contents)).toEqual({
      code: 1,
      said: `page 1, memory 6: invalid_metadata: No.\n${table(7, 0, 1, 'invalid_metadata 1')}`,
    });
  });

  it('writes memory by memory to a service without batches, and ends when everything is refused', async () => {
    service.respondWith(({ path: at }) =>
      at.endsWith('/batch') ? refusal(404, 'route_not_found') : json(202, written(0)),
    );
    expect((await imported(contents)).said).toBe(table(8, 0, 0));
    service.respondWith(() => refusal(403, 'insufficient_scope'));
    expect(await imported(contents)).toMatchObject({ code: 2, said: expect.stringContaining('refuses every write') });
    service.respondWith(() => json(402, { error: 'plan_action_limit', message: 'No.' }));
    expect((await imported(contents)).said).toContain(table(0, 0, 8, 'plan_action_limit 8'));
  });

  // @covers IMPORT-BATCHES
  it('sends no more in a batch than the service takes', async () => {
    service.respondWith(({ path: at, body }) =>
      !at.endsWith('/batch')
        ? json(202, written(0))
        : json(200, { results: sentContents(body).map((_, n) => written(n)) }),
    );
    const long = Array.from({ length: 7 }, (_, n) => ({
      content: `${n}${'x'.repeat(600_000)}`,
      namespace: { name: 'd' },
    }));
    const many = Array.from({ length: 600 }, (_, n) => ({ content: `${n}`, namespace: { name: 'd' } }));
    const metadata = { list: Array(9000).fill(0) };
    const wide = Array.from({ length: 4 }, (_, n) => ({ content: `${n}`, metadata, namespace: { name: 'd' } }));
    const sizes = async (memories: readonly object[]) => {
      service.forget();
      await imported(memories);
      return service.received.map(({ body }) => sentContents(body).length).sort((a, b) => b - a);
    };
    expect(await sizes(long)).toEqual([3, 3, 1]);
    expect(await sizes(many)).toEqual([250, 250, 100]);
    expect(await sizes(wide)).toEqual([2, 2]);
  });

  // @covers IMPORT-ORDER
  it('sends a batch when the one before is written', async () => {
    let [asked, answered, most] = [0, 0, 0];
    service.respondWith(({ body }) => {
      asked += 1;
      most = Math.max(most, asked - answered);
      const after = sleep(5).then(() => {
        answered += 1;
      });
      return { ...json(200, { results: sentContents(body).map((_, n) => written(n)) }), after };
    });
    const many = Array.from({ length: 900 }, (_, n) => ({ content: `${n}`, namespace: { name: 'd' } }));
    await imported(many);
    expect([most, asked]).toEqual([1, 4]);
    expect(service.received.flatMap(({ body }) => sentContents(body))).toEqual(many.map(({ content }) => content));
  });

  // @covers IMPORT-TABLE IMPORT-WHOLE IMPORT-REPORTED
  it('ends with a table of what was redacted, refused, taken for something, and is missing', async () => {
    const results = [
      { ...written(0), redacted: { email: 2, phone: 1 } },
      { ...written(1), duplicate: true, redacted: { email: 1 }, ignored: ['metadata', 'source'] },
      refusedAs(2, 413, 'content_too_large'),
    ];
    service.respondWith(() => json(200, { results }));
    expect(await imported(contents.slice(0, 3), 'next')).toEqual({
      code: 1,
      said: [
        'incomplete: the last page names a next one that is not there: this is not the whole export',
        'page 1, memory 1: redacted: email 2, phone 1',
        'page 1, memory 2: redacted: email 1',
        'page 1, memory 2: assumed: the text is there already, with another metadata and source, which stays',
        'page 1, memory 3: content_too_large: No.',
        'Written             1',
        'Already there       1',
        'Redacted            2  email 3, phone 1',
        'Deleted there       0',
        'Refused             1  content_too_large 1',
        'Incomplete          1',
        'Assumed             1',
      ].join('\n'),
    });
  });
});
