import { concat, fromHex } from './bytes.js';
import { readCanonical } from './canonical.js';
import type { Json } from './json.js';
import { type KeyEvent, readKeyEndLeaf, readKeyEvent, readKeyLeaf } from './keys.js';
import { hashLength } from './merkle.js';
import { anyObject, count, object, text } from './shape.js';
import { readSuccession, type Succession } from './succession.js';
import { Unreadable } from './unreadable.js';

/** The content of a leaf of the transparency log about one workspace, which it does not name. */
export interface Head {
  /** Hash of the last entry. */
  readonly headHash: Uint8Array;
  /** Root of the tree of all entries (RFC 6962). */
  readonly root: Uint8Array;
  /** Number of entries. */
  readonly size: number;
  /** HMAC-SHA-256(tag key of the workspace, workspace id): only a holder of the key sees which heads belong together. */
  readonly tag: Uint8Array;
}

/** @throws Unreadable for bytes that are not a head leaf of version 1 in canonical form */
export function readHeadLeaf(bytes: Uint8Array): Head {
  const leaf = object(readCanonical(bytes), 'the head leaf', ['head_hash', 'root', 'size', 'tag', 'type', 'v']);
  if (leaf.type !== 'head' || leaf.v !== 1) throw new Unreadable('the head leaf is not of type head and version 1');
  return {
    headHash: hash(leaf.head_hash, 'its head_hash'),
    root: hash(leaf.root, 'its root'),
    size: count(leaf.size, 'its size'),
    tag: hash(leaf.tag, 'its tag'),
  };
}

function hash(value: Json | undefined, what: string): Uint8Array {
  const hex = text(value, what);
  if (hex.length !== 2 * hashLength) throw new Unreadable(`${what} does not have 32 bytes`);
  return fromHex(hex);
}

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
