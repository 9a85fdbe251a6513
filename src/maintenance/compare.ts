import { rowFault } from '../../projections/row-fault.js';
import { namedFaults, type OnFault } from '../base/faults.js';
import type { Row, Transaction } from '../database/database.js';
import type { RebuiltCopy } from './rebuilt-copy.js';

/** The number of rows that one transaction compares: appends wait for one such page and not for the whole table. */
const pageRows = 5000;

interface KeyColumn {
  readonly name: string;
  readonly type: string;
}

interface DifferentRow extends Row {
  key: string[];
  served: boolean;
  rebuilt: boolean;
}

interface Compared {
  /** The last key of the page; null for the last page. */
  readonly end: readonly string[] | null;
  readonly different: readonly DifferentRow[];
}

/** Compares a rebuilt copy with the live tables, and drops the copy afterwards, even if the comparison fails. */
export async function comparing(
  build: Promise<RebuiltCopy>,
  compare: (copy: RebuiltCopy) => Promise<void>,
): Promise<void> {
  const copy = await build;
  try {
    await compare(copy);
  } finally {
    await copy.drop().catch(() => undefined);
  }
}

/** Reports each row of the tables that differs from the copy. */
export async function compareTables(copy: RebuiltCopy, tables: readonly string[], found: OnFault): Promise<void> {
  for (const table of tables) await compareTable(copy, table, found);
}

async function compareTable(copy: RebuiltCopy, table: string, found: OnFault): Promise<void> {
  let shape: Shape | undefined;
  let after: readonly string[] | null = null;
  do {
    const page: Compared | null = await copy.level(async (tx) => {
      shape ??= await shapeOf(tx, copy, table);
      return shape.missing ? null : comparePage(tx, copy, table, shape, after);
    });
    if (!shape || !page) return found(table, `The table ${table} is missing.`);
    for (const row of page.different) found(table, sentence(table, shape.key, row));
    // The last page has no end. Waiting for an empty one would follow a steady writer forever.
    after = page.end;
  } while (after !== null);
}

/** How the rows of a table are compared. */
interface Shape {
  readonly key: readonly KeyColumn[];
  /** SQL that says whether the rows l and s are identical. */
  readonly same: string;
  readonly missing: boolean;
}

async function shapeOf(tx: Transaction, copy: RebuiltCopy, table: string): Promise<Shape> {
  const [key, isServed, isSame] = await Promise.all([
    primaryKey(tx, copy.shadow, table),
    exists(tx, copy.live, table),
    sameColumns(tx, copy, table),
  ]);
  if (isServed && key.length === 0) throw new Error(`the table ${table} has no primary key to compare it by`);
  return { key, same: isSame ? `(coalesce(l *= s, false) or ${sameText})` : `(${sameText})`, missing: !isServed };
}

function sentence(table: string, key: readonly KeyColumn[], row: DifferentRow): string {
  const name = Object.fromEntries(key.map((column, i) => [column.name, row.key[i] ?? '']));
  return rowFault(table, name, row.served ? (row.rebuilt ? 'different' : 'orphan') : 'missing');
}

/** Rows are compared as text, so that values that are equal but not identical (1.0 and 1.00) differ too. */
const sameText = 'l::text is not distinct from s::text';

/**
 * Whether rows of both tables can be compared byte by byte. Then identical rows need not be converted to text, which for blocks
 * of bytes is most of the work.
 */
async function sameColumns(tx: Transaction, { live, shadow }: RebuiltCopy, table: string): Promise<boolean> {
  const [row] = await tx.query<{ same: boolean }>(
    `select (select array_agg((attname, atttypid, atttypmod)::text order by attnum) from pg_attribute
              where attrelid = to_regclass($1) and attnum > 0 and not attisdropped)
            is not distinct from
            (select array_agg((attname, atttypid, atttypmod)::text order by attnum) from pg_attribute
              where attrelid = to_regclass($2) and attnum > 0 and not attisdropped) as same`,
    [`${live}.${table}`, `${shadow}.${table}`],
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

/** Compares one page in the order of keys: up to `pageRows` rows of the copy, and all live rows in the same range of keys. */
async function comparePage(
  tx: Transaction,
  { live, shadow }: RebuiltCopy,
  table: string,
  { key, same }: Shape,
  after: readonly string[] | null,
): Promise<Compared> {
  const names = key.map(({ name }) => name).join(', ');
  const keyText = `array[${key.map(({ name }) => `${name}::text`).join(', ')}] as key`;
  const bound = (is: '>' | '<=', from: number) =>
    `(${names}) ${is} (${key.map(({ type }, i) => `$${from + i + 1}::text::${type}`).join(', ')})`;
  const behind = after ? bound('>', 0) : 'true';
  const [last] = await tx.query<{ key: string[] }>(
    `select ${keyText} from ${shadow}.${table} where ${behind} order by ${names} offset ${pageRows - 1} limit 1`,
    after ?? [],
  );
  const range = last ? `${behind} and ${bound('<=', after?.length ?? 0)}` : behind;
  const first = key[0]?.name;
  const different = await tx.query<DifferentRow>(
    `select ${keyText}, l.${first} is not null as served, s.${first} is not null as rebuilt
       from (select * from ${live}.${table} where ${range}) l
       full join (select * from ${shadow}.${table} where ${range}) s using (${names})
      where not ${same} order by ${names} limit ${namedFaults + 1}`,
    [...(after ?? []), ...(last?.key ?? [])],
  );
  return { end: last?.key ?? null, different };
}
