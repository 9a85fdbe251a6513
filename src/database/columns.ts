import { binaryArray, typeNumbers } from '../base/binary-array.js';
import type { Transaction } from './database.js';

/** A column of the rows that one statement inserts. */
export interface Column<Row> {
  readonly name: string;
  /** The type of a value as it is sent, and SQL of the type of the column where that is another one. */
  readonly type: keyof typeof typeNumbers;
  readonly as?: string;
  /** The value of a row in its binary form. */
  readonly of: (row: Row) => Uint8Array | null;
}

/** Without a value there is none in the column. */
type Of<Row, Value> = (row: Row) => Value | null | undefined;

/** How a value of one type is sent, as the receive function of the type reads it. */
const sentAs =
  <Value>(type: Column<never>['type'], encode: (value: Value) => Uint8Array) =>
  <Row>(name: string, of: Of<Row, Value>, as?: string): Column<Row> => ({
    name,
    type,
    ...(as !== undefined && { as }),
    of(row) {
      const value = of(row);
      return value === null || value === undefined ? null : encode(value);
    },
  });

function int8(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

/** PostgreSQL counts microseconds since this moment. */
const firstMs = Date.UTC(2000, 0, 1);

export const text = sentAs('text', (value: string) => Buffer.from(value, 'utf8'));
export const bytea = sentAs('bytea', (value: Uint8Array) => value);
/** Of an integer that a JavaScript number holds exactly. */
export const bigint = sentAs('bigint', (value: number) => int8(BigInt(value)));
export const boolean = sentAs('boolean', (value: boolean) => Uint8Array.of(Number(value)));
export const uuid = sentAs('uuid', (value: string) => Buffer.from(value.replaceAll('-', ''), 'hex'));
/** Of a time in milliseconds, as ISO 8601 writes it. */
export const timestamptz = sentAs('timestamptz', (value: string) => int8(BigInt(Date.parse(value) - firstMs) * 1000n));

/**
 * Inserts rows by one list for each column, in binary form. As JSON, which the database has to parse, whose bytes are hexadecimal and
 * whose values are texts, the rows of 400 entries of 900 bytes took 85 µs each on the embedded database and 40 on PostgreSQL instead of 31
 * and 19.
 */
export function inserting<Row>(table: string, columns: readonly Column<Row>[]) {
  const lists = columns.map(({ type }, at) => `(select $${at + 1}::${type}[])`);
  const values = columns.map(({ as }, at) => (as === undefined ? `c${at}` : `c${at}::${as}`));
  const sql = `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')} from unnest(${lists.join(', ')}) r(${columns.map((_, at) => `c${at}`).join(', ')})`;
  return async (tx: Transaction, rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return;
    await tx.write(
      sql,
      columns.map(({ type, of }) => binaryArray(typeNumbers[type], rows.map(of))),
    );
  };
}
