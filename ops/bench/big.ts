import { cpSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureFsck } from './big-fsck.js';
import { measureQueries } from './big-queries.js';
import { measureSearchable, measureWaits } from './big-waits.js';
import { load } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { linkAgent, signIn } from './sign-in.js';
import { randomStream, sentence } from './words.js';

const port = 8196;
const agents = 8;

/**
 * What a store of many memories takes: queries beside GET of one memory, what others wait for while memories are deleted
 * and moved, how soon a write is searchable, and fsck. `--data DIR` measures a copy of a store that is there: with
 * `--key`, `--owner` and `--password` when a bench did not make it. `--keep DIR` copies the filled store there.
 */
export async function benchBig(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: text,
      keep: text,
      key: text,
      owner: { ...text, default: 'owner@example.org' },
      password: { ...text, default: 'a password for the bench' },
    },
  });
  const settings = {
    ...env,
    OWNER_EMAIL: values.owner,
    OWNER_PASSWORD: values.password,
    ...(values.key === undefined ? {} : { BOOTSTRAP_API_KEY: values.key }),
  };
  const store = temporaryDirectory();
  try {
    if (values.data !== undefined) cpSync(values.data, store.path, { recursive: true });
    else await served(store.path, settings, (service) => fill(service, settings, Number(positionals[0] ?? 200_000)));
    if (values.keep !== undefined) cpSync(store.path, values.keep, { recursive: true, errorOnExist: true });
    await served(store.path, settings, async (service) => {
      const cookie = await signIn(service, values.owner, values.password);
      console.log(`${machineLine()}\n${await countOf(service)} memories\n`);
      console.log(table(await measureQueries(service)), '\n');
      console.log(table(await measureSearchable(service)), '\n');
      console.log(table(await measureWaits(service, cookie)), '\n');
    });
    console.log(table(await measureFsck(store.path, settings)));
  } finally {
    store.remove();
  }
}

type Settings = Readonly<Record<'OWNER_EMAIL' | 'OWNER_PASSWORD', string>>;

/** Does something with the service while it runs on a store, and stops it, no matter what results. */
async function served(path: string, settings: Settings, work: (service: BenchService) => Promise<void>): Promise<void> {
  const service = await startService(path, port, settings);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

/** Memories with metadata, sources and agents: a third of them is written by one of the agents. */
async function fill(service: BenchService, settings: Settings, size: number): Promise<void> {
  const cookie = await signIn(service, settings.OWNER_EMAIL, settings.OWNER_PASSWORD);
  const linked: string[] = [];
  for (let n = 0; n < agents; n += 1) linked.push(await linkAgent(service, cookie, n));
  const random = randomStream(17);
  // The pipeline is let in between, or a backlog would be indexed during the measurements.
  for (let from = 0; from < size; from += 5000) {
    await load(service, 32, Math.min(5000, size - from), (send, i) => {
      const n = from + i;
      const agent = n % 3 === 0 ? linked[(n / 3) % agents] : undefined;
      return send(
        'POST',
        '/v1/memories',
        {
          content: `${n} ${sentence(random, 8, 24)}`,
          source: `talk ${n >> 5}`,
          metadata: { topic: `t${n % 500}`, rank: n % 1000, tags: [`a${n % 7}`] },
        },
        agent === undefined ? {} : { 'x-service-agent': agent },
      );
    });
    await untilSettled(service);
  }
}

async function countOf(service: BenchService): Promise<number> {
  const { json } = await service.get('/v1/namespaces?include=stats');
  return counted.parse(json).data.reduce((sum, { memory_count }) => sum + memory_count, 0);
}

const counted = z.object({ data: z.array(z.object({ memory_count: z.number() })) });
