/** The size of a page in bytes, in every PostgreSQL that this project uses. */
export const pageBytes = 8192;

/** The offset of the checksum in a page. It has 16 bits and counts as zero while the checksum is computed. */
const checksumAt = 8;

/** The initial values of the checksum's 32 sums. They are part of PostgreSQL's file format. */
const seeds = Int32Array.of(
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
);
const lanes = seeds.length;
const prime = 16777619;

const sums = new Int32Array(lanes);

/** PostgreSQL's checksum of a page, a parallel FNV-1a, which also depends on the number of its block. */
export function pageChecksum(page: DataView, block: number): number {
  sums.set(seeds);
  for (let at = 0; at < pageBytes; at += 4 * lanes) {
    for (let lane = 0; lane < lanes; lane++) add(lane, wordAt(page, at + 4 * lane));
  }
  for (let round = 0; round < 2; round++) for (let lane = 0; lane < lanes; lane++) add(lane, 0);
  const sum = sums.reduce((all, one) => all ^ one, 0) ^ block;
  return ((sum >>> 0) % 65535) + 1;
}

function add(lane: number, word: number): void {
  const mixed = (sums[lane] ?? 0) ^ word;
  sums[lane] = Math.imul(mixed, prime) ^ (mixed >>> 17);
}

const wordAt = (page: DataView, at: number): number =>
  at === checksumAt ? page.getInt32(at, true) & ~0xffff : page.getInt32(at, true);

export const storedChecksum = (page: DataView): number => page.getUint16(checksumAt, true);

export const storeChecksum = (page: DataView, checksum: number): void => page.setUint16(checksumAt, checksum, true);

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
