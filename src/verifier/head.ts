import { fromHex } from './bytes.js';
import { readCanonical } from './canonical.js';
import type { Json } from './json.js';
import { hashLength } from './merkle.js';
import { count, object, text } from './shape.js';
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
