import { binaryArray, binaryFloats, typeNumbers } from '../../src/base/binary-array.js';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import {
  codeBits,
  codeDimensions,
  codeWidth,
  mergedEntries,
  modelKey,
  offsetBytes,
  type Removed,
  removeEntries,
  spaceOf,
} from './blocks.js';

export interface VectorDocument {
  readonly memoryId: string;
  readonly model: string;
  readonly chunks: readonly { readonly ordinal: number; readonly vector: Float32Array }[];
}

/**
 * Adds the vectors of documents that are in the index. The documents may already have vectors of another model. The caller must hold
 * the locks of the namespaces (`addDocuments` or `lockNamespaces`).
 */
export async function addVectors(tx: Transaction, docs: readonly VectorDocument[]): Promise<void> {
  const chunks = docs.flatMap(storedChunks);
  await Promise.all([insertVectors(tx, chunks), insertCodes(tx, chunks)]);
}

/** A vector as it is stored. */
export interface StoredVector {
  readonly ordinal: number;
  /** The model with the number of components: see `modelKey`. */
  readonly key: string;
  readonly vector: Float32Array;
  /** The code by which searches by vectors find it. */
  readonly code: Buffer;
}

interface StoredChunk extends StoredVector {
  readonly memoryId: string;
}

/** The vectors of a document in their stored form, one after the other. Those that have no direction are left out. */
export function* storedVectors({
  model,
  chunks,
}: Pick<VectorDocument, 'model' | 'chunks'>): Generator<StoredVector, void> {
  for (const { ordinal, vector } of chunks) {
    if (!hasDirection(vector)) continue;
    // Codes are computed from these integers too, so that computing them again from the stored vectors gives the same.
    const integers = integerVector(vector);
    yield { ordinal, key: modelKey(model, vector.length), vector: integers, code: codeOf(integers) };
  }
}

const storedChunks = (doc: VectorDocument): StoredChunk[] =>
  Array.from(storedVectors(doc), (vector) => ({ memoryId: doc.memoryId, ...vector }));

/**
 * The vectors go as one list of all their components, in the form that the database keeps them in. A list of vectors would need the
 * number of their type, which each database has another of; as text, PGlite needs 40 µs to read one of 256 components.
 */
export async function insertVectors(tx: Transaction, chunks: readonly StoredChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  await tx.write(
    `insert into search_vectors (space, seq, ordinal, memory_id, embedding)
     select ${spaceOf('c.model', 'd.namespace_id')}, d.seq, c.ordinal, c.id, ${vectorAt('$4', 'c')}
       from unnest((select $1::uuid[]), (select $2::text[]), (select $3::integer[]), (select $5::integer[]), (select $6::integer[]))
              c(id, model, ordinal, first, last)
       join search_documents d on d.memory_id = c.id`,
    [
      chunks.map((chunk) => chunk.memoryId),
      chunks.map((chunk) => chunk.key),
      chunks.map((chunk) => chunk.ordinal),
      ...componentParams(chunks),
    ],
  );
}

/** SQL of a vector among the components of several, where the row says which they are. The parameters are `componentParams`. */
export const vectorAt = (components: string, row: string): string =>
  `((${components}::float4[])[${row}.first:${row}.last])::vector`;

/** The components of all vectors, and for each the numbers of its first and last one. */
export function componentParams(vectors: readonly Pick<StoredVector, 'vector'>[]) {
  let end = 0;
  const [first, last]: [number[], number[]] = [[], []];
  for (const { vector } of vectors) {
    first.push(end + 1);
    end += vector.length;
    last.push(end);
  }
  return [
    binaryFloats(
      vectors.map(({ vector }) => vector),
      end,
    ),
    first,
    last,
  ] as const;
}

/** The code of a chunk, with the memory that it is a part of. */
export type CodedChunk = Pick<StoredChunk, 'memoryId' | 'key' | 'code'>;

export const codesOf = (chunks: readonly StoredChunk[]): CodedChunk[] =>
  chunks.map(({ memoryId, key, code }) => ({ memoryId, key, code }));

/** The number of chunks that are converted before other requests are served: 10 ms at 256 components. */
const chunksPerBatch = 64;

/** The chunks of a large document in their stored form, a few at a time. */
export async function* storedInBatches({ chunks, ...doc }: VectorDocument): AsyncGenerator<StoredChunk[]> {
  for (let at = 0; at < chunks.length; at += chunksPerBatch) {
    yield storedChunks({ ...doc, chunks: chunks.slice(at, at + chunksPerBatch) });
    await yieldToOthers();
  }
}

