import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { load } from './load.js';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { randomStream, sentence } from './words.js';

/** The memories that are there before. */
const memories = 1000;
/** Cases that are not counted, until everything runs as fast as it does later. */
const warmUp = 50;

const found = z.object({ data: z.array(z.object({ content: z.string() })) });

/** How the search of a case is asked, and which process is asked. */
interface Way {
  readonly name: string;
  readonly service: BenchService;
  readonly headers: Record<string, string>;
}

/**
 * Writes a memory and searches for it at once, one case after the other: how many are found, and how long the search lasts beside
 * the same search a moment later, when there is nothing to wait for. On a server a second process is asked too.
 */
export async function benchReadAfterWrite(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const writer = await startService(store.path, 8199, env);
  const other = env.DATABASE_URL === undefined ? null : await startService(store.path, 8200, env);
  try {
    const random = randomStream(5);
    await load(writer, 16, memories, (send, i) =>
      send('POST', '/v1/memories', { content: `${i} ${sentence(random, 8, 24)}` }),
    );
    await untilSettled(writer);
    const ways: Way[] = [
      { name: 'the process of the write', service: writer, headers: {} },
      { name: 'the same, Prefer: wait=0', service: writer, headers: { prefer: 'wait=0' } },
      ...(other === null ? [] : [{ name: 'another process', service: other, headers: {} }]),
    ];
    const rows: string[][] = [];
    for (const way of ways) rows.push(await measured(way, writer, count, () => sentence(random, 8, 24)));
    const head = [`${count} writes, each searched at once`, 'found', 'p50 ms', 'p95 ms', 'added p50', 'added p95'];
    console.log(table([[machineLine()], [], head, ...rows]));
  } finally {
    await writer.stop();
    await other?.stop();
    store.remove();
  }
}

async function measured(
  { name, service, headers }: Way,
  writer: BenchService,
  count: number,
  text: () => string,
): Promise<string[]> {
  const times: number[] = [];
  const added: number[] = [];
  let hits = 0;
  for (let i = -warmUp; i < count; i += 1) {
    const mark = randomWord();
    await writer.post('/v1/memories', { content: `${mark} ${text()}` });
    const first = await search(service, mark, headers);
    await untilSettled(writer);
    const later = await search(service, mark, headers);
    if (i < 0) continue;
    if (first.contents.some((content) => content.startsWith(`${mark} `))) hits += 1;
    times.push(first.ms);
    added.push(first.ms - later.ms);
  }
  const figures = [times, added].flatMap((ms) => [0.5, 0.95].map((share) => quantile(ms, share).toFixed(1)));
  return [name, String(hits), ...figures];
}

/** A word that no other text has. */
const randomWord = () =>
  randomBytes(8)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

async function search(service: BenchService, query: string, headers: Record<string, string>) {
  const sent = performance.now();
  const { json } = await service.post('/v1/memories/search', { query, k: 8 }, headers);
  const ms = performance.now() - sent;
  return { ms, contents: found.parse(json).data.map(({ content }) => content) };
}
