import type { Letter } from './letters.js';

/** Characters that are repeated to lead the eye from a title to its page, or to show where to write. */
const leader = /^[.\u00b7\u2025\u2026_]$/;
/** From this number on, they are a leader wherever they stand. Three or four are one only before a number, because a text has them, too. */
const many = 5;
const few = 3;
/** How much the distances between its characters differ, in sizes. */
const even = 0.08;
/** How far away the next one may be, in sizes. */
const furthest = 2.5;

/**
 * Puts blanks before and after leaders. The first of their dots would belong to the title otherwise, where it happens to be near.
 * A dot at the end of the title itself is at another distance from the next one, and stays there.
 */
export function withLeaders(letters: readonly Letter[]): readonly Letter[] {
  const made: Letter[] = [];
  for (let at = 0; at < letters.length; ) {
    const { end, last, count } = runAt(letters, at);
    const [first, run] = [letters[at], letters.slice(at, end)];
    const isLeader = count >= many || (count >= few && isBeforeNumber(letters, end, last));
    if (isLeader && first && last) made.push(blankAt(first, 0), ...run, blankAt(last, last.width));
    else made.push(...run);
    at = end;
  }
  return made;
}

interface Run {
  readonly end: number;
  /** The last of the characters, without blanks. */
  readonly last: Letter | undefined;
  readonly count: number;
}

/** The equal characters in equal distances from each other that begin here, with the blanks between them, or one letter. */
function runAt(letters: readonly Letter[], from: number): Run {
  const first = letters[from];
  let run: Run = { end: from + 1, last: first, count: 1 };
  if (first === undefined || !leader.test(first.text)) return run;
  let pitch: number | undefined;
  for (let at = from + 1; at < letters.length; at += 1) {
    const letter = letters[at];
    if (letter === undefined || !isLevel(letter, first)) break;
    if (letter.text === ' ') continue;
    const distance = (letter.along - (run.last?.along ?? 0)) / first.size;
    pitch ??= distance;
    if (letter.text !== first.text || distance <= 0 || distance > furthest || Math.abs(distance - pitch) > even) break;
    run = { end: at + 1, last: letter, count: run.count + 1 };
  }
  return run;
}

const isLevel = (one: Letter, other: Letter) => Math.abs(one.up - other.up) < 0.1 * other.size;

function isBeforeNumber(letters: readonly Letter[], end: number, last: Letter | undefined): boolean {
  let at = end;
  while (letters[at]?.text === ' ' && at < end + 5) at += 1;
  const next = letters[at];
  return (
    next !== undefined && last !== undefined && isLevel(next, last) && next.along > last.along && /^\d$/.test(next.text)
  );
}

const blankAt = ({ along, up, size }: Letter, right: number): Letter => ({
  text: ' ',
  along: along + right,
  up,
  width: 0,
  size,
});
