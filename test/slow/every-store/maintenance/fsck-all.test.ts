import { afterAll, beforeAll, expect, test } from 'vitest';
import { projections } from '../../../../projections/all.js';
import type { Projection } from '../../../../projections/projection.js';
import { collectFaults, namedFaults } from '../../../../src/base/faults.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { compareTables, comparing } from '../../../../src/maintenance/compare.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { buildTogether } from '../../../../src/maintenance/rebuildable.js';
import { openLog, type StoreLog } from '../../../maintenance/log-store.js';
import { fill, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let log: StoreLog;
let caller: Caller;
let other: Caller;
let ids: string[];
beforeAll(async () => {
  store = await newStore();
  log = openLog(store);
  ({ caller, other, ids } = await fill(store, 300));
  await store.closeDay('2026-01-17');
});
afterAll(() => store.close());

const check = () => fsck(store.database, models, { onProgress: () => undefined, signer: log.keys });

/** The same value with the members of its objects in the reverse order. */
function reversed<T>(value: T): T;
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test('rows do not depend on the order in which the members of an entry came', async () => {
  const fromEntries = projections.filter(({ name }) => models.some((model) => model.name === name && model.projection));
  const backwards: Projection[] = fromEntries.map((projection) => ({
    ...projection,
    fold: {
      ...projection.fold,
      apply: (tx, recorded) =>
        projection.fold.apply(
          tx,
          recorded.map((one) => ({ ...one, entry: reversed(one.entry) })),
        ),
    },
  }));
  const { found, lines } = collectFaults();
  const build = buildTogether(store.database, backwards, { schema: 'check_order', leftOut: null }, () => undefined);
  await comparing(build, (copy) =>
    compareTables(
      copy,
      fromEntries.flatMap(({ tables }) => tables),
      found,
    ),
  );
  expect(lines()).toBeNull();
});

test('a store in which days of the market have closed is sound', async () => {
  const [row] = await store.sql<{ n: number }>('select count(*) as n from closes');
  expect(row?.n).toBe(3);
  expect((await check()).faults).toBeNull();
});

interface Damage {
  readonly tables: readonly string[];
  readonly sql: () => string;
  readonly named: () => RegExp;
}

const w = () => caller.workspaceId;
const receiptOf = (id = '') => `(select receipt_id from memories where id = '${id}')`;

/** Each is of another kind. */
const damages: Readonly<Record<string, Damage>> = {
  'an altered entry': {
    tables: ['entries'],
    sql: () =>
      `update entries set bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 1) where chain = '${w()}' and seq = 7`,
    named: () => new RegExp(`entry 7 of workspace ${w()}: its bytes do not hash`),
  },
  'a missing entry': {
    tables: ['entries'],
    sql: () => `delete from entries where chain = '${other.workspaceId}' and seq = 4`,
    named: () => new RegExp(`entry 4 of workspace ${other.workspaceId} is missing`),
  },
  'an altered tile': {
    tables: ['tiles'],
    sql: () => 'update tiles set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1)',
    named: () => /tile 0 of level 1 of the tree of workspace .* has another hash at 0/,
  },
  'an altered head': {
    tables: ['log_leaves'],
    sql: () => `update log_leaves set leaf = leaf || ' ' where index = (
      select max(index) from log_leaves where workspace_id = '${w()}')`,
    named: () => /a head of workspace .* cannot be read: JSON that is not in canonical form/,
  },
  'an altered checkpoint': {
    tables: ['checkpoints'],
    sql: () => 'update checkpoints set root = set_byte(root, 5, get_byte(root, 5) # 1)',
    named: () => /The checkpoint of \d+ leaves in the table checkpoints has a note with another root/,
  },
  'an altered text': {
    tables: ['vault'],
    sql: () => `update vault set metadata = 'x' where receipt_id = ${receiptOf(ids[9])}`,
    named: () => /The row rcp_\w+ of the table vault .* does not open the commitment to its metadata/,
  },
  'a lost text': {
    tables: ['vault'],
    sql: () => `delete from vault where receipt_id = ${receiptOf(ids[10])}`,
    named: () => new RegExp(`content lost: memory ${ids[10]}`),
  },
  'a changed row of a read model': {
    tables: ['closes'],
    sql: () => `update closes set receipts = receipts + 1 where day = '2026-01-16'`,
    named: () => /The row with day 2026-01-16 of the table closes differs/,
  },
  'a second job': {
    tables: ['jobs'],
    sql: () =>
      `insert into jobs select (jsonb_populate_record(j, '{"job_id": "00000000-0000-4000-8000-000000000000"}')).*
         from jobs j where memory_id = '${ids[11]}'`,
    named: () => new RegExp(`The memory ${ids[11]} of the table memories has 2 jobs`),
  },
  'a missing document': {
    tables: ['search_documents'],
    sql: () => `delete from search_documents where memory_id = '${ids[12]}'`,
    named: () => new RegExp(`memory_id ${ids[12]} of the table search_documents is missing`),
  },
};

async function faultsAfter(done: readonly Damage[]): Promise<string> {
  const tables = [...new Set(done.flatMap(({ tables }) => tables))];
  for (const table of tables) await store.sql(`create table saved_${table} as select * from ${table}`);
  try {
    for (const { sql } of done) await store.sql(sql());
    return (await check()).faults ?? '';
  } finally {
    for (const table of tables.toReversed()) await store.sql(`delete from ${table}`);
    for (const table of tables) {
      await store.sql(`insert into ${table} select * from saved_${table}`);
      await store.sql(`drop table saved_${table}`);
    }
  }
}

test('faults of all kinds at once are all named', async () => {
  const faults = await faultsAfter(Object.values(damages));
  for (const [name, { named }] of Object.entries(damages)) expect.soft(faults, name).toMatch(named());
  expect(faults).not.toContain('could not be finished');
  expect((await check()).faults).toBeNull();
});

test('of each kind the first 100 are named, and that there are more', async () => {
  const all = { tables: ['receipts'], sql: () => 'update receipts set recorded_at = now()', named: () => /receipts/ };
  const lines = (await faultsAfter([all])).split('\n');
  expect(lines.filter((line) => line.includes('of the table receipts'))).toHaveLength(namedFaults);
  expect(lines.at(-1)).toBe('More faults were found in: receipts. The first 100 are named.');
});
