import iconv from 'iconv-lite';

/** ASCII is its own charset here. The Encoding Standard takes it for windows-1252, which would read any byte. */
const ascii = /^(?:us-?ascii|ascii|ansi_x3\.4-19\d\d|iso646-us|iso_646\.irv:1991|cp367|ibm367)$/;
/** The encodings of the library that are none of texts. */
const noCharsets = /^(?:base64|hex|binary|internal)$/i;
/** Of these, one character is more than one byte, and not every sequence of bytes is a text. */
const multiByte = /^(?:utf|shift_jis|euc-|iso-2022|gb|big5|cp9\d\d)/;

/**
 * The name of the charset that a label means: the one of the Encoding Standard, also for spellings such as `cp-1251` and `Latin-1`
 * that it does not have, else one that only the library knows, such as `cp850`. Undefined for a label that neither of them knows.
 */
export function charsetNamed(label: string): string | undefined {
  const spelt = label.trim().toLowerCase();
  if (ascii.test(spelt)) return 'us-ascii';
  const plain = spelt.replace(/[^a-z0-9]/g, '');
  for (const name of [spelt, plain]) {
    try {
      return new TextDecoder(name).encoding;
    } catch {
      // Not a label of the standard.
    }
  }
  return iconv.encodingExists(spelt) && !noCharsets.test(plain) ? plain : undefined;
}

export function isMultiByte(charset: string): boolean {
  return multiByte.test(charset);
}

/** C1 controls: bytes 80 to 9F that no text has, and that a charset shows which is not that of the text. */
export function holdsC1(text: string): boolean {
  return /[\u0080-\u009f]/.test(text);
}

/** @returns null if a byte is no part of a character in this charset, or would be a C1 control */
export function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  const text = decoded(bytes, charset);
  return text === null || text.includes('\ufffd') || !text.isWellFormed() || holdsC1(text) ? null : text;
}

function decoded(bytes: Uint8Array, charset: string): string | null {
  if (charset === 'us-ascii') return bytes.some((byte) => byte > 0x7f) ? null : Buffer.from(bytes).toString('latin1');
  // The library leaves out the last byte of a text that was cut within a unit.
  if (/^utf-?16/.test(charset) && bytes.length % 2 !== 0) return null;
  // Of several single-byte charsets the decoder of Node reads bytes that are undefined; the library marks them. Its
  // macintosh is the one from before the euro.
  if (charset !== 'macintosh' && iconv.encodingExists(charset)) return iconv.decode(Buffer.from(bytes), charset);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
