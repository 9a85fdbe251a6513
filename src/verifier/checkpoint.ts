import { fromBase64 } from './bytes.js';
import { hashLength } from './merkle.js';
import { Unreadable } from './unreadable.js';

/** The number of leaves of a log and their root, as the log claims them (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log: one line, not empty. */
  readonly origin: string;
  /** Number of leaves, a safe integer. */
  readonly size: number;
  /** RFC 6962 root, 32 bytes. */
  readonly root: Uint8Array;
  /** Further lines, without a meaning here; none of them is empty. */
  readonly extensions: readonly string[];
}

/**
 * Reads the text of a note (with its last newline) as a checkpoint (C2SP tlog-checkpoint).
 * @throws Unreadable for a text of another form, and for more leaves than a safe integer counts
 */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Unreadable('a checkpoint whose last line does not end');
  const [origin, count, encoded, ...extensions] = lines;
  if (origin === undefined || count === undefined || encoded === undefined) {
    throw new Unreadable('a checkpoint of fewer than three lines');
  }
  if (lines.includes('')) throw new Unreadable('a checkpoint with an empty line');
  const size = Number(count);
  if (!/^(0|[1-9][0-9]{0,15})$/.test(count) || !Number.isSafeInteger(size)) {
    throw new Unreadable('a checkpoint whose size is not a number of leaves');
  }
  const root = fromBase64(encoded);
  if (root.length !== hashLength) throw new Unreadable('a checkpoint whose root does not have 32 bytes');
  return { origin, size, root, extensions };
}
