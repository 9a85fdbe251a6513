import { Unreadable } from '../unreadable.js';

/** Reads bytes from front to back. Every error says what was expected, and at which offset. */
export interface Cursor {
  /** Bytes read so far, counted from the start of the file. */
  offset(): number;
  byte(what: string): number;
  bytes(length: number, what: string): Uint8Array;
  /** An unsigned number in groups of seven bits, the lowest group first (LEB128). */
  varuint(what: string): number;
  /** A varuint, and the number of bytes that it says. */
  varbytes(least: number, most: number, what: string): Uint8Array;
  /** @throws Unreadable when there are more bytes */
  end(what: string): void;
}

/** Five groups are enough for every block height and length. */
const varuintGroups = 5;

/** @param start the offset of the first of `bytes` in the file, for the offsets in messages */
export function cursor(source: Uint8Array, start = 0): Cursor {
  // Slicing Node's own kind of byte array does not copy, so the results would change with the file.
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.length);
  let at = 0;

  function take(length: number, what: string): Uint8Array {
    if (length > bytes.length - at) throw new Unreadable(`the file ends within ${what} at byte ${start + at}`);
    at += length;
    return bytes.subarray(at - length, at);
  }

  function byte(what: string): number {
    const [value = 0] = take(1, what);
    return value;
  }

  function varuint(what: string): number {
    const from = start + at;
    let value = 0;
    for (let group = 0; group < varuintGroups; group += 1) {
      const read = byte(what);
      value += (read & 0x7f) * 2 ** (7 * group);
      if (read >= 0x80) continue;
      // Otherwise one timestamp would have several encodings.
      if (read === 0 && group > 0) throw new Unreadable(`${what} at byte ${from} is not in its shortest form`);
      return value;
    }
    throw new Unreadable(`${what} at byte ${from} has more than ${varuintGroups} bytes`);
  }

  function varbytes(least: number, most: number, what: string): Uint8Array {
    const from = start + at;
    const length = varuint(`the length of ${what}`);
    if (length < least || length > most) {
      throw new Unreadable(`${what} at byte ${from} has ${length} bytes: ${least} to ${most} are allowed`);
    }
    return take(length, what);
  }

  function end(what: string): void {
    if (at < bytes.length) throw new Unreadable(`${bytes.length - at} bytes follow ${what} at byte ${start + at}`);
  }

  return { offset: () => start + at, byte, bytes: take, varuint, varbytes, end };
}

/** The inverse of the cursor's `varuint`. @throws RangeError for a value that is not an integer from 0 to 2^35 - 1 */
export function varuint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** (7 * varuintGroups)) {
    throw new RangeError(`${value} cannot be written as a varuint`);
  }
  const groups: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    groups.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return Uint8Array.from(groups);
}
