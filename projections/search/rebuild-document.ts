import { slices } from '../../src/base/steps.js';
import { modelKey } from './blocks.js';
import type { SearchDocument } from './index.js';
import type { Lexeme, Lexicon, Read, Vocabulary, Worded } from './rebuild-words.js';
import { codeOf, storedChunks } from './vector-index.js';

/** A document as the index stores it, made without the database, so that it only has to write it. */
export interface Encoded {
  readonly document: SearchDocument;
  readonly vocabulary: Vocabulary;
  /** The words of each part, in the form that PostgreSQL receives a tsvector in. */
  readonly parts: readonly Buffer[];
  readonly counts: ReadonlyMap<Lexeme, number>;
  readonly length: number;
  readonly vectors: readonly EncodedVector[];
}

interface EncodedVector {
  readonly ordinal: number;
  readonly space: string;
  /** In the form that pgvector receives a vector in. */
  readonly bytes: Buffer;
  readonly code: Buffer;
}

/** Makes the rows of documents, and yields to other work of the thread between their parts. */
export async function encodedDocuments(
  lexicon: Lexicon,
  read: Read,
  documents: readonly SearchDocument[],
): Promise<Encoded[]> {
  const models = documents.flatMap(({ model, chunks }) => chunks.map(({ vector }) => modelKey(model, vector.length)));
  const next = slices();
  const made: Encoded[] = [];
  for (const one of await lexicon.worded(read, documents, [...new Set(models)])) made.push(await encoded(one, next));
  return made;
}

async function encoded({ document, lexemes, vocabulary }: Worded, next: () => Promise<void>): Promise<Encoded> {
  const counts = new Map<Lexeme, number>();
  const parts: Buffer[] = [];
  let length = 0;
  for (const [part, { positions }] of document.parts.entries()) {
    const words = wordsOf(lexemes[part] ?? [], positions);
    for (const [lexeme, positions] of words) {
      counts.set(lexeme, (counts.get(lexeme) ?? 0) + positions.length);
      for (const position of positions) length += position >> weightShift === 0 ? 0 : 1;
    }
    await next();
    parts.push(tsvector(words));
    await next();
  }
  const vectors: EncodedVector[] = [];
  for (const { ordinal, key, vector } of storedChunks([document])) {
    const space = vocabulary.space(key);
    vectors.push({ ordinal, space, bytes: vectorBytes(vector), code: codeOf(vector) });
    await next();
  }
  return { document, vocabulary, parts, counts, length, vectors };
}

/** A position has its weight in the two bits above its number: D is 0, A is 3. */
const weightShift = 14;
/** A tsvector has at most this number of positions of a lexeme. */
const mostPositions = 256;

/** The lexemes of a part with their positions. Several tokens may have one lexeme: `berth` and `berths`. */
function wordsOf(lexemes: readonly (Lexeme | null)[], positions: readonly string[]): Map<Lexeme, readonly number[]> {
  const words = new Map<Lexeme, readonly number[]>();
  for (const [i, lexeme] of lexemes.entries()) {
    if (lexeme === null) continue;
    const own = positionsOf(positions[i] ?? '');
    const others = words.get(lexeme);
    // A token may be twice at one place: `≈0a` is the form of the word `0à` and of the whole.
    words.set(lexeme, others || own.length > 1 ? merged([...(others ?? []), ...own]) : own);
  }
  return words;
}

/** The positions of a token, which are written in the syntax of a tsvector. */
const positionsOf = (text: string): number[] =>
  text.includes(',') ? text.split(',').map(positionOf) : [positionOf(text)];

function positionOf(text: string): number {
  const weight = text.endsWith('A') ? 3 : text.endsWith('B') ? 2 : 0;
  return Number.parseInt(text, 10) | (weight << weightShift);
}

const numberOf = (position: number): number => position & (2 ** weightShift - 1);

/** In their order, each number once with its greatest weight, as PostgreSQL keeps them. */
function merged(positions: number[]): number[] {
  positions.sort((a, b) => numberOf(a) - numberOf(b) || b - a);
  return positions
    .filter((position, i) => i === 0 || numberOf(position) !== numberOf(positions[i - 1] ?? 0))
    .slice(0, mostPositions);
}

/**
 * The number of lexemes in 32 bits; then of each its bytes, a zero, the number of its positions in 16 bits, and these in 16 bits each.
 * They are sorted as PostgreSQL sorts them, so that the same words are the same bytes on the disk.
 */
function tsvector(words: ReadonlyMap<Lexeme, readonly number[]>): Buffer {
  const sorted = [...words].sort(([a], [b]) => (a.bytes < b.bytes ? -1 : 1));
  const bytes = Buffer.allocUnsafe(
    sorted.reduce((sum, [lexeme, list]) => sum + lexeme.bytes.length + 3 + 2 * list.length, 4),
  );
  let at = bytes.writeInt32BE(sorted.length, 0);
  for (const [lexeme, positions] of sorted) {
    for (let i = 0; i < lexeme.bytes.length; i += 1) bytes[at++] = lexeme.bytes.charCodeAt(i);
    at = bytes.writeUInt8(0, at);
    at = bytes.writeUInt16BE(positions.length, at);
    for (const position of positions) at = bytes.writeUInt16BE(position, at);
  }
  return bytes;
}

/** The number of dimensions in 16 bits, 16 bits that are not used, and each component as a float4. */
function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  bytes.writeUInt16BE(0, 2);
  // Vectors are stored from integers elsewhere, and integers have no negative zero.
  for (let i = 0; i < vector.length; i += 1) bytes.writeFloatBE((vector[i] ?? 0) + 0, 4 + 4 * i);
  return bytes;
}
