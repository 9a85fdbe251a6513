import type { Glyph } from './page.js';

/** A letter in a plane that is turned so that its line runs from left to right: along the line, and up. */
export interface Letter {
  readonly text: string;
  readonly along: number;
  readonly up: number;
  readonly width: number;
  readonly size: number;
}

/** Everything on a page that is written in one direction. */
export interface Direction {
  readonly degrees: number;
  readonly letters: readonly Letter[];
}

/** Two letters that are equal and this near to each other, in sizes, are one that was drawn twice to look bold. */
const nearness = 0.15;
/** The share of pairs of neighbours whose second letter is below the first one, from which on writing runs downwards. */
const mostly = 0.6;

/** The page by directions of writing: the one with most letters first. */
export function directionsOf(glyphs: readonly Glyph[]): Direction[] {
  const groups = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    const group = groups.get(glyph.direction);
    if (group) group.push(glyph);
    else groups.set(glyph.direction, [glyph]);
  }
  return [...groups]
    .map(([direction, group]) => {
      const runsDown = direction === 0 && isWrittenDown(group);
      const degrees = runsDown ? 270 : direction;
      const letters = group.map((glyph) => {
        const [along, up] = turned(degrees, glyph.x, glyph.y);
        return { text: glyph.text, along, up, width: runsDown ? glyph.size : glyph.width, size: glyph.size };
      });
      return { degrees, letters: withoutRepeats(letters) };
    })
    .sort((a, b) => b.letters.length - a.letters.length);
}

/** A point of the page in the plane of a direction. */
export function turned(degrees: number, x: number, y: number): readonly [number, number] {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [x * cos + y * sin, y * cos - x * sin];
}

/** Whether letters stand below each other, as in Japanese books. */
function isWrittenDown(glyphs: readonly Glyph[]): boolean {
  let below = 0;
  for (const [at, glyph] of glyphs.entries()) {
    const last = glyphs[at - 1];
    if (last === undefined) continue;
    const down = (last.y - glyph.y) / glyph.size;
    if (Math.abs(glyph.x - last.x) < 0.6 * glyph.size && down > 0.7 && down < 1.4 && isWide(glyph.text)) below += 1;
  }
  return below > mostly * glyphs.length;
}

/** Chinese, Japanese and Korean letters. */
const isWide = (text: string) => text >= '\u2e80' && text < '\uff00';

/** Leaves out what was drawn again almost at the same place: for bold letters, and for shadows. */
function withoutRepeats(letters: readonly Letter[]): Letter[] {
  const seen = new Map<number, Letter[]>();
  return letters.filter((letter, at) => {
    // The letters of a ligature all have its place.
    const last = letters[at - 1];
    if (last !== undefined && last.along === letter.along && last.up === letter.up) return true;
    const along = letter.along / letter.size;
    const up = letter.up / letter.size;
    for (let c = Math.floor(along - nearness); c <= along + nearness; c += 1) {
      for (let r = Math.floor(up - nearness); r <= up + nearness; r += 1) {
        if (seen.get(cellOf(c, r))?.some((other) => isSame(letter, other))) return false;
      }
    }
    const cell = cellOf(Math.floor(along), Math.floor(up));
    const there = seen.get(cell);
    if (there) there.push(letter);
    else seen.set(cell, [letter]);
    return true;
  });
}

/** A number for a square as large as a letter. Few squares of a page share one. */
const cellOf = (column: number, row: number) => (column * 65_537 + row) | 0;

function isSame(one: Letter, other: Letter): boolean {
  const near = nearness * one.size;
  return one.text === other.text && Math.abs(one.along - other.along) < near && Math.abs(one.up - other.up) < near;
}
