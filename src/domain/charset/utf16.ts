/** How much of a text is looked at. */
const looked = 65_536;

/** Units that texts of every language have: white space, ASCII, and the marks of Chinese and Japanese sentences. */
function isUsual(unit: number): boolean {
  if (unit === 0x09 || unit === 0x0a || unit === 0x0d) return true;
  return (unit >= 0x20 && unit < 0x7f) || (unit >= 0x3000 && unit <= 0x3002) || (unit >= 0xff01 && unit <= 0xff1f);
}

/**
 * The order of bytes of a text in UTF-16 without a mark, by the units that every text has: in the wrong order U+0020 is U+2000, and
 * most units of other texts are characters that do not exist.
 * @returns null for bytes that are hardly UTF-16
 */
export function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 !== 0) return null;
  let [little, big] = [0, 0];
  const end = Math.min(bytes.length, looked);
  for (let at = 0; at + 1 < end; at += 2) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (isUsual(first | (second << 8))) little += 1;
    if (isUsual((first << 8) | second)) big += 1;
  }
  if (Math.max(little, big) * 50 < end / 2) return null;
  return little > big ? 'utf-16le' : big > little ? 'utf-16be' : null;
}
