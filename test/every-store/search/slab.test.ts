import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeBits, codeDimensions, codeWidth, offsetBytes } from '../../../projections/search/blocks.js';
import { codeQuery } from '../../../projections/search/code-query.js';
import { nearestRows } from '../../../projections/search/scan.js';
import { Slab, type StoredCodes } from '../../../projections/search/slab.js';

const blockSize = 2 ** codeBits;
const blocks = [0, 1, 2, 3, 7, 8, 4_000_000_000];

/** The levels of each code of each document, by block and offset: what a slab should hold. */
type Model = Map<number, Map<number, number[][]>>;

interface Change {
  readonly block: number;
  /** How many documents the block has then, and how many codes each has at most; large ones fill several slots. */
  readonly documents: number;
  readonly each: number;
  readonly seed: number;
}

interface Step {
  readonly changed: readonly Change[];
  readonly gone: readonly number[];
}

const steps = fc.array(
  fc.record({
    changed: fc.uniqueArray(
      fc.record({
        block: fc.constantFrom(...blocks),
        documents: fc.constantFrom(1, 2, 60, 255, 256),
        each: fc.constantFrom(1, 1, 3),
        seed: fc.nat(),
      }),
      { maxLength: 4, selector: ({ block }) => block },
    ),
    gone: fc.subarray(blocks),
  }),
  { maxLength: 7 },
);

