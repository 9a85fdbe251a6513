/** What windows-1252 has where ISO 8859-1 has control characters; five places are empty. Node's own decoder lacks them. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Bytes as the text they most likely are: what a byte order mark says, else what whoever sent them declares, else UTF-8
 * when they are valid UTF-8, else windows-1252, which is what old programs of Europe and America write.
 * @param declared the charset of a Content-Type or of a page; one that nobody knows is as good as none
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const encoding = markedEncoding(bytes) ?? knownEncoding(declared);
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** The charset that a page declares in its first kilobyte, as browsers look for it. */
export function charsetOfPage(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const charset = /<meta\s[^>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(start)?.[1];
  // A page whose declaration can be read byte by byte is not in UTF-16, whatever it says.
  return charset !== undefined && /^utf-?16/i.test(charset) ? 'utf-8' : charset;
}

/** The parameter of a media type: `text/plain; charset=koi8-r`. */
export function charsetOfType(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?\s*([\w:.-]{1,40})/i.exec(contentType.slice(0, 500))?.[1];
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character);
}
