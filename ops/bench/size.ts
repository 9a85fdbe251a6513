import type { Database } from '../../src/database/database.js';
import { readConfig } from '../../src/settings/config.js';
import { openStore } from '../../src/wiring/start/store.js';
import { load } from './load.js';
import { machineLine, table } from './machine.js';
import { proseOf } from './prose.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { randomStream, sentence } from './words.js';

const contentBytes = 500;

/** Prose is English. Words are made-up ones by Zipf's law, without any that a text search configuration leaves out. */
export type TextKind = 'prose' | 'words';

function textsOf(kind: TextKind, random: () => number): (bytes: number) => string {
  if (kind === 'prose') return proseOf(random);
  return (bytes) => sentence(random, 200, 200).slice(0, bytes);
}

/**
 * What one memory of 500 bytes of text takes in the database, by table: rows, what is stored out of line, and
 * indexes, at each of these numbers of memories. The tables are measured as the writes left them, after a VACUUM, which
 * frees space without giving it back, and once more after a VACUUM FULL, which is the size without any free space.
 */
export async function benchSize(
  sizes: readonly number[],
  kind: TextKind,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const store = temporaryDirectory();
  try {
    const text = textsOf(kind, randomStream(23));
    console.log(machineLine());
    let held = 0;
    for (const size of sizes) {
      const service = await startService(store.path, 8194, env);
      await fill(service, text, held, size);
      await service.stop();
      held = size;
      const database = await openStore(readConfig({ DATA_DIR: store.path, LOG_LEVEL: 'error', ...env }));
      try {
        await print(database, size, size === sizes.at(-1));
      } finally {
        await database.close();
      }
    }
  } finally {
    store.remove();
  }
}

async function fill(service: BenchService, text: (bytes: number) => string, held: number, size: number) {
  for (let from = held; from < size; from += 5000) {
    const count = Math.min(5000, size - from);
    await load(service, 32, count, (send, i) =>
      send('POST', '/v1/memories', { content: text(contentBytes), source: `talk ${(from + i) >> 5}` }),
    );
    await untilSettled(service);
  }
}

async function print(database: Database, memories: number, full: boolean): Promise<void> {
  const names = await tableNames(database);
  for (const name of names) await database.maintain(`vacuum (analyze) ${name}`);
  const vacuumed = await sizesOf(database);
  if (full) for (const name of names) await database.maintain(`vacuum (full) ${name}`);
  const smallest = full ? await sizesOf(database) : vacuumed;
  const each = (bytes: number) => Math.round(bytes / memories);
  const sum = (of: (one: Size) => number, from = vacuumed) => from.reduce((total, one) => total + of(one), 0);
  const smallestOf = (name: string) => smallest.find((one) => one.name === name)?.total ?? 0;
  console.log(
    `\n${table([
      [
        'table',
        'heap',
        'TOAST',
        'indexes',
        `bytes of each of ${memories} memories`,
        ...(full ? ['after VACUUM FULL'] : []),
      ],
      ...vacuumed
        .filter(({ total }) => total > memories)
        .map(({ name, heap, toast, indexes, total }) => [
          ...[name, each(heap), each(toast), each(indexes), each(total)],
          ...(full ? [each(smallestOf(name))] : []),
        ]),
      [
        ...['all tables', each(sum(({ heap }) => heap)), each(sum(({ toast }) => toast))],
        ...[each(sum(({ indexes }) => indexes)), each(sum(({ total }) => total))],
        ...(full ? [each(sum(({ total }) => total, smallest))] : []),
      ],
    ])}`,
  );
}

interface Size extends Record<string, unknown> {
  name: string;
  heap: number;
  toast: number;
  indexes: number;
  total: number;
}

async function tableNames(database: Database): Promise<string[]> {
  const rows = await database.read((tx) =>
    tx.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r' order by 1`,
    ),
  );
  return rows.map(({ name }) => name);
}

/** In bytes, largest table first. What is stored out of line includes its index. */
function sizesOf(database: Database): Promise<Size[]> {
  return database.read((tx) =>
    tx.query<Size>(
      `select c.relname as name, pg_relation_size(c.oid) as heap, coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0) as toast,
              pg_indexes_size(c.oid) as indexes, pg_total_relation_size(c.oid) as total
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r' order by total desc, 1`,
    ),
  );
}
