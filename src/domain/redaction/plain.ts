/** Separators and signs that people and keyboards use instead of an ASCII character, by that character. */
const lookalikes: readonly (readonly [string, string])[] = [
  [' ', '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t'],
  ['-', '\u2010\u2011\u2012\u2013\u2212\u2043\ufe58\ufe63\u30fc'],
  ['.', '\u2024\u3002\uff61'],
];

const table = new Map(lookalikes.flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)));

/** The digit zero of other scripts. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/**
 * Replaces full-width forms, digits of other scripts, and unusual spaces and hyphens by ASCII, one code unit by one, so
 * that offsets in the result are also offsets in the original text.
 */
export function plain(text: string): string {
  return text.replace(
    /[\t\u00a0\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u1680\u2000-\u200a\u2010-\u2013\u2024\u202f\u2043\u205f\u2212\u3000\u3002\u30fc\ufe58\ufe63\uff01-\uff5e\uff61]/g,
    asciiOf,
  );
}

function asciiOf(character: string): string {
  const known = table.get(character);
  if (known !== undefined) return known;
  const code = character.charCodeAt(0);
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
  const zero = zeros.find((from) => code >= from && code <= from + 9);
  return zero === undefined ? character : String(code - zero);
}
