import { type Frontier, openFrontier } from './frontier.js';
import { readEntries } from './leaf.js';
import { hashLength, leafHash } from './merkle.js';
import { Unreadable } from './unreadable.js';

const [tileWidth, tileHeight] = [256, 8];

/** The public files of a log (C2SP tlog-tiles). Nothing from this source is trusted before it is checked. */
export interface LogSource {
  /** The newest checkpoint, a signed note. */
  checkpoint(): Promise<Uint8Array>;
  /** A tile with at least its first `width` hashes or entries. Level 0 has the hashes of the leaves. */
  tile(level: number | 'entries', index: number, width: number): Promise<Uint8Array>;
}

/** The public files of a log that may follow others, and those of the logs before it. */
export interface SuccessorSource extends LogSource {
  /** The files of an earlier log, up to the last checkpoint of which the store still had every leaf. */
  former(log: number): LogSource;
  /**
   * What shows whether a workspace's tree has only grown: the root of its first `from` entries in the tree of the head at leaf
   * `index`, and behind it the hashes of the consistency proof between the two, 32 bytes each. Undefined where it is not there.
   */
  growth(index: number, from: number): Promise<Uint8Array | undefined>;
}

/** The roots of a log before and after the leaves that were read. */
interface Roots {
  readonly earlier: Uint8Array;
  readonly now: Uint8Array;
}

/**
 * Reads the leaves from `from` up to and without `size`, and computes the root of the tree. For the leaves before
 * `from` it reads one tile of each level, and the tile of entries in which the new ones begin.
 * @param take is called with every leaf from `from` on, in order
 * @param onLeaves is called after each tile with the number of leaves that are done
 * @returns also the root of the first `from` leaves in this tree
 * @throws Unreadable for tiles of another form
 */
export async function readLeaves(
  source: LogSource,
  { from, size }: { readonly from: number; readonly size: number },
  take: (index: number, leaf: Uint8Array) => void,
  onLeaves: (done: number) => void,
): Promise<Roots> {
  const begun = Math.floor(from / tileWidth);
  const frontier = await frontierOver(source, begun, size);
  let earlier = frontier.root();
  for (let index = begun; index * tileWidth < size; index += 1) {
    const width = Math.min(tileWidth, size - index * tileWidth);
    for (const leaf of readEntries(await source.tile('entries', index, width), width)) {
      const at = frontier.size();
      frontier.add(leafHash(leaf));
      if (at >= from) take(at, leaf);
      else earlier = frontier.root();
    }
    onLeaves(frontier.size());
  }
  return { earlier, now: frontier.root() };
}

/** The frontier of the first `tiles` complete tiles of leaves, read from the higher tiles of a tree of `size` leaves. */
async function frontierOver(source: LogSource, tiles: number, size: number): Promise<Frontier> {
  const frontier = openFrontier();
  const path: { level: number; index: number; width: number }[] = [];
  for (let [level, hashes] = [1, tiles]; hashes > 0; level += 1) {
    path.unshift({ level, index: Math.floor(hashes / tileWidth), width: hashes % tileWidth });
    hashes = Math.floor(hashes / tileWidth);
  }
  for (const { level, index, width } of path) {
    if (width === 0) continue;
    const inLevel = Math.floor(size / tileWidth ** level);
    const tile = await source.tile(level, index, Math.min(tileWidth, inLevel - index * tileWidth));
    if (tile.length < width * hashLength) throw new Unreadable(`a tile of level ${level} that is too short`);
    for (let at = 0; at < width; at += 1) {
      frontier.add(tile.slice(at * hashLength, (at + 1) * hashLength), level * tileHeight);
    }
  }
  return frontier;
}
