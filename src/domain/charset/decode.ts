import { isUtf8 } from 'node:buffer';
import type { Assumed } from '../../../contracts/assumed.js';
import { charsetOfPage, charsetOfType, charsetOfXml } from './declared.js';
import { charsetNamed, decodeStrictly, holdsC1, isMultiByte } from './decoders.js';

export interface Decoded {
  readonly text: string;
  /** The assumptions about the bytes: absent when they are in the charset that was declared, or in UTF-8 without a declaration. */
  readonly assumed?: Assumed;
}

/**
 * Guesses the charset of bytes that declare none, or another charset for bytes that declare one and are hardly in it.
 * @returns null when it is not sure
 */
type Detector = (bytes: Uint8Array, declared?: string) => string | null;

/** Why bytes are no text, as the end of a sentence about the file. */
export class NoText extends Error {}

/** Bytes that may be in several charsets. */
export class UncertainCharset extends NoText {
  constructor() {
    super('its charset is not certain: declare it in the Content-Type, for example text/plain; charset=windows-1251');
  }
}

/**
 * The text of bytes: by their byte order mark, the first line of XML, what is declared, strict UTF-8, UTF-8 with a few bad bytes, and
 * a detector, in this order. Every step but the one with bad bytes must decode all bytes, so a wrong declaration is found out where
 * it can be. No step stands for "not understood": bytes in no charset for sure are refused.
 * @param contentType the media type that was declared, whose charset counts; '' for none
 * @throws NoText
 */
export function decodeText(bytes: Uint8Array, contentType: string, form: 'text' | 'html', detect: Detector): Decoded {
  const labels = [charsetOfXml(bytes), charsetOfType(contentType), form === 'html' ? charsetOfPage(bytes) : undefined];
  const declared = labels.filter((label) => label !== undefined);
  const decoded =
    byMark(bytes) ??
    byEscapes(bytes, declared) ??
    byDeclaration(bytes, declared, detect) ??
    byUtf16(bytes) ??
    byUtf8(bytes, declared) ??
    byDetector(bytes, detect);
  if (decoded === null) throw new UncertainCharset();
  if (decoded.text.includes('\0')) throw new NoText('it holds binary data');
  if (!holdsC1(decoded.text)) return decoded;
  throw new NoText(
    'it holds control characters (U+0080 to U+009F), as texts do that were once read in a wrong charset',
  );
}

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf32le', [0xff, 0xfe, 0, 0]],
  ['utf32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** A mark is no declaration that can be wrong: what follows it is in that charset, or is refused. */
function byMark(bytes: Uint8Array): Decoded | null {
  const [charset, mark] = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  if (charset === undefined || mark === undefined) return null;
  const rest = bytes.subarray(mark.length);
  if (charset === 'utf-8') return byUtf8(rest, ['utf-8']) ?? refuse(charset);
  const text = decodeStrictly(rest, charset);
  return text === null ? refuse(charset) : { text };
}

function refuse(charset: string): never {
  throw new NoText(`it begins with the mark of ${charset.toUpperCase()} and is not in that charset`);
}

/** The charsets that switch between sets by escape sequences have only ASCII bytes, so strict UTF-8 would take them. */
function byEscapes(bytes: Uint8Array, declared: readonly string[]): Decoded | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isJapanese = start.includes('\x1b$B') || start.includes('\x1b$@');
  if (!isJapanese && !start.includes('\x1b$)C') && !start.includes('\x1b$(D')) return null;
  const text = isJapanese ? decodeStrictly(bytes, 'iso-2022-jp') : null;
  if (text === null) throw new UncertainCharset();
  return as(text, 'iso-2022-jp', declared.length === 0 ? ['us-ascii'] : declared);
}

/**
 * The first declaration in which all bytes are characters. In a charset of single bytes nearly all are, in any text, so a wrong one
 * cannot be proved. It is believed, but the charset is named as assumed when the text is rather in another one.
 */
function byDeclaration(bytes: Uint8Array, declared: readonly string[], detect: Detector): Decoded | null {
  for (const [at, label] of declared.entries()) {
    const named = charsetNamed(label);
    if (named === undefined || named === 'utf-8') continue;
    const charset = named.startsWith('utf-16') ? declaredUtf16(bytes, named) : named;
    if (charset === null) continue;
    const likeness = likenessOf(bytes, charset);
    if (likeness === 'utf-8') continue;
    const text = decodeStrictly(bytes, charset);
    // The label UTF-16 leaves the order open.
    const isOther = charset !== named && /[lb]e$/i.test(label);
    if (text === null) continue;
    const isDoubtful = likeness === 'either' || (!charset.startsWith('utf') && detect(bytes, charset) !== null);
    return isDoubtful ? { text, assumed: { charset } } : as(text, charset, declared.slice(0, isOther ? at + 1 : at));
  }
  return null;
}

