import { concat } from './bytes.js';
import { readCanonical } from './canonical.js';
import { type Head, readHeadLeaf } from './head.js';
import { type KeyEvent, readKeyEndLeaf, readKeyLeaf } from './keys.js';
import { anyObject } from './shape.js';
import { Unreadable } from './unreadable.js';

/** What may stand in the public log. */
export type Leaf = { readonly type: 'head'; readonly head: Head } | { readonly type: 'key'; readonly event: KeyEvent };

/** @throws Unreadable for bytes that are no leaf of a known type in canonical form */
export function readLeaf(bytes: Uint8Array): Leaf {
  const { type } = anyObject(readCanonical(bytes), 'the leaf');
  if (type === 'head') return { type, head: readHeadLeaf(bytes) };
  if (type === 'key') return { type, event: readKeyLeaf(bytes) };
  if (type === 'key_end') return { type: 'key', event: readKeyEndLeaf(bytes) };
  throw new Unreadable('a leaf of an unknown type');
}

/**
 * Takes an entry bundle apart: each entry behind its length in two bytes, big endian (C2SP tlog-tiles).
 * @param width how many entries are wanted; a tile that has grown since may have more
 * @throws Unreadable when it has fewer, or ends within one
 */
export function readEntries(tile: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  for (let at = 0; entries.length < width; ) {
    const [high, low] = tile.subarray(at, at + 2);
    if (high === undefined || low === undefined) {
      throw new Unreadable(`a tile of ${entries.length} entries instead of ${width}`);
    }
    const end = at + 2 + 256 * high + low;
    if (end > tile.length) throw new Unreadable(`a tile that ends within its entry ${entries.length}`);
    // A copy: whoever keeps one entry would otherwise keep the whole tile.
    entries.push(concat(tile.subarray(at + 2, end)));
    at = end;
  }
  return entries;
}