export async function insertCodes(tx: Transaction, chunks: readonly CodedChunk[]): Promise<void> {
  for (const width of new Set(chunks.map(({ code }) => offsetBytes + code.length))) {
    const same = chunks.filter(({ code }) => offsetBytes + code.length === width);
    await tx.write(
      `insert into search_codes as p (space, block, entries)
       select space, block, string_agg(entry, ''::bytea order by entry)
         from (select ${spaceOf('c.model', 'd.namespace_id')}, d.seq >> ${codeBits},
                      substr(int2send((d.seq & ${2 ** codeBits - 1})::smallint), 2) || c.code
                 from unnest((select $1::uuid[]), (select $2::text[]), (select $3::bytea[])) c(id, model, code)
                 join search_documents d on d.memory_id = c.id) e(space, block, entry)
        group by 1, 2 order by 1, 2
       on conflict (space, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', width)}`,
      [
        same.map((chunk) => chunk.memoryId),
        same.map((chunk) => chunk.key),
        binaryArray(
          typeNumbers.bytea,
          same.map((chunk) => chunk.code),
        ),
      ],
    );
  }
}

/** Removes the vectors of these memories. The caller must hold the locks of the namespaces. */
export async function removeVectors(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await removeCodes(tx, memoryIds);
  await tx.query('delete from search_vectors where memory_id = any((select $1::uuid[])::uuid[])', [memoryIds]);
}

/** The number of vectors that one step removes at most. */
const removedPerStep = 200;

/** Removes some vectors of a memory that no longer has codes. @returns whether there may be more */
export async function removeSomeVectors(tx: Transaction, memoryId: string): Promise<boolean> {
  const removed = await tx.query(
    `delete from search_vectors where (space, seq, ordinal) in
       (select space, seq, ordinal from search_vectors where memory_id = $1 limit ${removedPerStep}) returning 1`,
    [memoryId],
  );
  return removed.length === removedPerStep;
}

/**
 * Removes the codes of these memories. They are found through the vectors, so these must still be stored. The caller must hold
 * the locks of the namespaces.
 */
export async function removeCodes(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const gone = await tx.query<Removed>(
    `select d.space::text as key, d.seq >> ${codeBits} as block,
            ${offsetBytes} + (least(min(vector_dims(one.embedding)), ${codeDimensions}) + 1) / 2 as width,
            array_agg((d.seq & ${2 ** codeBits - 1})::integer) as offsets
       from (select distinct space, seq from search_vectors where memory_id = any((select $1::uuid[])::uuid[])) d
      cross join lateral (select embedding from search_vectors v where v.space = d.space and v.seq = d.seq limit 1) one
      group by 1, 2 order by 1, 2`,
    [memoryIds],
  );
  await removeEntries(tx, { name: 'search_codes', key: 'space' }, gone);
}

/**
 * Converts a vector to integers of at most 24 bits, which a float4 holds exactly. The cosine does not depend on the scale. The
 * rounding error is about that of a float4 of the size of the largest component.
 */
function integerVector(vector: Float32Array): Float32Array {
  const largest = largestOf(vector);
  const integers = new Float32Array(vector.length);
  // An integer has no negative zero.
  for (let i = 0; i < vector.length; i += 1) integers[i] = Math.round(((vector[i] ?? 0) / largest) * 8_388_607) + 0;
  return integers;
}

export const integersOf = (vector: Float32Array): number[] => Array.from(integerVector(vector));

/** The largest absolute value of a component. */
function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  return largest;
}

/** A vector of zeros, or with a component that is not a finite number, has no direction and no cosine with any vector. */
export function hasDirection(vector: Float32Array): boolean {
  let isZero = true;
  for (let i = 0; i < vector.length; i += 1) {
    const component = vector[i] ?? 0;
    if (!Number.isFinite(component)) return false;
    if (component !== 0) isZero = false;
  }
  return !isZero;
}

/**
 * Rounds each component to one of 15 levels from −7 to 7. A step between levels is 0.64 of the quadratic mean of
 * the components, or larger if the largest component would not fit otherwise. The vector of a text of one word has few
 * components that are not zero, and cutting these off would change the cosine by 0.2.
 *
 * Measured with the built-in embedder on 2,760 messages: the best 100 by these codes hold 99.9% of the nearest 10, and 99.3%
 * of the nearest 50. Codes of the signs only, which have a quarter of the size, hold 18% and 12%, because its vectors have too
 * many zeros.
 */
export function levelsOf(vector: Float32Array): Int8Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  const step = Math.max(0.64 * Math.sqrt(squares / vector.length), largestOf(vector) / 7);
  const levels = new Int8Array(Math.min(vector.length, codeDimensions));
  for (let i = 0; i < levels.length; i += 1) {
    levels[i] = Math.max(-7, Math.min(7, Math.round((vector[i] ?? 0) / step)));
  }
  return levels;
}

/** The levels in four bits each, as the index of the database stores them: 8 means zero. */
export function codeOf(vector: Float32Array): Buffer {
  const levels = levelsOf(vector);
  const code = Buffer.alloc(codeWidth(vector.length) - offsetBytes);
  for (let i = 0; i < levels.length; i += 1) {
    code[i >> 1] = (code[i >> 1] ?? 0) | ((8 + (levels[i] ?? 0)) << (4 * (i & 1)));
  }
  return code;
}
