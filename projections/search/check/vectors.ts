import { hash as digest } from 'node:crypto';
import type { Row, Transaction } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import { type Encoded, spaceKey } from '../encoded.js';

/** SQL of the bytes of a row of the table: all columns but the memory's id. */
const rowBytes = `int8send(v.space) || int8send(v.seq) || int4send(v.ordinal) || vector_send(v.embedding)`;

/** SQL of the digest of the vectors of the document `d`. */
export const digestOfRows = `(select encode(sha256(coalesce(string_agg(${rowBytes}, ''::bytea
    order by v.ordinal, v.space, v.seq), '')), 'hex') from search_vectors v where v.memory_id = d.memory_id)`;

interface ExpectedRow {
  readonly space: string;
  readonly seq: number;
  readonly ordinal: number;
  readonly bytes: Buffer;
}

/** The same digest of the vectors that a document must have. */
export const digestOfVectors = (document: Encoded, seq: number): string =>
  digest('sha256', Buffer.concat(expectedRows(document, seq).map(({ bytes }) => bytes)), 'hex');

const expectedRows = ({ namespaceId, vectors }: Encoded, seq: number): ExpectedRow[] =>
  vectors.map(({ key: model, ordinal, vector }) => {
    const space = spaceKey(namespaceId, model);
    const key = Buffer.alloc(20);
    key.writeBigInt64BE(BigInt(space), 0);
    key.writeBigInt64BE(BigInt(seq), 8);
    key.writeInt32BE(ordinal, 16);
    return { space, seq, ordinal, bytes: Buffer.concat([key, vectorBytes(vector)]) };
  });

/** As pgvector sends one: the number of dimensions in 16 bits, 16 bits that are not used, and each component as a float4. */
function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  bytes.writeUInt16BE(0, 2);
  for (const [i, component] of vector.entries()) bytes.writeFloatBE(component, 4 + 4 * i);
  return bytes;
}

interface VectorRow extends Row {
  space: string;
  seq: number;
  ordinal: number;
  hash: string;
}

/** Compares row by row. A document that was removed or moved after the page was read is not a fault. */
export async function vectorFaults(tx: Transaction, document: Encoded, seq: number): Promise<string[]> {
  const { memoryId, namespaceId } = document;
  const rows = await tx.query<VectorRow>(
    `select v.space::text, v.seq, v.ordinal, encode(sha256(${rowBytes}), 'hex') as hash
       from search_documents d left join search_vectors v using (memory_id)
      where d.memory_id = $1 and d.namespace_id = $2 and d.model <> '' order by v.ordinal, v.space, v.seq`,
    [memoryId, namespaceId],
  );
  if (rows.length === 0) return [];
  const nameOf = ({ space, seq, ordinal }: Pick<VectorRow, 'space' | 'seq' | 'ordinal'>) => ({ space, seq, ordinal });
  const keyOf = (row: Pick<VectorRow, 'space' | 'seq' | 'ordinal'>) => JSON.stringify(nameOf(row));
  const stored = new Map(rows.filter(({ hash }) => hash !== null).map((row) => [keyOf(row), row]));
  const faults: string[] = [];
  for (const row of expectedRows(document, seq)) {
    const held = stored.get(keyOf(row));
    if (!held) faults.push(rowFault('search_vectors', nameOf(row), 'missing'));
    else if (held.hash !== digest('sha256', row.bytes, 'hex'))
      faults.push(rowFault('search_vectors', nameOf(row), 'different'));
    stored.delete(keyOf(row));
  }
  return [...faults, ...[...stored.values()].map((row) => rowFault('search_vectors', nameOf(row), 'orphan'))];
}
