import { slices } from '../../src/base/steps.js';
import type { SearchDocument } from './document.js';
import { type Ask, type Lexemes, lexemesOf } from './lexemes.js';
import { decimal, type Hash, textHash, utf8 } from './text-hash.js';
import { type StoredVector, storedVectors } from './vector-index.js';

/** A document whose vectors are in their stored form already. */
export interface Prepared extends Omit<SearchDocument, 'chunks'> {
  readonly vectors: readonly StoredVector[];
}

/** A document as the index stores it, made without the database, so that it only has to write it. */
export interface Encoded extends Pick<Prepared, 'memoryId' | 'namespaceId' | 'model' | 'facts' | 'vectors'> {
  /** The words of each part, in the form that PostgreSQL receives a tsvector in. */
  readonly parts: readonly Buffer[];
  /** How often it has each of its lexemes, as `utf8` writes them. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The seed of the hashes of the words of a namespace: `termSeed` in SQL. */
export const seedOf = (namespaceId: string): Hash => textHash(namespaceId);

/** The key of the vectors of a model in a namespace: `spaceOf` in SQL. */
export const spaceKey = (namespaceId: string, model: string): string =>
  decimal(textHash(utf8(model), textHash(namespaceId, { high: 0, low: 1 })));

/** Makes the rows of documents, and yields to other work of the thread between their parts. */
export async function encodedDocuments(
  ask: Ask,
  documents: readonly (SearchDocument | Prepared)[],
): Promise<Encoded[]> {
  const next = slices();
  const lexemes = await lexemesOf(
    ask,
    documents.flatMap(({ textConfig, parts }) => parts.map((tokens) => ({ textConfig, tokens }))),
    next,
  );
  const made: Encoded[] = [];
  let first = 0;
  for (const one of documents) {
    made.push(await encoded(one, lexemes.slice(first, first + one.parts.length), next));
    first += one.parts.length;
  }
  return made;
}

async function encoded(
  document: SearchDocument | Prepared,
  lexemes: readonly Lexemes[],
  next: () => Promise<void>,
): Promise<Encoded> {
  const counts = new Map<string, number>();
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
  const vectors: StoredVector[] = [];
  for (const vector of 'vectors' in document ? document.vectors : storedVectors(document)) {
    vectors.push(vector);
    await next();
  }
  const { memoryId, namespaceId, model, facts } = document;
  return { memoryId, namespaceId, model, facts, vectors, parts, counts, length };
}

/** A position has its weight in the two bits above its number: D is 0, A is 3. */
const weightShift = 14;
/** A tsvector has at most this number of positions of a lexeme. */
const mostPositions = 256;

/** The lexemes of a part with their positions. Several tokens may have one lexeme: `berth` and `berths`. */
function wordsOf(lexemes: Lexemes, positions: readonly string[]): Map<string, readonly number[]> {
  const words = new Map<string, readonly number[]>();
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
function tsvector(words: ReadonlyMap<string, readonly number[]>): Buffer {
  const sorted = [...words].sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = Buffer.allocUnsafe(
    sorted.reduce((sum, [lexeme, list]) => sum + lexeme.length + 3 + 2 * list.length, 4),
  );
  let at = bytes.writeInt32BE(sorted.length, 0);
  for (const [lexeme, positions] of sorted) {
    for (let i = 0; i < lexeme.length; i += 1) bytes[at++] = lexeme.charCodeAt(i);
    at = bytes.writeUInt8(0, at);
    at = bytes.writeUInt16BE(positions.length, at);
    for (const position of positions) at = bytes.writeUInt16BE(position, at);
  }
  return bytes;
}
