import type { LogLeaf } from './bundle.js';
import { toUtf8 } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { leafHash, verifyInclusion } from './merkle.js';
import { type Note, parseNote } from './note.js';
import { Unreadable } from './unreadable.js';

/** The heads log, as a checkpoint of it says it is. */
export interface Log extends Checkpoint {
  readonly note: Note;
}

/** Lines in a checkpoint: every one of a known key takes a signature check of some milliseconds. */
const maxSignatures = 8;

/** @throws Unreadable for what is no checkpoint in a signed note, for more than 8 signatures and two of one key */
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
