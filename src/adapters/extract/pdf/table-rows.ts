import type { Segment } from './segments.js';

type Line = readonly Segment[];

/** Lines of a row of a table are nearer to each other than this multiple of their size. */
const leading = 1.5;
/** The rows of a table are further from each other than their lines by this factor at least. */
const padding = 1.12;
/** That all rows begin at one height on both sides of a gap happens by chance in a text with fewer rows. */
const fewestRows = 3;

/**
 * Whether the lines on both sides of a gap are the cells of a table with much text, and not columns: its rows are apart and begin
 * at the same height on both sides, or were drawn one after the other, each cell with all of its lines.
 */
export function isTable(left: readonly Line[], right: readonly Line[], size: number): boolean {
  return arePadded(left, right, size) || areDrawnByCells(left, right);
}

function arePadded(left: readonly Line[], right: readonly Line[], size: number): boolean {
  const ups = left.map((line, at) => (line[0] ?? right[at]?.[0])?.up ?? 0);
  const steps = ups.slice(1).map((up, at) => (ups[at] ?? 0) - up);
  const least = Math.min(...steps);
  const heads = [0, ...steps.flatMap((step, at) => (step > padding * least ? [at + 1] : []))];
  if (least > leading * size || heads.length < fewestRows || heads.length > 0.7 * ups.length) return false;
  return heads.every((at) => (left[at]?.length ?? 0) > 0 && (right[at]?.length ?? 0) > 0);
}

/** At least this share of the cells has several lines. */
const tall = 0.3;

interface Run {
  readonly isLeft: boolean;
  from: number;
  to: number;
}

/** Whether the drawing goes from one side to the other and back, each time to a row below, with several lines on a side. */
function areDrawnByCells(left: readonly Line[], right: readonly Line[]): boolean {
  const drawn = [left, right].flatMap((side, isRight) =>
    side.flatMap((line, row) => line.map(({ first }) => ({ isLeft: isRight === 0, row, first }))),
  );
  drawn.sort((a, b) => a.first - b.first);
  const runs: Run[] = [];
  for (const { isLeft, row } of drawn) {
    const run = runs.at(-1);
    if (run?.isLeft === isLeft) {
      run.from = Math.min(run.from, row);
      run.to = Math.max(run.to, row);
    } else runs.push({ isLeft, from: row, to: row });
  }
  const isTall = runs.filter(({ from, to }) => to > from).length > tall * runs.length;
  if (runs.length < 4 || runs.length % 2 === 1 || !isTall) return false;
  return runs.every((run, at) => {
    const [before, twoBefore] = [runs[at - 1], runs[at - 2]];
    if (before === undefined) return true;
    return at % 2 === 1 ? run.from === before.from : run.from > Math.max(before.to, twoBefore?.to ?? 0);
  });
}
