/** Bullets of fonts of symbols, whose codes are in the part of Unicode for private use. */
const bullets: Readonly<Record<number, string>> = {
  61607: '\u25aa',
  61608: '\u25a1',
  61623: '\u2022',
  61656: '\u27a2',
  61692: '\u2713',
};

/**
 * The text that a character of a font means: null for a code that says nothing to a reader, such as control characters and those of
 * private use.
 */
export function meaningOf(code: number): string | null {
  if (code === 9 || code === 10 || code === 13 || code === 0xa0) return ' ';
  if (code === 0xad) return '\xad';
  if (code < 32 || (code >= 127 && code < 160) || code >= 0x110000) return null;
  if (code >= 0xd800 && code < 0xe000) return null;
  if (code >= 0xe000 && code < 0xf900) return bullets[code] ?? null;
  if (code === 0xfffd || code === 0xfffe || code === 0xffff) return null;
  // Marks of direction and order of bytes draw nothing.
  if (code === 0xfeff || (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e)) return '';
  const text = String.fromCodePoint(code);
  // Ligatures, and the shapes of Arabic letters within words, are written as the letters that they stand for.
  return (code >= 0xfb00 && code < 0xfe00) || (code >= 0xfe70 && code < 0xff00) ? text.normalize('NFKC') : text;
}
