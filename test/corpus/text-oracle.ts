import { upperHalves } from './text-tables.js';

/**
 * Decodes bytes strictly, by other means than the service, which uses iconv-lite where it can: by Node's own decoder, and where that has
 * no such charset, or reads undefined bytes, by a table of its own.
 * @returns null if a byte is no part of a character in this charset, or is a control U+0080 to U+009F
 */
export function independentText(bytes: Uint8Array, charset: string): string | null {
  const text = decoded(bytes, charset.toLowerCase());
  return text === null || /[\u0080-\u009f]/.test(text) || !text.isWellFormed() ? null : text;
}

/** As UTF-8 with U+FFFD for bad bytes, and how many these are, each longest beginning of a character counting once (Unicode 16, 3.9). */
export function lenientText(bytes: Uint8Array): { text: string; replaced: number } {
  const text = Buffer.from(bytes).toString('utf8');
  const own = Buffer.from(bytes).toString('latin1').split('\xef\xbf\xbd').length - 1;
  return { text, replaced: text.split('\ufffd').length - 1 - own };
}

const marks: readonly (readonly [string, string])[] = [
  ['fffe0000', 'utf-32le'],
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** The charset of the byte order mark at the beginning, and the bytes after it. */
export function marked(bytes: Uint8Array): { charset: string; rest: Uint8Array } | null {
  const hex = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const [mark, charset] = marks.find(([sequence]) => hex.startsWith(sequence)) ?? [];
  return mark === undefined || charset === undefined ? null : { charset, rest: bytes.subarray(mark.length / 2) };
}

/** Node 20 reads these as Latin-1. */
const windows1252 = `€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ${halfOf(0xa0)}`;
const tables: Readonly<Record<string, string>> = {
  ...upperHalves,
  'windows-1252': windows1252,
  'iso-8859-1': windows1252,
};

function halfOf(first: number): string {
  return Array.from({ length: 0x100 - first }, (_, at) => String.fromCharCode(first + at)).join('');
}

function decoded(bytes: Uint8Array, charset: string): string | null {
  const table = tables[charset];
  if (table !== undefined) return byTable(bytes, table);
  switch (charset) {
    case 'us-ascii':
      return byTable(bytes, '?'.repeat(128));
    case 'utf-32le':
    case 'utf-32':
      return utf32(bytes);
    case 'utf-16':
    case 'utf-16le':
      return bytes.length % 2 === 0 ? Buffer.from(bytes).toString('utf16le') : null;
    case 'utf-16be':
      return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString('utf16le') : null;
    case 'iso-2022-jp':
      return iso2022(bytes);
    case 'gbk':
      return byNode(bytes, 'gb18030');
    default:
      return byNode(bytes, charset);
  }
}

function byTable(bytes: Uint8Array, upper: string): string | null {
  const letters = [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? '?')));
  return letters.some((letter, at) => letter === '?' && bytes[at] !== 0x3f) ? null : letters.join('');
}

function utf32(bytes: Uint8Array): string | null {
  if (bytes.length % 4 !== 0) return null;
  const points = Array.from({ length: bytes.length / 4 }, (_, at) => Buffer.from(bytes).readUInt32LE(at * 4));
  return points.some((point) => point > 0x10ffff) ? null : String.fromCodePoint(...points);
}

const escapeSign = String.fromCharCode(0x1b);

/** The pairs between the sequences that switch the set are those of EUC-JP without the eighth bit. */
function iso2022(bytes: Uint8Array): string | null {
  const parts = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(escapeSign, '\u{10ffff}')
    .split(/\u{10ffff}(\$B|\(B)/u);
  const texts = parts.map((part, at) => {
    if (at % 2 === 1) return '';
    if (parts[at - 1] !== '$B') return /[\x80-\xff\u{10ffff}]/u.test(part) ? null : part;
    if (!/^(?:[!-~]{2})*$/.test(part)) return null;
    return byNode(
      Buffer.from(part, 'latin1').map((byte) => byte | 0x80),
      'euc-jp',
    );
  });
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

function byNode(bytes: Uint8Array, charset: string): string | null {
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\ufffd') && charset !== 'utf-8' ? null : text;
  } catch {
    return null;
  }
}
