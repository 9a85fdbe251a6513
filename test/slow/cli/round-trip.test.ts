import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomStream, sentence } from '../../../ops/bench/words.js';
import { exportMemories } from '../../../src/cli/export.js';
import { importMemories } from '../../../src/cli/import.js';
import { vaultRows } from '../../../src/ledger/rows.js';
import { table } from '../../cli/import-table.js';
import { apiKey, type Service, startService } from '../../http/service.js';
import { repeats } from '../../support/repeats.js';

const path = join(mkdtempSync(join(tmpdir(), 'counterfoil-round-')), 'memories.jsonl');
const random = randomStream(11);
const count = repeats('ROUND_TRIP');

let from: Service;
let to: Service;
beforeAll(async () => {
  from = await startService();
  to = await startService();
});
afterAll(async () => {
  await from.stop();
  await to.stop();
  rmSync(join(path, '..'), { recursive: true });
});

/** Ways to write one JSON object, none of which a parser would write again. */
const spellings = [
  (n: number) => `{ "n":${n}.0, "big":7${n}12345678901234567890, "e":-0.0e5 }`,
  (n: number) => `{\n  "n": ${n},\r\n\t"deep": [\n[{"x": {}}], "\\u00e9"]\n}`,
  (n: number) => `{"2":"b","1":"a","n":${n},"text":"{[\\n\\u2028"}`,
  () => '{}',
];

/** Turns of talks. A search may find a turn by the words of its neighbours, so they are written in their order, eight talks at once. */
const turns = Array.from({ length: count }, (_, n) => ({
  source: n % 10 === 9 ? null : `talk ${Math.floor(n / 40)}`,
  content: `${n % 3 === 0 ? 'Ada: ' : ''}${sentence(random, 6, 20)} №${n}${n % 7 === 0 ? '\r\n\u0007🌊' : ''}`,
  metadata: (spellings[n % spellings.length] ?? spellings[0])?.(n) ?? '{}',
}));

async function write(): Promise<void> {
  const talks = new Map<string, typeof turns>();
  for (const [n, turn] of turns.entries()) {
    const name = turn.source ?? `${Math.floor(n / 40)} without`;
    talks.set(name, [...(talks.get(name) ?? []), turn]);
  }
  const waiting = [...talks.values()];
  const client = async () => {
    for (let talk = waiting.shift(); talk; talk = waiting.shift()) {
      for (const { content, source, metadata } of talk) {
        const body = `{"content":${JSON.stringify(content)},"source":${JSON.stringify(source)},"metadata":${metadata}}`;
        expect((await from.call('POST', '/v1/memories', body)).status).toBe(202);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

/** The memories in the order of writing: hash of content, metadata, source. */
async function held({ app }: Service): Promise<string[]> {
  const rows = await app.database.read((tx) =>
    tx.query<{ text: string }>(
      `select v.content || chr(10) || v.metadata || chr(10) || coalesce(v.source, '') as text
         from memories m join ${vaultRows} v on v.receipt_id = m.receipt_id order by m.seq`,
    ),
  );
  return rows.map(({ text }) => text);
}

const queries = Array.from({ length: repeats('ROUND_TRIP_SEARCHES') }, (_, n) => {
  const words = turns[Math.floor((n * count) / repeats('ROUND_TRIP_SEARCHES'))]?.content.split(' ') ?? [];
  return words.slice(1, 4).join(' ');
});

/** The hits of each query, with everything on which they depend. */
async function found(service: Service): Promise<object[][]> {
  const all = [];
  for (const query of queries) {
    const { json } = await service.call('POST', '/v1/memories/search', { query, k: 20 });
    all.push(
      json.data.map(({ content, score, signals, why }: Record<string, unknown>) => ({ content, score, signals, why })),
    );
  }
  return all;
}

// @covers IMPORT-ORDER EXPORT-LINES IMPORT-TABLE
it('an export and an import give back contents, bytes of metadata, the order of writing and neighbours', async () => {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const seconds: Record<string, number> = {};
  const timed = async <T>(what: string, work: Promise<T>) => {
    const since = performance.now();
    const result = await work;
    seconds[what] = Math.round(performance.now() - since) / 1000;
    return result;
  };
  await timed('write', write());
  await from.settled();
  const options = (service: Service) => ({ url: service.app.server.listeningOrigin, key: apiKey });
  expect(await timed('export', exportMemories({ ...options(from), out: path }, { err: say }))).toBe(0);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  for (const line of lines) expect(JSON.parse(line).format).toBe('service-memories/1');
  const progress = { report: () => undefined, stop: () => undefined };
  const terminal = { out: say, err: say, stdin: (async function* () {})() };
  expect(await timed('import', importMemories(path, options(to), terminal, progress))).toBe(0);
  expect(said.at(-1)).toBe(table(count, 0, 0));
  await to.settled();

  const [before, after] = [await held(from), await held(to)];
  expect(after).toHaveLength(count);
  expect(after.filter((text, n) => text !== before[n])).toEqual([]);
  const [first, second] = [await found(from), await found(to)];
  expect(second).toEqual(first);
  const hits = first.flat();
  const lent = hits.filter((hit) => JSON.stringify(hit).includes('"neighbours":{'));
  expect(lent.length).toBeGreaterThan(0);
  const sum = createHash('sha256').update(after.join('\n')).digest('hex').slice(0, 16);
  console.log(
    `${count} memories, ${JSON.stringify(seconds)} s, ${hits.length} hits, ${lent.length} by neighbours, contents ${sum}`,
  );
});
