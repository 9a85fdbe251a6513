import { anyChain } from '../../projections/log/queries.js';
import type { Database, Row, Transaction } from '../database/database.js';
import { appliedMigrations } from '../database/migrate.js';
import { endCopy, isUnfinishedCopy, unfinishedCopy } from '../database/unfinished-copy.js';
import { holdReadersAndAppends } from '../ledger/entries.js';
import type { OnProgress } from './rebuilt-copy.js';

/** Tables that are not copied, because they hold the state of processes, or rows that the target has written itself. */
const notCopied = [
  'migrations',
  'projections',
  'leases',
  'role_holders',
  'operation_jobs',
  'rate_limits',
  'durability',
  unfinishedCopy,
];

/** The number of rows in memory at a time. Each may have a content of 1 MiB, which takes twice that space during transfer. */
const batchRows = 200;

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The target cannot take the store, or the source cannot be copied; the message says what to do. */
class CannotCopy extends Error {
  override name = 'CannotCopy';
}

/**
 * Makes sure that a store can be copied into this database. It may have the empty tables of an earlier attempt that failed.
 * @throws CannotCopy when the database is not empty
 */
export async function requireEmpty(database: Database): Promise<void> {
  await database.read(async (tx) => {
    const tables = (await tablesOf(tx)).map(({ name }) => name);
    if (tables.length === 0) return;
    if (await isUnfinishedCopy(tx)) return;
    if (!tables.includes('migrations') || !tables.includes('chains')) {
      throw new CannotCopy(`The database is not empty: it has a table ${tables[0]}. Give one that has nothing in it.`);
    }
    if (await anyChain(tx))
      throw new CannotCopy('The database holds a store already. Give one that has nothing in it.');
  });
}

/**
 * Copies every row of a store into the empty tables of another one. No other process may use the source meanwhile. The copy is
 * one transaction of the target: if it fails at any point, the target is still empty, and a service that starts on the target
 * meanwhile waits.
 * @returns the number of rows
 * @throws CannotCopy
 */
export async function copyStore(from: Database, to: Database, onProgress: OnProgress): Promise<number> {
  return from.read((source) => to.transaction((target) => copyAll(source, target, onProgress)));
}

async function copyAll(source: Transaction, target: Transaction, onProgress: OnProgress): Promise<number> {
  await holdReadersAndAppends(target);
  await requireSameVersion(source, target);
  const tables = await inOrder(target, await tablesOf(target));
  const counts = new Map<string, number>();
  for (const { name } of tables) counts.set(name, await rowsOf(source, name));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let done = 0;
  onProgress(done, total);
  await endCopy(target);
  for (const table of tables) {
    if ((await rowsOf(target, table.name)) > 0) {
      throw new CannotCopy(`The table ${table.name} of the database is not empty. Give one that has nothing in it.`);
    }
    await copyTable(source, target, table, (rows) => {
      done += rows;
      onProgress(done, total);
    });
    await continueNumbers(target, table.name);
    const arrived = await rowsOf(target, table.name);
    if (arrived !== counts.get(table.name)) {
      throw new Error(`of ${counts.get(table.name)} rows of the table ${table.name} only ${arrived} have arrived`);
    }
  }
  return done;
}

/** Values are copied as text: both drivers write any value as text from which the other driver reads exactly the same value. */
async function copyTable(
  source: Transaction,
  target: Transaction,
  { name, columns }: Table,
  onRows: (count: number) => void,
): Promise<void> {
  const read = columns.map((column, i) => `${column.name}::text as c${i}`).join(', ');
  const names = columns.map((column) => column.name).join(', ');
  const typed = columns.map((column, i) => `c${i}::${column.type}`).join(', ');
  const given = columns.map((_, i) => `$${i + 1}::text[]`).join(', ');
  const called = columns.map((_, i) => `c${i}`).join(', ');
  const write = `insert into ${name} (${names}) select ${typed} from unnest(${given}) as one(${called})`;
  await source.query(`declare of_table no scroll cursor for select ${read} from ${name}`);
  for (;;) {
    const rows = await source.query<Record<string, string | null>>(`fetch ${batchRows} from of_table`);
    if (rows.length === 0) break;
    await target.query(
      write,
      columns.map((_, i) => rows.map((row) => row[`c${i}`] ?? null)),
    );
    onRows(rows.length);
  }
  await source.query('close of_table');
}

/** Rows that are added later get numbers after those of the copied ones, where the database numbers the rows of a table. */
async function continueNumbers(target: Transaction, table: string): Promise<void> {
  const numbered = await target.query<{ name: string; quoted: string }>(
    `select attname as name, quote_ident(attname) as quoted from pg_attribute
      where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  );
  for (const { name, quoted } of numbered) {
    await target.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted})) from ${table} having max(${quoted}) is not null`,
      [table, name],
    );
  }
}

/** The rows of a store fit only into tables of the same version. */
async function requireSameVersion(source: Transaction, target: Transaction): Promise<void> {
  const version = async (tx: Transaction) => {
    const tables = (await tablesOf(tx)).map(({ name }) => name);
    if (!tables.includes('migrations') || !tables.includes('projections')) return null;
    return JSON.stringify([
      await appliedMigrations(tx),
      await tx.query('select name, version from projections order by name'),
      (await tablesOf(tx)).filter(isCopied),
    ]);
  };
  if ((await version(source)) === (await version(target))) return;
  throw new CannotCopy(
    'The store was last used by another version. Start this version on it once, stop it, and migrate it then.',
  );
}

const isCopied = ({ name }: Table): boolean => !notCopied.includes(name);

async function tablesOf(tx: Transaction): Promise<Table[]> {
  const rows = await tx.query<{ name: string; columns: string }>(
    `select c.relname as name,
            (select json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
                             order by a.attnum)
               from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by c.relname collate "C"`,
  );
  return rows.map(({ name, columns }) => ({ name, columns: JSON.parse(columns ?? '[]') }));
}

/** Orders tables so that a table comes after the tables that it refers to. */
async function inOrder(tx: Transaction, all: readonly Table[]): Promise<Table[]> {
  const links = await tx.query<{ of: string; to: string }>(
    `select c.relname as of, r.relname as to from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and k.conrelid <> k.confrelid and c.relnamespace = current_schema()::regnamespace`,
  );
  const left = all.filter(isCopied);
  const ordered: Table[] = [];
  while (left.length > 0) {
    const waits = (name: string) => links.some((link) => link.of === name && left.some((one) => one.name === link.to));
    const next = left.findIndex(({ name }) => !waits(name));
    const [table] = left.splice(Math.max(next, 0), 1);
    if (table) ordered.push(table);
  }
  return ordered;
}

async function rowsOf(tx: Transaction, table: string): Promise<number> {
  const [row] = await tx.query<Row & { rows: number }>(`select count(*) as rows from ${table}`);
  return row?.rows ?? 0;
}

/** Gathers the statistics of the new rows, which the planner needs. */
export async function analyzeStore(database: Database): Promise<void> {
  const tables = (await database.read(tablesOf)).filter(isCopied);
  for (const { name } of tables) await database.maintain(`analyze ${name}`);
}
