const catalog = /\/Type\s*\/Catalog\b/g;
/** How far before its type the number of an object is looked for. */
const head = 2000;

/**
 * A file that was cut off has lost its trailer, which names the object with which a reader begins. This writes one.
 * @returns null if there is no such object
 */
export function repaired(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes);
  const text = file.toString('latin1');
  if (text.includes('/Encrypt')) return null;
  for (const found of text.matchAll(catalog)) {
    const before = text.slice(Math.max(0, found.index - head), found.index);
    const start = /(\d{1,8}) (\d{1,5}) obj\b(?!.*\bobj\b)/s.exec(before);
    if (start) return Buffer.concat([file, Buffer.from(`\ntrailer\n<< /Root ${start[1]} ${start[2]} R >>\n%%EOF\n`)]);
  }
  return null;
}
