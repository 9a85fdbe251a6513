import type { CodeQuery } from './code-query.js';
import { kernel, tileRows } from './scan-kernel.js';
import { packedRows, type Slab } from './slab.js';

/** The scores of a scan. A scan is never interrupted, so the next one uses the same memory again. */
let scoresOfRows = new Uint16Array(0);
/** The number of rows of each score. */
const counts = new Uint32Array(2 ** 16);

/**
 * The rows of the slab that are nearest to the query by its heaviest components: at least `size`, if there are that number of
 * rows. Rows with the same score as the last one are included.
 */
export function nearestRows(slab: Slab, query: CodeQuery, size: number, allowed?: (seq: number) => boolean): number[] {
  const scores = roughScores(slab, query);
  const { seqs, rows: count } = slab;
  const least = leastOf(scores, slab, size, allowed);
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
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
  if (scoresOfRows.length < slab.rows) scoresOfRows = new Uint16Array(slab.seqs.length);
  const { weights, column, scan, sums } = kernel();
  const heaviest = [...query.heaviest];
  const columns = heaviest.map((component) => slab.column(component));
  weights.set(scaledWeights(query));
  const own = Array.from(weights.subarray(0, heaviest.length));
  // Where a weight is negative, its levels count from 15 down, so that no sum is negative.
  const start = own.reduce((sum, weight) => sum + (weight < 0 ? -15 * weight : 0), 0);
  // The level 8 means zero.
  const zero = start + own.reduce((sum, weight) => sum + 8 * weight, 0);
  const factor = half / Math.sqrt(own.reduce((sum, weight) => sum + weight * weight, 0));
  for (let from = 0; from < slab.rows; from += tileRows) {
    const end = Math.min(from + tileRows, slab.rows);
    for (const [k, levels] of columns.entries())
      column(k).set(levels.subarray(from / 2, Math.ceil(end / packedRows) * (packedRows / 2)));
    scan(columns.length, end - from, start);
    scoresInto(scoresOfRows, { from, end }, sums, slab.scales, { zero, factor });
  }
  return scoresOfRows;
}

/** Half of the range of the scores, which is the score of a cosine of 0. */
const half = (2 ** 16 - 1) / 2;

/** The sums of some rows, divided by the lengths of their codes. */
function scoresInto(
  scores: Uint16Array,
  { from, end }: { readonly from: number; readonly end: number },
  sums: Uint16Array,
  scales: Float32Array,
  { zero, factor }: { readonly zero: number; readonly factor: number },
): void {
  for (let row = from, i = 0; row < end; row++, i++) {
    scores[row] = half + ((sums[i] ?? 0) - zero) * (scales[row] ?? 0) * factor;
  }
}

/** The weights of the heaviest components, scaled so that levels of at most 15, times the weights, summed over them, stay below 2^16. */
function scaledWeights({ weights, heaviest }: CodeQuery): Int8Array {
  const largest = Math.abs(weights[heaviest[0] ?? 0] ?? 0);
  const steps = Math.min(127, Math.floor((2 ** 16 - 1) / 15 / heaviest.length));
  return Int8Array.from(heaviest, (component) => {
    const weight = weights[component] ?? 0;
    return Math.sign(weight) * Math.round((Math.abs(weight) / largest) * steps);
  });
}
