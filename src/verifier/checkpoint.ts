import type { LogLeaf } from './bundle.js';
import { fromBase64, toUtf8 } from './bytes.js';
import { hashLength, leafHash, verifyInclusion } from './merkle.js';
import { type Note, parseNote } from './note.js';
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

/** The state of the transparency log that a checkpoint describes. */
export interface Log extends Checkpoint {
  readonly note: Note;
}

/** The largest number of signatures of a checkpoint: checking one by a known key takes some milliseconds. */
const maxSignatures = 8;

/** @throws Unreadable for a text that is not a signed note with a checkpoint, more than 8 signatures, or two by one key */
export function readLog(checkpoint: string): Log {
  const note = parseNote(toUtf8(checkpoint));
  if (note.signatures.length > maxSignatures) throw new Unreadable(`more than ${maxSignatures} signatures`);
  const signers = new Set(note.signatures.map(({ name, keyId }) => `${name}+${keyId}`));
  if (signers.size < note.signatures.length) throw new Unreadable('two signatures of one key');
  return { ...parseCheckpoint(note.text), note };
}

/** @returns null when the leaf is in the log, or a sentence that says what is wrong */
export function faultOfLeaf({ leaf, index, inclusion }: LogLeaf, { size, root }: Checkpoint): string | null {
  return verifyInclusion({ leaf: leafHash(leaf), index, size, proof: inclusion, root });
}