type Likeness = 'utf-8' | 'either' | 'declared';

/**
 * Whether bytes that declare a charset are rather UTF-8, except for a few damaged ones. Characters of several bytes of UTF-8 are hardly text
 * of a single-byte charset. Of a Chinese or Korean charset, two bytes can be a character of UTF-8, one pair in eight by chance.
 */
function likenessOf(bytes: Uint8Array, charset: string): Likeness {
  if (charset.startsWith('utf')) return 'declared';
  const { several, three, bad } = asUtf8(bytes);
  if (several <= bad) return 'declared';
  if (!isMultiByte(charset) || three >= 3 + bad || several >= 5 + 2 * bad) return 'utf-8';
  return bad === 0 ? 'either' : 'declared';
}

/** How many characters of UTF-8 have several bytes, and three or more, and how many bytes are no part of one. */
function asUtf8(bytes: Uint8Array): { several: number; three: number; bad: number } {
  const text = new TextDecoder('utf-8').decode(bytes);
  let [several, three] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // The second half of a pair belongs to the character that the first one began.
    if (unit < 0x80 || (unit >= 0xdc00 && unit < 0xe000) || unit === 0xfffd) continue;
    several += 1;
    if (unit >= 0x800) three += 1;
  }
  return { several, three, bad: isUtf8(bytes) ? 0 : replacedIn(text, bytes) };
}

/** The characters that stand for bad bytes. U+FFFD itself may be in a text too. */
function replacedIn(text: string, bytes: Uint8Array): number {
  return count(text, '\ufffd') - count(Buffer.from(bytes).toString('latin1'), '\xef\xbf\xbd');
}

/** Of a text that is declared as UTF-16 and has no mark, and is not ASCII all the same. */
function declaredUtf16(bytes: Uint8Array, named: string): string | null {
  const order = utf16Order(bytes);
  return order ?? (isUtf8(bytes) || isNearlyAscii(bytes) ? null : named);
}

/** Half of the bytes of Chinese in UTF-16 are those of ASCII, and nearly all of a Western text in a charset of single bytes. */
function isNearlyAscii(bytes: Uint8Array): boolean {
  return bytes.filter((byte) => byte >= 0x09 && byte < 0x7f).length > bytes.length * 0.8;
}

/** Controls but white space, and code points without a character. Numbers in binary data are such units. */
const noText = /(?![\t\n\f\r])[\p{Cc}\p{Cn}\p{Co}]/u;

function byUtf16(bytes: Uint8Array): Decoded | null {
  if (!bytes.includes(0)) return null;
  const order = utf16Order(bytes);
  const text = order && decodeStrictly(bytes, order);
  if (order === null || text === null || noText.test(text)) throw new NoText('it holds binary data');
  return { text, assumed: { charset: order } };
}

/** One bad byte in a thousand is damage, one at least, as in a log that was cut within a character. More are another charset. */
const goodPerBad = 1000;

function byUtf8(bytes: Uint8Array, declared: readonly string[]): Decoded | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const overruled = declared.filter((label) => charsetNamed(label) !== 'utf-8');
  if (isUtf8(bytes)) return as(text, 'utf-8', overruled);
  const replaced = replacedIn(text, bytes);
  if (replaced > Math.max(1, Math.floor(bytes.length / goodPerBad))) return null;
  const { assumed } = as(text, 'utf-8', overruled);
  return { text, assumed: { ...assumed, replaced } };
}

function byDetector(bytes: Uint8Array, detect: Detector): Decoded | null {
  // UTF-8 with many bad bytes is none of the charsets in which its characters are two or three letters each.
  const { several, bad } = asUtf8(bytes);
  if (several > bad) return null;
  const label = detect(bytes);
  const charset = label === null ? undefined : charsetNamed(label);
  const text = charset === undefined ? null : decodeStrictly(bytes, charset);
  return charset === undefined || text === null ? null : { text, assumed: { charset } };
}

/** @param overruled the declarations that were not followed */
function as(text: string, charset: string, overruled: readonly string[]): Decoded {
  const isDeclared = overruled.every((label) => charsetNamed(label) === charset);
  return isDeclared ? { text } : { text, assumed: { charset } };
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

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
function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
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
