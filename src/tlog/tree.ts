import { hash as digest } from 'node:crypto';
import { emptyRoot, hashLength, rightEdge, siblings } from '../verifier/merkle.js';

/** Hashes of a complete tile, and how many levels of the tree one tile spans (C2SP tlog-tiles). */
export const tileWidth = 256;
const tileHeight = 8;

/**
 * Where a tree's hashes are kept, in tiles as C2SP tlog-tiles has them: level 0 holds the leaf hashes, and hash i of
 * level L is the root of the complete tile i of level L - 1.
 */
export interface Tiles {
  /**
   * The first `width` hashes of a tile, 32 bytes each, one behind the other. Only hashes in the tree are requested, so
   * missing hashes are an error. Proofs ask for all their tiles at once, before the first is there.
   */
  read(level: number, index: number, width: number): Promise<Uint8Array>;
}

/** The root of the first `size` leaves (RFC 6962 §2.1), 32 bytes. */
export async function treeRoot(tiles: Tiles, size: number): Promise<Uint8Array> {
  return size === 0 ? emptyRoot : subtree(tilesOf(tiles, size), 0, size);
}

/**
 * What shows that leaf `index` is in the tree of the first `size` leaves (RFC 6962 §2.1.1): at most 53 hashes of 32
 * bytes, from the leaf's sibling up. Reads at most two tiles of each level, and none twice.
 */
export async function inclusionProof(tiles: Tiles, index: number, size: number): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const read = tilesOf(tiles, size);
  return Promise.all(siblings(index, size - 1).map((sibling) => nodeAt(read, sibling.height, sibling.index, size)));
}

/**
 * What shows that the tree of the first `from` leaves is the beginning of that of the first `to` (RFC 6962 §2.1.2).
 * Empty when the two are the same. Reads at most two tiles of each level, and none twice.
 */
export async function consistencyProof(tiles: Tiles, from: number, to: number): Promise<Uint8Array[]> {
  if (!(from > 0 && from <= to)) throw new RangeError(`a tree of ${from} leaves does not grow to ${to}`);
  if (from === to) return [];
  const read = tilesOf(tiles, to);
  const { node, last, height } = rightEdge(from, to);
  const above = siblings(node, last).map((one) => ({ height: height + one.height, index: one.index }));
  const path = node === 0 ? above : [{ height, index: node }, ...above];
  return Promise.all(path.map((one) => nodeAt(read, one.height, one.index, to)));
}

/** A hash of a level above 0 that a growing tree has come to have: it belongs at `offset` of tile `index`. */
export interface Completed {
  readonly level: number;
  readonly index: number;
  readonly offset: number;
  readonly hash: Uint8Array;
}

/**
 * The hashes that the levels above 0 get when a tree grows from `from` to `to` leaves, each behind those it depends on and
 * each level's in order, so that they can be appended as they come, in batches of any size. The leaf hashes up to `to`
 * must be there already, and of the levels above what the tree of `from` leaves has. Holds one tile of each level. A million
 * leaves take 3.3 s with the tiles in memory, where SHA-256 of as many pairs takes 2.0 (`npm run bench -- tree`).
 */
export async function* grow(tiles: Tiles, from: number, to: number): AsyncGenerator<Completed> {
  const open: Uint8Array[] = [];
  for (let leaves = tilesIn(from); leaves < tilesIn(to); leaves += 1) {
    let hash = fold(await readTile(tiles, 0, leaves, tileWidth));
    let position = leaves;
    for (let level = 1; ; level += 1) {
      const [index, offset] = [tilesIn(position), position % tileWidth];
      yield { level, index, offset, hash };
      const tile = open[level] ?? (await beginning(tiles, level, index, offset));
      open[level] = tile;
      tile.set(hash, offset * hashLength);
      if (offset < tileWidth - 1) break;
      hash = fold(tile);
      position = index;
    }
  }
}

