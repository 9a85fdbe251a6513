import type { Letter } from './letters.js';

/** Accents that fonts have as characters of their own, with the marks of Unicode for them. */
const marks: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '\u02cb': '\u0300',
  '\u00b4': '\u0301',
  '\u02ca': '\u0301',
  '^': '\u0302',
  '\u02c6': '\u0302',
  '~': '\u0303',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u02c9': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u00a8': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '\u00b8': '\u0327',
  '\u02db': '\u0328',
};
/** Letters that are drawn without their dot because an accent takes its place. */
const dotless: Readonly<Record<string, string>> = { '\u0131': 'i', '\u0237': 'j' };
/** An accent of a capital is drawn higher than that of a small letter, by less than this multiple of the size. */
const higher = 0.5;

/**
 * Joins accents to the letters over or under which they are drawn, as the older fonts of TeX need it: a dieresis and then a u are a
 * ü. An accent that is not over a letter stays one, such as that before a word in a listing.
 */
export function withAccents(letters: readonly Letter[]): readonly Letter[] {
  if (!letters.some(({ text }) => markOf(text) !== undefined)) return letters;
  const found = [...letters];
  const places = placesOf(letters);
  const taken = new Set<number>();
  for (const [at, letter] of letters.entries()) {
    const mark = markOf(letter.text);
    const base = mark === undefined ? undefined : baseOf(letter, letters, places);
    const below = base === undefined ? undefined : found[base];
    if (mark === undefined || base === undefined || below === undefined) continue;
    found[base] = { ...below, text: `${dotless[below.text] ?? below.text}${mark}`.normalize('NFC') };
    taken.add(at);
  }
  return found.filter((_, at) => !taken.has(at));
}

const markOf = (text: string) => marks[text] ?? (/^\p{Mn}$/u.test(text) ? text : undefined);

/** The letters by the squares of the page in which they begin; of a crowded square only some. */
function placesOf(letters: readonly Letter[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { text, along, up }] of letters.entries()) {
    if (!/^\p{L}\p{Mn}*$/u.test(text) || markOf(text) !== undefined) continue;
    const place = placeOf(along, up);
    const there = places.get(place);
    if (there === undefined) places.set(place, [at]);
    else if (there.length < mostInSquare) there.push(at);
  }
  return places;
}

/** The width of a square in points. Letters of usual sizes are narrower. */
const square = 20;
const mostInSquare = 100;
const placeOf = (along: number, up: number, right = 0, above = 0) =>
  `${Math.floor(along / square) + right} ${Math.floor(up / square) + above}`;

/** The letter whose middle is nearest to that of an accent, if the middle of the accent is within that letter. */
function baseOf(accent: Letter, letters: readonly Letter[], places: ReadonlyMap<string, number[]>): number | undefined {
  const middle = accent.along + accent.width / 2;
  let nearest: { at: number; distance: number } | undefined;
  for (const right of [-1, 0, 1]) {
    for (const above of [-1, 0, 1]) {
      for (const at of places.get(placeOf(accent.along, accent.up, right, above)) ?? []) {
        const letter = letters[at];
        if (letter === undefined || Math.abs(accent.up - letter.up) > higher * letter.size) continue;
        const distance = Math.abs(letter.along + letter.width / 2 - middle);
        if (distance < 0.5 * letter.width && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
          nearest = { at, distance };
      }
    }
  }
  return nearest?.at;
}
