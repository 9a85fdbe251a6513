import { pageBytes, pageChecksum, storeChecksum, storedChecksum } from './page-checksum.js';

/** Offsets in the header of a page: the end of its line pointers, the start and end of its rows, and size with version. */
const header = { lower: 12, upper: 14, special: 16, sizeAndVersion: 18, bytes: 24 };
const sizeAndVersion = pageBytes | 4;
/** The number of blocks of a file. A larger table continues in files with the suffixes .1, .2 and so on. */
const blocksPerFile = 131_072;

/** The main files of tables and indexes. The maps of a table (`_fsm`, `_vm`) have content where these files have a hole. */
const relationFile = /\/base\/\d+\/\d+(?:\.(\d+))?$/;

/**
 * PostgreSQL removes a row by moving the other rows of its page together. The bytes of the row stay in the hole between
 * line pointers and rows until they are overwritten. This function takes the pages that are about to be written to a
 * file of a table or index and returns copies whose holes are zeros, so that a vacuum and a checkpoint are enough to
 * erase a row. Without it whole tables had to be rewritten, which blocked all requests.
 *
 * PostgreSQL never reads a hole, and for the same reason does not write it to the write-ahead log.
 * @returns null when nothing has to be changed, or this is not a file of a table or index
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
    // If our checksum differs from the stored one, we do not understand the page and leave it unchanged.
    if (checksum !== 0 && checksum !== pageChecksum(page(bytes), block)) continue;
    cleaned ??= Uint8Array.from(bytes);
    cleaned.fill(0, at + hole.from, at + hole.to);
    if (checksum !== 0) storeChecksum(page(cleaned), pageChecksum(page(cleaned), block));
  }
  return cleaned;
}

/** @returns null when this does not look like a page with rows */
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