const tilesIn = (hashes: number): number => Math.floor(hashes / tileWidth);

/** Room for a tile, with the first `width` hashes that are stored of it. */
async function beginning(tiles: Tiles, level: number, index: number, width: number): Promise<Uint8Array> {
  const tile = new Uint8Array(tileWidth * hashLength);
  if (width > 0) tile.set(await readTile(tiles, level, index, width));
  return tile;
}

async function readTile(tiles: Tiles, level: number, index: number, width: number): Promise<Uint8Array> {
  const hashes = await tiles.read(level, index, width);
  if (hashes.length === width * hashLength) return hashes;
  throw new Error(`tile ${index} of level ${level} has ${hashes.length} bytes where ${width} hashes should be`);
}

/** Reads a tile as the tree of this size has it. */
type ReadTile = (level: number, index: number) => Promise<Uint8Array>;

function tilesOf(tiles: Tiles, size: number): ReadTile {
  const asked = new Map<string, Promise<Uint8Array>>();
  return (level, index) => {
    const key = `${level}/${index}`;
    const before = asked.get(key);
    if (before) return before;
    const inLevel = Math.floor(size / tileWidth ** level);
    const tile = readTile(tiles, level, index, Math.min(tileWidth, inLevel - index * tileWidth));
    asked.set(key, tile);
    return tile;
  };
}

/** The hash of a node `height` above the leaves; the last one there may have fewer leaves under it. */
function nodeAt(read: ReadTile, height: number, index: number, size: number): Promise<Uint8Array> {
  const leaves = 2 ** height;
  return subtree(read, index * leaves, Math.min((index + 1) * leaves, size));
}

/** The root of the leaves from `start` to before `end`, where `start` is a multiple of a power of two not below their number. */
async function subtree(read: ReadTile, start: number, end: number): Promise<Uint8Array> {
  const complete: Promise<Uint8Array>[] = [];
  // Complete subtrees, ever smaller: the left one of two is always the largest that fits (RFC 6962 §2.1).
  for (let at = start; at < end; ) {
    const height = heightOf(end - at);
    complete.push(completeSubtree(read, height, at / 2 ** height));
    at += 2 ** height;
  }
  const hashes = await Promise.all(complete);
  return hashes.reduceRight((right, left) => node(left, right));
}

/** The height of the largest complete subtree of at most this number of leaves. */
function heightOf(leaves: number): number {
  let height = 0;
  while (2 ** (height + 1) <= leaves) height += 1;
  return height;
}

async function completeSubtree(read: ReadTile, height: number, index: number): Promise<Uint8Array> {
  const level = Math.floor(height / tileHeight);
  const width = 2 ** (height % tileHeight);
  const first = index * width;
  const tile = await read(level, tilesIn(first));
  const offset = first % tileWidth;
  return fold(tile.subarray(offset * hashLength, (offset + width) * hashLength));
}

/** The root over hashes one behind the other, whose number is a power of two. */
function fold(hashes: Uint8Array): Uint8Array {
  const level = Buffer.from(hashes);
  for (let end = hashes.length; end > hashLength; end /= 2) {
    for (let at = 0; at < end; at += 2 * hashLength) {
      level.copy(pair, 1, at, at + 2 * hashLength);
      level.write(pairHash(), at / 2, 'hex');
    }
  }
  return Uint8Array.from(level.subarray(0, hashLength));
}

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + hashLength);
  return Uint8Array.from(Buffer.from(pairHash(), 'hex'));
}

/** Two hashes behind the prefix of an inner node. A buffer for each pair would take as long again as the hashing. */
const pair = Buffer.alloc(1 + 2 * hashLength);
pair[0] = 1;

/**
 * SHA-256(0x01 ‖ left ‖ right) of what is in `pair` (RFC 6962 §2.1), in hex: making a text and writing it to where it
 * belongs takes a third less time than making a buffer.
 */
function pairHash(): string {
  return digest('sha256', pair, 'hex');
}
