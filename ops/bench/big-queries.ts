import { z } from 'zod';
import { load, type Send } from './load.js';
import { quantile } from './machine.js';
import type { BenchService } from './service.js';
import { randomStream } from './words.js';

/** How often each query is asked, and GET of one memory between two of them. */
const rounds = 60;

const memories = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      content: z.string().nullable(),
      source: z.string().nullable(),
      provenance: z.object({ agent_id: z.string().nullable() }).nullable(),
      created_at: z.string(),
    }),
  ),
});

type Query = (send: Send) => Promise<void>;

/** Where the questions come from: memories of the store, so that what is requested is as frequent as it is there. */
export interface Sample {
  readonly ids: readonly string[];
  readonly sources: readonly string[];
  readonly agent: string;
  readonly createdAt: string;
  /** This number of of the words that memories have, frequent ones as often as they come. */
  words(count: number): string;
  whole(below: number): number;
}

export async function takeSample(service: BenchService): Promise<Sample> {
  const { data } = memories.parse((await service.get('/v1/memories/export?limit=1000')).json);
  const random = randomStream(41);
  const whole = (below: number) => Math.floor(random() * below);
  const all = data.flatMap(({ content }) => (content ?? '').split(' ').slice(1));
  return {
    ids: data.map(({ id }) => id),
    sources: data.flatMap(({ source }) => (source === null ? [] : [source])),
    agent: data.map((one) => one.provenance?.agent_id).find((id) => typeof id === 'string') ?? `agn_${'a'.repeat(32)}`,
    createdAt: data.at(-1)?.created_at ?? '',
    words: (count) => Array.from({ length: count }, () => all[whole(all.length)] ?? 'word').join(' '),
    whole,
  };
}

/** @returns rows: each query with its times, those of GET of one memory in between, and the ratio of the two medians */
export async function measureQueries(service: BenchService): Promise<(string | number)[][]> {
  const sample = await takeSample(service);
  const rows: (string | number)[][] = [['query', 'p50 ms', 'p95', 'p99', 'GET p50', 'GET p95', 'ratio of p50']];
  for (const [name, query] of Object.entries(queriesOf(sample))) {
    const times: number[] = [];
    const gets: number[] = [];
    const timed = async (into: number[], work: () => Promise<unknown>) => {
      const from = performance.now();
      await work();
      into.push(performance.now() - from);
    };
    await load(service, 1, rounds + 1, async (send, i) => {
      const id = sample.ids[sample.whole(sample.ids.length)];
      await timed(i === 0 ? [] : gets, () => send('GET', `/v1/memories/${id}`));
      await timed(i === 0 ? [] : times, () => query(send));
    });
    const ratio = quantile(times, 0.5) / quantile(gets, 0.5);
    const ms = [...[0.5, 0.95, 0.99].map((share) => quantile(times, share)), quantile(gets, 0.5), quantile(gets, 0.95)];
    rows.push([name, ...ms.map((one) => one.toFixed(1)), ratio.toFixed(1)]);
    console.error(rows.at(-1)?.join('  '));
  }
  return rows;
}

function queriesOf(sample: Sample): Readonly<Record<string, Query>> {
  const { words, whole, sources, agent } = sample;
  const get =
    (path: () => string): Query =>
    (send) =>
      send('GET', path());
  const list = (q: () => string) => get(() => `/v1/memories?q=${encodeURIComponent(q())}`);
  const search =
    (more: () => Record<string, unknown>): Query =>
    (send) =>
      send('POST', '/v1/memories/search', { query: words(5), ...more() });
  const metadata = (filter: () => Record<string, unknown>) => search(() => ({ filters: { metadata: filter() } }));
  return {
    list: get(() => '/v1/memories'),
    'list, page 90': get(() => '/v1/memories?page=90'),
    'list, page 400': get(() => '/v1/memories?page=400'),
    'list, an agent': get(() => `/v1/memories?agent_id=${agent}`),
    'list, q of one word': list(() => words(1)),
    'list, q of two words': list(() => words(2)),
    'list, q of a rare word': list(() => String(whole(200_000))),
    'list, q of a phrase': list(() => `"${words(2)}"`),
    'list, q with or and not': list(() => `${words(1)} or ${words(1)} -${words(1)}`),
    'list, q of a word not to be there': list(() => `-${words(1)}`),
    'list, q of 60 words': list(() => words(60)),
    'list, q of an agent without any': get(() => `/v1/memories?q=-${words(1)}&agent_id=agn_${'b'.repeat(32)}`),
    'list, q of an app without any': get(() => `/v1/memories?q=-${words(1)}&app_id=none`),
    'list, an app without any': get(() => '/v1/memories?app_id=none'),
    search: search(() => ({ query: words(3 + whole(7)) })),
    'search, metadata: one in 500': metadata(() => ({ topic: `t${whole(500)}` })),
    'search, metadata: one in 100': metadata(() => ({ rank: { gt: 990 } })),
    'search, metadata: one in 7': metadata(() => ({ tags: { contains: 'a3' } })),
    'search, metadata: none': metadata(() => ({ nowhere: 'x' })),
    'search, a source': search(() => ({ filters: { source: sources[whole(sources.length)] } })),
    'search, an agent': search(() => ({ agent_id: agent })),
    'search, created after the first 1,000': search(() => ({ filters: { created_after: sample.createdAt } })),
    'search, metadata: range again each time': metadata(() => ({ rank: { gt: 980 + whole(1000) / 100 } })),
    'search, metadata: range of all': metadata(() => ({ rank: { gte: 0 } })),
    'search, metadata: range of none': metadata(() => ({ rank: { gt: 5000 } })),
    'search, metadata: 2,400 values': search(() => ({ filters: { any: ['x', 'y', 'z'].map(valuesOf) } })),
    'search, nested filters': search(() => ({ filters: nested })),
    'search, created after all': search(() => ({ filters: { created_after: '2100-01-01T00:00:00Z' } })),
    'search, 200 words': search(() => ({ query: words(200).slice(0, 2000) })),
    'namespaces with stats': get(() => '/v1/namespaces?include=stats'),
    receipts: get(() => '/v1/receipts'),
    'receipts, an agent': get(() => `/v1/receipts?agent=${agent}`),
    'receipts, deletions': get(() => '/v1/receipts?kind=memory.delete'),
    'receipts, since a time to come': get(() => '/v1/receipts?since=2100-01-01T00:00:00Z'),
    'receipts, until long ago': get(() => '/v1/receipts?until=2000-01-01T00:00:00Z'),
    'export, 100 memories': get(() => '/v1/memories/export?limit=100'),
    'export, 1,000 memories': get(() => '/v1/memories/export?limit=1000'),
    'ingest, failed or open': get(() => '/v1/ingest?stage=failed,indexing'),
    'ingest, failed': get(() => '/v1/ingest?stage=failed'),
  };
}

const valuesOf = (letter: string) => ({
  metadata: { topic: { in: Array.from({ length: 800 }, (_, i) => `${letter}${i}`) } },
});

/** Levels of conditions that no memory of the bench passes. */
const nested = {
  any: [
    { all: [{ metadata: { rank: { gt: 900 } } }, { not: [{ metadata: { rank: { gt: 10 } } }] }] },
    { all: [{ metadata: { topic: { contains: 'zz' } } }, { not: [{ metadata: { tags: { contains: 'a3' } } }] }] },
  ],
};
