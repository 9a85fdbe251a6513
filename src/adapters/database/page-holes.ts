import { pageBytes, pageChecksum, storeChecksum, storedChecksum } from './page-checksum.js';

/** Offsets in the header of a page: where its line pointers end, where its rows begin and end, and size with version. */
const header = { lower: 12, upper: 14, special: 16, sizeAndVersion: 18, bytes: 24 };
const sizeAndVersion = pageBytes | 4;
/** Blocks of a file; a larger table goes on in files with the suffixes .1, .2 and so on. */
const blocksPerFile = 131_072;

/** The main files of tables and indexes. The maps beside them (`_fsm`, `_vm`) keep their content where others have a hole. */
const relationFile = /\/base\/\d+\/\d+(?:\.(\d+))?$/;

/**
 * PostgreSQL forgets a row by moving the others of its page together. What the row said stays in the hole between line
 * pointers and rows until something else is written there. This takes the pages that are about to be written to a file of
 * a table or index and gives copies whose holes are zeros, so that a vacuum and a checkpoint are enough to forget: without
 * it whole tables had to be written again, and everybody waited.
 *
 * PostgreSQL never reads a hole, and leaves it out of the write-ahead log for the same reason.
 * @returns null when nothing has to be changed, or this is not a table's file
 */
export function withoutHoles(path: string, bytes: Uint8Array, position: number): Uint8Array | null {
  const match = relationFile.exec(path);
  if (!match || position % pageBytes !== 0 || bytes.length % pageBytes !== 0) return null;
  const firstBlock = Number(match[1] ?? 0) * blocksPerFile + position / pageBytes;
  let cleaned: Uint8Array | null = null;
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const hole = holeOf(bytes, at);
    if (!hole || isZero(bytes, at + hole.from, at + hole.to)) continue;
    const block = firstBlock + at / pageBytes;
    const page = (of: Uint8Array) => new DataView(of.buffer, of.byteOffset + at, pageBytes);
    const checksum = storedChecksum(page(bytes));
    // A page whose checksum we would not have computed is one that we do not understand: it is left alone.
    if (checksum !== 0 && checksum !== pageChecksum(page(bytes), block)) continue;
    cleaned ??= Uint8Array.from(bytes);
    cleaned.fill(0, at + hole.from, at + hole.to);
    if (checksum !== 0) storeChecksum(page(cleaned), pageChecksum(page(cleaned), block));
  }
  return cleaned;
}

/** @returns null when this does not look like a page with rows in it */
function holeOf(bytes: Uint8Array, at: number): { from: number; to: number } | null {
  const page = new DataView(bytes.buffer, bytes.byteOffset + at, pageBytes);
  const number = (offset: number) => page.getUint16(offset, true);
  const [lower, upper, special] = [number(header.lower), number(header.upper), number(header.special)];
  const sound = header.bytes <= lower && lower < upper && upper <= special && special <= pageBytes;
  return sound && number(header.sizeAndVersion) === sizeAndVersion ? { from: lower, to: upper } : null;
}

const zeros = Buffer.alloc(pageBytes);

const isZero = (bytes: Uint8Array, from: number, to: number): boolean =>
  zeros.compare(bytes, from, to, 0, to - from) === 0;
