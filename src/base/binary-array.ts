/** The numbers of types of PostgreSQL, which are the same in every database. A type of an extension has its own in each. */
export const typeNumbers = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  text: 25,
  float4: 700,
  timestamptz: 1184,
  uuid: 2950,
  tsvector: 3614,
} as const;

const headBytes = 20;

/**
 * A list of values as PostgreSQL's binary form of an array, so that a statement takes values in their own binary form. Written as
 * text, a vector of 256 dimensions has three times the bytes, and PGlite needs 40 µs to read it.
 * @param type the number of the type of the elements
 * @param elements each in the form that the type's receive function reads; null for no value
 * @see https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES
 */
export function binaryArray(type: number, elements: readonly (Uint8Array | null)[]): Uint8Array {
  const size = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), headBytes);
  const bytes = Buffer.allocUnsafe(size);
  const hasNulls = Number(elements.includes(null));
  // One dimension, whether there are nulls, the type of the elements, their number, and the index of the first.
  for (const [i, number] of [1, hasNulls, type, elements.length, 1].entries()) bytes.writeInt32BE(number, 4 * i);
  let at = headBytes;
  for (const element of elements) {
    at = bytes.writeInt32BE(element?.length ?? -1, at);
    if (element === null) continue;
    bytes.set(element, at);
    at += element.length;
  }
  return bytes;
}

/** The same of floats of 32 bits, of which PostgreSQL's type is `float4[]`. @param count of all of them */
export function binaryFloats(lists: readonly Float32Array[], count: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(headBytes + 8 * count);
  for (const [i, number] of [1, 0, typeNumbers.float4, count, 1].entries()) bytes.writeInt32BE(number, 4 * i);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let at = headBytes;
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 1, at += 8) {
      view.setInt32(at, 4);
      view.setFloat32(at + 4, list[i] ?? 0);
    }
  }
  return bytes;
}
