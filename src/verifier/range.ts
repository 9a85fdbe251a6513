import { toHex } from './bytes.js';
import { readCanonical } from './canonical.js';
import { openFrontier } from './frontier.js';
import { leafHash } from './merkle.js';
import { anyObject, count, text } from './shape.js';
import { attempt, Unreadable } from './unreadable.js';

/** The first entries of a chain, read from a file, without their texts. */
export interface EntryRange {
  /** Null for a file without entries. */
  readonly workspaceId: string | null;
  /** The number of entries that follow each other, from entry 1 on. */
  readonly size: number;
  /** The root of the tree of these entries. */
  readonly root: Uint8Array;
  /** The hash of the last one. */
  readonly lastHash: Uint8Array | null;
  /** A sentence about the first entry that does not follow the one before it; null when there is none. */
  readonly fault: string | null;
}

export interface RangeReader {
  /** Takes the canonical bytes of the next entry. Nothing is read after a fault. */
  take(bytes: Uint8Array): void;
  /** A fault that the reader of the file has found. */
  fail(fault: string): void;
  range(): EntryRange;
}

/** No entry is longer. */
export const longestEntry = 512 * 1024;

/** Follows the entries of a chain with the hashes of one path in memory, however many entries there are. */
export function openRange(): RangeReader {
  const frontier = openFrontier();
  let workspaceId: string | null = null;
  let last: Uint8Array | null = null;
  let fault: string | null = null;

  function follow(bytes: Uint8Array): object {
    if (bytes.length > longestEntry) throw new Unreadable(`it has more than ${longestEntry} bytes`);
    const entry = anyObject(readCanonical(bytes), 'the entry');
    const number = frontier.size() + 1;
    const seq = count(entry.seq, 'its seq');
    const workspace = text(entry.workspace_id, 'its workspace_id');
    if (seq !== number) throw new Unreadable(`it is entry ${seq} of its chain`);
    if (workspaceId !== null && workspace !== workspaceId) throw new Unreadable('it belongs to another workspace');
    if (last !== null && text(entry.prev_hash, 'its prev_hash') !== toHex(last)) {
      throw new Unreadable('it does not name the hash of the entry before it');
    }
    workspaceId = workspace;
    last = leafHash(bytes);
    frontier.add(last);
    return entry;
  }

  return {
    take(bytes) {
      if (fault !== null) return;
      const result = attempt(() => follow(bytes));
      if (typeof result === 'string') fault = `Entry ${frontier.size() + 1} of the file is wrong: ${result}`;
    },
    fail(sentence) {
      fault ??= sentence;
    },
    range: () => ({ workspaceId, size: frontier.size(), root: frontier.root(), lastHash: last, fault }),
  };
}
