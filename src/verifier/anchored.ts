import { sha256 } from '@noble/hashes/sha2.js';
import type { Bundle, Timestamped } from './bundle.js';
import { toUtf8 } from './bytes.js';
import { type Log, readLog } from './log.js';
import { verifyConsistency } from './merkle.js';
import { type VerifierKey, verifyNote } from './note-key.js';
import { attempt } from './unreadable.js';

/** An anchored checkpoint, and whether it stands for the bundle's. */
export interface Anchored {
  readonly anchor: Timestamped;
  /** SHA-256 of the text that was anchored; null when it cannot be read. */
  readonly digest: Uint8Array | null;
  /** The number of leaves, when it is a later checkpoint. */
  readonly later: number | null;
  readonly signatures: number;
  /** What is wrong with it, a sentence. */
  readonly fault: string | null;
}

/** Every timestamped checkpoint of the bundle, with what is wrong with each. */
export function anchoredCheckpoints(
  { anchors }: Bundle,
  log: Log | string | null,
  keys: readonly VerifierKey[],
): Anchored[] {
  return anchors.flatMap((anchor) => (anchor.type === 'opentimestamps' ? [follow(anchor, log, keys)] : []));
}

function follow(anchor: Timestamped, log: Log | string | null, keys: readonly VerifierKey[]): Anchored {
  if (log === null || typeof log === 'string') return unknown(anchor, 'the checkpoint cannot be read');
  const { later } = anchor;
  if (!later) return { anchor, digest: digestOf(log), later: null, signatures: 0, fault: null };
  const read = attempt(() => readLog(later.checkpoint));
  if (typeof read === 'string') return unknown(anchor, `it cannot be read: ${read}`);
  const fault = faultOfLater(log, read, later.consistency) ?? faultOfSignatures(read, keys);
  return { anchor, digest: digestOf(read), later: read.size, signatures: read.note.signatures.length, fault };
}

function unknown(anchor: Timestamped, fault: string): Anchored {
  return { anchor, digest: null, later: null, signatures: 0, fault };
}

/** Of the text without its signatures, as others may add some later. */
function digestOf({ note }: Log): Uint8Array {
  return sha256(toUtf8(note.text));
}

function faultOfLater(log: Log, later: Log, proof: readonly Uint8Array[]): string | null {
  if (later.origin !== log.origin) return `it is of another log, ${later.origin}`;
  return verifyConsistency({ from: log.size, fromRoot: log.root, to: later.size, toRoot: later.root, proof });
}

/**
 * Nobody has to have signed a later checkpoint: that its root contains the bundle's one is shown by the proof. It may be
 * signed by a key that is not yet in the bundle's history. But a wrong signature of a known key is one.
 */
function faultOfSignatures({ note }: Log, keys: readonly VerifierKey[]): string | null {
  const known = keys.filter(({ name, id }) => note.signatures.some((line) => line.name === name && line.keyId === id));
  if (known.length === 0) return null;
  const signed = verifyNote(note, known);
  return typeof signed === 'string' ? signed : null;
}
