import { hash as digest } from 'node:crypto';
import { endianness } from 'node:os';
import type { Database, Row, Transaction } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import { codeBits, codeWidth, modelKey, spaceOf } from '../blocks.js';
import { codeOf, storedChunks } from '../vector-index.js';
import type { BlockRange, Code, Embedder, VectorCheck } from './parts.js';

/** SQL of the bytes of a row of the table: all columns but the memory's id. */
const rowBytes = `int8send(v.space) || int8send(v.seq) || int4send(v.ordinal) || vector_send(v.embedding)`;

const digestOfRows = `(select encode(sha256(coalesce(string_agg(${rowBytes}, ''::bytea
    order by v.ordinal, v.space, v.seq), '')), 'hex') from search_vectors v where v.memory_id = d.memory_id)`;

interface ExpectedRow {
  readonly space: string;
  readonly seq: number;
  readonly ordinal: number;
  readonly bytes: Buffer;
}

/** Embeds the texts of a range again, and compares the results with the stored vectors. */
export function vectorCheck(database: Database, embedder: Embedder, { namespaceId }: BlockRange): VectorCheck {
  const ofMemories = new Map<string, readonly Code[]>();
  const spaces = new Map<number, string>();

  async function spaceOfDimensions(dimensions: number): Promise<string> {
    const known = spaces.get(dimensions);
    if (known !== undefined) return known;
    const [row] = await database.read((tx) =>
      tx.query<{ space: string }>(`select ${spaceOf('$1::text', '$2::uuid')}::text as space`, [
        modelKey(embedder.model, dimensions),
        namespaceId,
      ]),
    );
    if (!row) throw new Error('the database gave no space');
    spaces.set(dimensions, row.space);
    return row.space;
  }

  return {
    digest: digestOfRows,
    async check(page, prepared, found) {
      const vectors = await embedder.documents(prepared.flatMap(({ chunks }) => chunks.map(({ text }) => text)));
      let next = 0;
      for (const [i, { memoryId, seq, vectors: stored }] of page.entries()) {
        const chunks = (prepared[i]?.chunks ?? []).map(({ ordinal }) => ({
          ordinal,
          vector: vectors[next++] ?? new Float32Array(),
        }));
        const chunksToStore = storedChunks([{ memoryId, model: embedder.model, chunks }]);
        const expected: ExpectedRow[] = [];
        const codes: Code[] = [];
        for (const { ordinal, vector } of chunksToStore) {
          const space = await spaceOfDimensions(vector.length);
          expected.push({ space, seq, ordinal, bytes: bytesOf(space, seq, ordinal, vector) });
          codes.push({ space, entry: entryOf(seq, vector) });
        }
        if (digest('sha256', Buffer.concat(expected.map(({ bytes }) => bytes)), 'hex') !== stored) {
          const faults = await database.read((tx) => differingRows(tx, namespaceId, memoryId, expected));
          for (const fault of faults) found('search_vectors', fault);
        }
        ofMemories.set(memoryId, codes);
      }
    },
    codes: () => ({ spaces: [...spaces.values()], ofMemories }),
  };
}

/** The same bytes as PostgreSQL sends. A vector is its dimensions in two bytes, two unused bytes, and float4 components. */
function bytesOf(space: string, seq: number, ordinal: number, vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeBigInt64BE(BigInt(space), 0);
  bytes.writeBigInt64BE(BigInt(seq), 8);
  bytes.writeInt32BE(ordinal, 16);
  bytes.writeInt16BE(vector.length, 20);
  // Vectors are converted to integers before they are stored, and integers have no negative zero.
  const components = new Float32Array(vector.length);
  for (let i = 0; i < components.length; i += 1) components[i] = (vector[i] ?? 0) + 0;
  const swapped = Buffer.from(components.buffer);
  return Buffer.concat([bytes, endianness() === 'LE' ? swapped.swap32() : swapped]);
}

function entryOf(seq: number, vector: Float32Array): Buffer {
  const entry = Buffer.alloc(codeWidth(vector.length));
  entry.writeUInt16BE(seq % 2 ** codeBits, 0);
  entry.set(codeOf(vector), 2);
  return entry;
}

interface VectorRow extends Row {
  space: string;
  seq: number;
  ordinal: number;
  hash: string;
}

/** Compares row by row. A document that was removed or moved after the page was read is not a fault. */
async function differingRows(
  tx: Transaction,
  namespaceId: string,
  memoryId: string,
  expected: readonly ExpectedRow[],
): Promise<string[]> {
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
  for (const row of expected) {
    const held = stored.get(keyOf(row));
    if (!held) faults.push(rowFault('search_vectors', nameOf(row), 'missing'));
    else if (held.hash !== digest('sha256', row.bytes, 'hex'))
      faults.push(rowFault('search_vectors', nameOf(row), 'different'));
    stored.delete(keyOf(row));
  }
  return [...faults, ...[...stored.values()].map((row) => rowFault('search_vectors', nameOf(row), 'orphan'))];
}
