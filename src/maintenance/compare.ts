import type { Row, Transaction } from '../adapters/database/database.js';
import type { Aside } from './aside.js';
import { rowFault } from './row-fault.js';

/** Rows compared per transaction: appends wait for one such page, not for the whole table. */
const pageRows = 5000;

interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

interface ComparedRow extends Row {
  key: string[];
  served: boolean;
  rebuilt: boolean;
  same: boolean;
}

/** A build that is compared with what serves, and taken away afterwards, however the comparison ends. */
export async function comparing(
  build: Promise<Aside>,
  compare: (aside: Aside) => Promise<string | null>,
): Promise<string | null> {
  const aside = await build;
  try {
    return await compare(aside);
  } finally {
    await aside.drop().catch(() => undefined);
  }
}

/** @returns the first row of the tables that differs from its build, as a sentence, or null */
export async function compareTables(aside: Aside, tables: readonly string[]): Promise<string | null> {
  for (const table of tables) {
    const fault = await compareTable(aside, table);
    if (fault !== null) return fault;
  }
  return null;
}

async function compareTable(aside: Aside, table: string): Promise<string | null> {
  const { key, missing, same } = await aside.level(async (tx) => ({
    key: await primaryKey(tx, aside.side, table),
    missing: !(await exists(tx, aside.live, table)),
    same: (await sameColumns(tx, aside, table)) ? `(coalesce(l *= s, false) or ${sameText})` : sameText,
  }));
  if (missing) return `The table ${table} is missing.`;
  if (key.length === 0) throw new Error(`the table ${table} has no primary key to compare it by`);
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: ComparedRow[] = await aside.level((tx) => comparePage(tx, aside, table, { key, same }, after));
    const different = rows.find((row) => !row.same);
    if (different) return sentence(table, key, different);
    const last = rows.at(-1);
    // A page that is not full was the last. Waiting for an empty one would follow a steady writer for ever.
    if (!last || rows.length < pageRows) return null;
    after = last.key;
  }
}

function sentence(table: string, key: readonly KeyColumn[], row: ComparedRow): string {
  const name = Object.fromEntries(key.map((column, i) => [column.name, row.key[i] ?? '']));
  return rowFault(table, name, row.served ? (row.rebuilt ? 'different' : 'stray') : 'missing');
}

/** Row by row as text, so that values which are equal but not the same (1.0 and 1.00) differ too. */
const sameText = 'l::text is not distinct from s::text';

/**
 * Whether rows of the two can be compared byte by byte, which of rows that are the same says so without writing them out as
 * text; of blocks that is most of the work.
 */
async function sameColumns(tx: Transaction, { live, side }: Aside, table: string): Promise<boolean> {
  const [row] = await tx.query<{ same: boolean }>(
    `select (select array_agg((attname, atttypid, atttypmod)::text order by attnum) from pg_attribute
              where attrelid = to_regclass($1) and attnum > 0 and not attisdropped)
            is not distinct from
            (select array_agg((attname, atttypid, atttypmod)::text order by attnum) from pg_attribute
              where attrelid = to_regclass($2) and attnum > 0 and not attisdropped) as same`,
    [`${live}.${table}`, `${side}.${table}`],
  );
  return row?.same ?? false;
}

async function exists(tx: Transaction, schema: string, table: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `${schema}.${table}`,
  ]);
  return row?.found ?? false;
}

async function primaryKey(tx: Transaction, schema: string, table: string): Promise<KeyColumn[]> {
  return tx.query<{ name: string; type: string }>(
    `select quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type
       from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality k(attnum, place)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indrelid = to_regclass($1) and i.indisprimary and k.place <= i.indnkeyatts order by k.place`,
    [`${schema}.${table}`],
  );
}

/** The next rows by key of either build, joined. Both primary keys are in order, so a page reads only its own rows. */
function comparePage(
  tx: Transaction,
  { live, side }: Aside,
  table: string,
  { key, same }: { readonly key: readonly KeyColumn[]; readonly same: string },
  after: readonly string[] | null,
): Promise<ComparedRow[]> {
  const names = key.map(({ name }) => name).join(', ');
  const first = key[0]?.name;
  const values = key.map(({ type }, i) => `$${i + 1}::text::${type}`).join(', ');
  const rest = after === null ? '' : `where (${names}) > (${values})`;
  const next = (schema: string) =>
    `(select ${names} from ${schema}.${table} ${rest} order by ${names} limit ${pageRows})`;
  const on = (alias: string) => key.map(({ name }) => `${alias}.${name} = page.${name}`).join(' and ');
  return tx.query<ComparedRow>(
    `select array[${key.map(({ name }) => `page.${name}::text`).join(', ')}] as key,
            l.${first} is not null as served, s.${first} is not null as rebuilt,
            ${same} as same
       from (${next(live)} union ${next(side)} order by ${names} limit ${pageRows}) page
       left join ${live}.${table} l on ${on('l')} left join ${side}.${table} s on ${on('s')}
      order by ${key.map(({ name }) => `page.${name}`).join(', ')}`,
    [...(after ?? [])],
  );
}
