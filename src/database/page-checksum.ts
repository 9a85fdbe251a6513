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
