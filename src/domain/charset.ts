/** The characters of windows-1252 at 0x80 to 0x9f, of which five are undefined. Node's decoder does not have them. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes bytes with the most likely encoding: the one of the byte order mark, else the declared one, else UTF-8 if the
 * bytes are valid UTF-8, else windows-1252, which old programs in Europe and America write.
 * @param declared the charset of a Content-Type or of a page; an unknown one is ignored
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

/** The charset that a page declares in its first kilobyte, where browsers look for it too. */
export function charsetOfPage(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const charset = /<meta\s[^>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(start)?.[1];
  // If the declaration can be read byte by byte, the page is not in UTF-16, even if it says so.
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
