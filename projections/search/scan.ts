import type { CodeQuery } from './code-query.js';
import type { Slab } from './slab.js';

interface Column {
  readonly levels: Int32Array;
  readonly weight: number;
  /** Converts a level x into 15 − x for negative weights, so that no term is negative and sums stay within 16 bits. */
  readonly flip: number;
}

/** The sums and scores of a scan. A scan is never interrupted, so the next one uses the same memory again. */
let sums = { even: new Int32Array(0), odd: new Int32Array(0), scores: new Uint16Array(0) };
/** The number of rows of each score. */
const counts = new Uint32Array(2 ** 16);

/**
 * The rows of the slab that are nearest to the query by its heaviest components: at least `size`, if there are that number of
 * rows. Rows with the same score as the last one are included.
 */
export function nearestRows(slab: Slab, query: CodeQuery, size: number, allowed?: (seq: number) => boolean): number[] {
  const scores = roughScores(slab, query);
  const { seqs } = slab;
  const least = leastOf(scores, slab, size, allowed);
  const rows: number[] = [];
  for (let row = 0; row < slab.rows; row++) {
    if ((scores[row] ?? 0) < least) continue;
    const seq = seqs[row] ?? -1;
    if (seq >= 0 && (!allowed || allowed(seq))) rows.push(row);
  }
  return rows;
}

/** The highest score that at least `size` rows with an allowed document reach, found by counting the rows of each score. */
function leastOf(
  scores: Uint16Array,
  { seqs, rows }: Slab,
  size: number,
  allowed: ((seq: number) => boolean) | undefined,
): number {
  counts.fill(0);
  for (let row = 0; row < rows; row++) {
    const seq = seqs[row] ?? -1;
    if (seq < 0 || (allowed && !allowed(seq))) continue;
    const score = scores[row] ?? 0;
    counts[score] = (counts[score] ?? 0) + 1;
  }
  let least = counts.length - 1;
  for (let found = counts[least] ?? 0; found < size && least > 0; found += counts[least] ?? 0) least--;
  return least;
}

/** The approximate cosine of each row, from 0 for −1 to 65,535 for 1, as many as the slab has rows and possibly more. */
function roughScores(slab: Slab, query: CodeQuery): Uint16Array {
  const columns = columnsOf(slab, query);
  const integers = slab.rows / 4;
  if (sums.scores.length < slab.rows) {
    const room = slab.seqs.length;
    sums = { even: new Int32Array(room / 4), odd: new Int32Array(room / 4), scores: new Uint16Array(room) };
  }
  const { even, odd, scores } = sums;
  even.fill(0, 0, integers);
  odd.fill(0, 0, integers);
  for (const four of columns) addFour(even, odd, integers, four);
  const all = columns.flat();
  // The level 8 means zero, and a flipped one is 7.
  const zero = all.reduce((sum, { weight, flip }) => sum + (flip === 0 ? 8 : 7) * weight, 0);
  const half = (2 ** 16 - 1) / 2;
  const factor = half / Math.sqrt(all.reduce((sum, { weight }) => sum + weight * weight, 0));
  const halves = [new Uint16Array(even.buffer), new Uint16Array(odd.buffer)] as const;
  scoresInto(scores, slab.rows, halves, slab.scales, { zero, half, factor });
  return scores;
}

interface Range {
  readonly zero: number;
  readonly half: number;
  readonly factor: number;
}

/** The sums of the even rows and of the odd rows, divided by the lengths of the codes. */
function scoresInto(
  scores: Uint16Array,
  rows: number,
  [even, odd]: readonly [Uint16Array, Uint16Array],
  scales: Float32Array,
  { zero, half, factor }: Range,
): void {
  for (let i = 0, row = 0; row < rows; i++, row += 2) {
    scores[row] = half + ((even[i] ?? 0) - zero) * (scales[row] ?? 0) * factor;
    scores[row + 1] = half + ((odd[i] ?? 0) - zero) * (scales[row + 1] ?? 0) * factor;
  }
}

type FourColumns = readonly [Column, Column, Column, Column];

/** The weights are scaled so that levels of at most 15, times the weights, summed over the components, stay below 2^16. */
function columnsOf(slab: Slab, { weights, heaviest }: CodeQuery): FourColumns[] {
  const largest = Math.abs(weights[heaviest[0] ?? 0] ?? 0);
  const steps = Math.min(127, Math.floor((2 ** 16 - 1) / 15 / heaviest.length));
  const column = (k: number): Column => {
    const component = heaviest[k] ?? 0;
    const weight = k < heaviest.length ? (weights[component] ?? 0) : 0;
    return {
      levels: slab.column(component),
      weight: Math.round((Math.abs(weight) / largest) * steps),
      flip: weight < 0 ? 0x000f000f : 0,
    };
  };
  const columns: FourColumns[] = [];
  for (let k = 0; k < heaviest.length; k += 4) columns.push([column(k), column(k + 1), column(k + 2), column(k + 3)]);
  return columns;
}

/** An integer holds four levels. Two of them are multiplied at once: the first and third, and the second and fourth. */
const pairs = 0x00ff00ff;

function addFour(even: Int32Array, odd: Int32Array, integers: number, [a, b, c, d]: FourColumns): void {
  const { levels: as, weight: wa, flip: fa } = a;
  const { levels: bs, weight: wb, flip: fb } = b;
  const { levels: cs, weight: wc, flip: fc } = c;
  const { levels: ds, weight: wd, flip: fd } = d;
  for (let i = 0; i < integers; i++) {
    const la = as[i] ?? 0;
    const lb = bs[i] ?? 0;
    const lc = cs[i] ?? 0;
    const ld = ds[i] ?? 0;
    even[i] =
      ((even[i] ?? 0) +
        Math.imul((la & pairs) ^ fa, wa) +
        Math.imul((lb & pairs) ^ fb, wb) +
        Math.imul((lc & pairs) ^ fc, wc) +
        Math.imul((ld & pairs) ^ fd, wd)) |
      0;
    odd[i] =
      ((odd[i] ?? 0) +
        Math.imul(((la >>> 8) & pairs) ^ fa, wa) +
        Math.imul(((lb >>> 8) & pairs) ^ fb, wb) +
        Math.imul(((lc >>> 8) & pairs) ^ fc, wc) +
        Math.imul(((ld >>> 8) & pairs) ^ fd, wd)) |
      0;
  }
}
