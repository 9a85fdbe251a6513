import iconv from 'iconv-lite';

/** What becomes of a text of the corpus: its text with what was assumed, or the code of the refusal. */
export type ExpectedText =
  | {
      readonly text: string;
      /** Of charsets that read these bytes alike any one may be named. Absent when nothing is assumed. */
      readonly assumed?: { readonly charset?: string | readonly string[]; readonly replaced?: number };
    }
  | { readonly refused: 'unsupported_file' | 'no_text' };

/** A text of the corpus: its path in the folder, its bytes, and the media type that is declared for it; '' for none. */
export interface TextCase {
  readonly path: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly expected: ExpectedText;
}

/** The bytes of a text in a charset. @throws Error when the charset has not all of its characters */
export function encoded(text: string, charset: string): Buffer {
  if (charset === 'iso-2022-jp') return iso2022(text);
  const bytes = iconv.encode(text, charset);
  if (iconv.decode(bytes, charset) !== text) throw new Error(`${charset} has not all characters of: ${text}`);
  return bytes;
}

/** The library does not write ISO-2022-JP, which is EUC-JP with seven bits, between sequences that switch the set (RFC 1468). */
function iso2022(text: string): Buffer {
  const parts = text.split(/([\u3000-\u9fff\uff00-\uffef]+)/).map((part, at) => {
    if (at % 2 === 0) return Buffer.from(part, 'ascii');
    const pairs = iconv.encode(part, 'euc-jp').map((byte) => byte & 0x7f);
    return Buffer.concat([Buffer.from('\x1b$B'), pairs, Buffer.from('\x1b(B')]);
  });
  return Buffer.concat(parts);
}
