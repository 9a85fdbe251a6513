import { concat } from './bytes.js';
import { readCanonical } from './canonical.js';
import { type Head, readHeadLeaf } from './head.js';
import { type KeyEvent, readKeyEndLeaf, readKeyEvent, readKeyLeaf } from './keys.js';
import { anyObject } from './shape.js';
import { readSuccession, type Succession } from './succession.js';
import { Unreadable } from './unreadable.js';

/** A leaf of the transparency log. */
export type Leaf =
  | { readonly type: 'head'; readonly head: Head }
  | { readonly type: 'key'; readonly event: KeyEvent }
  | { readonly type: 'succession'; readonly succession: Succession };

/** @throws Unreadable for bytes that are not a leaf of a known type in canonical form */
export function readLeaf(bytes: Uint8Array): Leaf {
  const { type } = anyObject(readCanonical(bytes), 'the leaf');
  if (type === 'head') return { type, head: readHeadLeaf(bytes) };
  if (type === 'key') return { type, event: readKeyLeaf(bytes) };
  if (type === 'key_end') return { type: 'key', event: readKeyEndLeaf(bytes) };
  if (type === 'succession') return { type, succession: readSuccession(bytes) };
  throw new Unreadable('a leaf of an unknown type');
}

/** A leaf about the keys of the log, or null for the succession with which a log may begin. @throws Unreadable for other leaves */
export function keyEventOf(bytes: Uint8Array): KeyEvent | null {
  const { type } = anyObject(readCanonical(bytes), 'the key leaf');
  if (type !== 'succession') return readKeyEvent(bytes);
  readSuccession(bytes);
  return null;
}

/**
 * Splits a tile of entries: each entry follows its length in two bytes, big endian (C2SP tlog-tiles).
 * @param width the number of entries to read; a tile that has grown since then may have more
 * @throws Unreadable when it has fewer entries, or ends within an entry
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
    // A copy, because a reference to one entry would keep the whole tile in memory.
    entries.push(concat(tile.subarray(at + 2, end)));
    at = end;
  }
  return entries;
}