/** Numbers from 0 to 1 that look random, the same for the same seed (Lehmer). */
function numbers(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function documentsOf({ documents, each, seed }: Change, dimensions: number): Map<number, number[][]> {
  const next = numbers(seed);
  const levels = () => Array.from({ length: Math.min(dimensions, codeDimensions) }, () => 1 + Math.floor(15 * next()));
  // An odd step comes past every offset before it comes back.
  const offsets = Array.from({ length: documents }, (_, i) => (seed + i * 77) % blockSize).sort((a, b) => a - b);
  return new Map(
    offsets.map((offset) => [offset, Array.from({ length: 1 + (Math.floor(each * next()) % each) }, levels)]),
  );
}

function entryOf(offset: number, levels: readonly number[]): Buffer {
  const entry = Buffer.alloc(offsetBytes + Math.ceil(levels.length / 2));
  entry.writeUInt8(offset);
  for (const [i, level] of levels.entries())
    entry[offsetBytes + (i >> 1)] = (entry[offsetBytes + (i >> 1)] ?? 0) | (level << (4 * (i & 1)));
  return entry;
}

const entriesOf = (offset: number, codes: readonly number[][]): Buffer =>
  Buffer.concat(codes.map((levels) => entryOf(offset, levels)));

const storedCodes = (block: number, version: string, documents: ReadonlyMap<number, number[][]>): StoredCodes => ({
  block,
  version,
  entries: Buffer.concat([...documents].map(([offset, codes]) => entriesOf(offset, codes))),
});

/** Brings slab and model to the same next state, and gives the version of the blocks that have changed. */
function apply(slab: Slab, model: Model, { changed, gone }: Step, dimensions: number, version: string): void {
  for (const block of gone) model.delete(block);
  const codes = changed.map((change) => {
    const documents = documentsOf(change, dimensions);
    model.set(change.block, documents);
    return storedCodes(change.block, version, documents);
  });
  slab.update(codes, new Set(model.keys()));
}

function vectorOf(dimensions: number, seed: number): Float32Array {
  const next = numbers(seed);
  return Float32Array.from({ length: dimensions }, () => 2 * next() - 1);
}

/** The similarity of the nearest of these codes to a vector, as Lucene rounds it, from levels that are not packed. */
function similarityOf(codes: readonly number[][], vector: Float32Array): number {
  const { weights, squares } = codeQuery(vector);
  const each = codes.map((levels) => {
    const product = levels.reduce((sum, level, i) => sum + (weights[i] ?? 0) * (level - 8), 0);
    const own = levels.reduce((sum, level) => sum + (level - 8) ** 2, 0);
    return Math.fround(1 + Math.fround(product / (Math.sqrt(own * squares) || 1))) / 2;
  });
  return Math.max(...each);
}

const compared = vectorOf(13, 7);

/** Compared through a vector, of which each component has another weight: so a level in a wrong place changes a similarity. */
function expectSame(slab: Slab, model: Model): void {
  expect(slab.documents).toBe([...model.values()].reduce((sum, documents) => sum + documents.size, 0));
  expect(slab.blocks).toBe(model.size);
  const query = codeQuery(compared);
  for (const block of blocks) {
    expect(slab.holds(block)).toBe(model.has(block));
    for (let offset = 0; offset < blockSize; offset++) {
      const codes = model.get(block)?.get(offset) ?? [];
      const row = slab.rowOf(block * blockSize + offset);
      const rows = row < 0 ? [] : codes.map((_, i) => row + i);
      // Compared as numbers first: 1,800 calls of `expect` in each step would take most of the time.
      const found = rows.map((one) => slab.similarityAt(one, query));
      const expected = codes.map(() => similarityOf(codes, compared));
      if (String(found) !== String(expected))
        expect({ block, offset, found }).toEqual({ block, offset, found: expected });
    }
  }
}

interface Rated {
  readonly seq: number;
  readonly score: number;
}

/** The rows that the scan should choose, by cosines that are computed one by one without packing. */
function nearestOf(model: Model, vector: Float32Array, size: number, allowed: (seq: number) => boolean): number[] {
  const { weights, heaviest } = codeQuery(vector);
  const largest = Math.max(...weights.map(Math.abs));
  const steps = Math.min(127, Math.floor(65_535 / 15 / heaviest.length));
  const scaled = [...heaviest].map((component) => Math.round((Math.abs(weights[component] ?? 0) / largest) * steps));
  const half = 65_535 / 2;
  const factor = half / Math.sqrt(scaled.reduce((sum, weight) => sum + weight ** 2, 0));
  const rated: Rated[] = [];
  for (const [block, documents] of model) {
    for (const [offset, codes] of documents) {
      for (const levels of codes) {
        const parts = [...heaviest].map((component, k) => {
          const sign = (weights[component] ?? 0) < 0 ? -1 : 1;
          return sign * (scaled[k] ?? 0) * ((levels[component] ?? 0) - 8);
        });
        const dot = parts.reduce((sum, part) => sum + part, 0);
        const scale = Math.fround(1 / Math.sqrt(levels.reduce((sum, level) => sum + (level - 8) ** 2, 0) || Infinity));
        rated.push({ seq: block * blockSize + offset, score: Math.floor(half + dot * scale * factor) });
      }
    }
  }
  const passing = rated.filter(({ seq }) => allowed(seq)).sort((a, b) => b.score - a.score);
  const least = passing[Math.min(size, passing.length) - 1]?.score ?? 0;
  return passing.filter(({ score }) => score >= least).map(({ seq }) => seq);
}

const ascending = (seqs: readonly number[]): number[] => [...seqs].sort((a, b) => a - b);
const seqsOf = (slab: Slab, rows: readonly number[]): number[] => ascending(rows.map((row) => slab.seqs[row] ?? -1));

describe('a slab', () => {
  test('holds what a plain map holds, no matter what blocks grow, shrink, come and go', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const slab = new Slab(codeWidth(13));
        const model: Model = new Map();
        for (const [i, step] of sequence.entries()) {
          apply(slab, model, step, 13, `version ${i}`);
          expectSame(slab, model);
          for (const { block } of step.changed) {
            expect(slab.holds(block, `version ${i}`)).toBe(true);
            expect(slab.holds(block, `version ${i + 1}`)).toBe(false);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('keeps blocks that have not changed in the version they had', () => {
    const slab = new Slab(codeWidth(3));
    const documents = new Map([[0, [[1, 2, 3]]]]);
    slab.update([storedCodes(1, 'a', documents), storedCodes(2, 'a', documents)], new Set([1, 2]));
    slab.update([storedCodes(2, 'b', documents)], new Set([1, 2]));
    expect([slab.holds(1, 'a'), slab.holds(2, 'a'), slab.holds(2, 'b')]).toEqual([true, false, true]);
  });

  test('takes no more room for blocks that are written again and again', () => {
    const slab = new Slab(codeWidth(13));
    const model: Model = new Map();
    const bytes: number[] = [];
    for (let i = 0; i < 30; i++) {
      // The block needs one slot and three alternately, and so moves when it has to.
      const change = { block: 1, documents: 256, each: i % 2 ? 3 : 1, seed: i };
      apply(slab, model, { changed: [change], gone: i % 5 === 4 ? [1] : [] }, 13, `version ${i}`);
      bytes.push(slab.bytes);
    }
    expectSame(slab, model);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(2 * Math.max(...bytes.slice(0, 2)));
  });
});

describe('the nearest rows', () => {
  test('are those with the highest cosines over the heaviest components', () => {
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom(3, 13, 33, 40, 256),
        fc.nat(),
        fc.constantFrom(1, 2, 10, 300, 10_000),
        (sequence, dimensions, seed, size) => {
          const slab = new Slab(codeWidth(dimensions));
          const model: Model = new Map();
          for (const [i, step] of sequence.entries()) apply(slab, model, step, dimensions, `version ${i}`);
          const vector = vectorOf(dimensions, seed);
          const rows = nearestRows(slab, codeQuery(vector), size);
          expect(seqsOf(slab, rows)).toEqual(ascending(nearestOf(model, vector, size, () => true)));
          const allowed = (seq: number) => seq % 3 === 1;
          const some = nearestRows(slab, codeQuery(vector), size, allowed);
          expect(seqsOf(slab, some)).toEqual(ascending(nearestOf(model, vector, size, allowed)));
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  test.each([1600, 2000, 2048, 3001])('of vectors of %i dimensions are summed without overflow', (dimensions) => {
    const signs = vectorOf(dimensions, dimensions).map((x) => (x < 0 ? -1 : 1));
    const along = [...signs.subarray(0, codeDimensions)].map((sign) => (sign < 0 ? 1 : 15));
    const against = along.map((level) => 16 - level);
    const others = documentsOf({ block: 0, documents: 20, each: 1, seed: dimensions }, dimensions);
    const documents = new Map([
      [0, [against]],
      [1, [along]],
      ...[...others].map(([, codes], i) => [i + 2, codes] as const),
    ]);
    const slab = new Slab(codeWidth(dimensions));
    slab.update([storedCodes(5, 'a', documents)], new Set([5]));
    const model: Model = new Map([[5, documents]]);
    expect(codeQuery(signs).heaviest.length).toBeGreaterThan(192);
    expect(seqsOf(slab, nearestRows(slab, codeQuery(signs), 1))).toEqual([5 * blockSize + 1]);
    for (const size of [1, 5, 21]) {
      for (const vector of [signs, vectorOf(dimensions, size), new Float32Array(dimensions).fill(1)]) {
        const rows = nearestRows(slab, codeQuery(vector), size);
        expect(seqsOf(slab, rows)).toEqual(ascending(nearestOf(model, vector, size, () => true)));
      }
    }
  });

  test('are none of an empty slab, or of one that has become empty', () => {
    const slab = new Slab(codeWidth(3));
    const query = codeQuery(Float32Array.of(1, -2, 3));
    expect(nearestRows(slab, query, 10)).toEqual([]);
    expect(nearestRows(slab, query, 10, () => true)).toEqual([]);
    slab.update([storedCodes(0, 'a', new Map([[4, [[1, 2, 3]]]]))], new Set([0]));
    expect(nearestRows(slab, query, 10)).toHaveLength(1);
    expect(nearestRows(slab, query, 10, () => false)).toEqual([]);
    slab.update([], new Set());
    expect(nearestRows(slab, query, 10)).toEqual([]);
  });
});
