import type { LogLeaf } from './bundle.js';
import { toUtf8 } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { leafHash, verifyInclusion } from './merkle.js';
import { type Note, parseNote } from './note.js';
import { Unreadable } from './unreadable.js';

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
