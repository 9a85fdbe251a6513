import { sha256 } from '@noble/hashes/sha2.js';
import type { Bundle, Timestamped } from './bundle.js';
import { toUtf8 } from './bytes.js';
import { type Log, readLog } from './log.js';
import { verifyConsistency } from './merkle.js';
import type { Signed, VerifierKey } from './note-key.js';
import { signersAmong } from './signers.js';
import { inUseAt } from './trusted-keys.js';
import { attempt } from './unreadable.js';

/** An anchored checkpoint, and whether it stands for the bundle's. */
export interface Anchored {
  readonly anchor: Timestamped;
  /** SHA-256 of the text that was anchored; null when it cannot be read. */
  readonly digest: Uint8Array | null;
  /** The number of leaves, when it is a later checkpoint. */
  readonly later: number | null;
  /**
   * Keys that have signed the later checkpoint. Nobody has to: that its root contains the bundle's one is shown by the proof,
   * and its key may be younger than the bundle. But a wrong signature of a known key is a fault.
   */
  readonly signed: readonly Signed[];
  /** Signature lines, of known keys and others. */
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
  const readLater = laterReader(keys);
  return anchors.flatMap((anchor) => (anchor.type === 'opentimestamps' ? [follow(anchor, log, readLater)] : []));
}

/** A later checkpoint, and who of the known keys has signed it, or what is wrong with their signatures. */
interface Later {
  readonly log: Log;
  readonly among: readonly Signed[] | string;
}

/** Reads later checkpoints, each once however many anchors have it: its signatures are what takes long. */
function laterReader(keys: readonly VerifierKey[]): (checkpoint: string) => Later | string {
  const known = new Map<string, Later | string>();
  return (checkpoint) => {
    const before = known.get(checkpoint);
    if (before !== undefined) return before;
    const log = attempt(() => readLog(checkpoint));
    const later = typeof log === 'string' ? log : { log, among: signersAmong(inUseAt(keys, log.size), log.note) };
    known.set(checkpoint, later);
    return later;
  };
}

function follow(
  anchor: Timestamped,
  log: Log | string | null,
  readLater: (checkpoint: string) => Later | string,
): Anchored {
  if (log === null || typeof log === 'string') return unknown(anchor, 'the checkpoint cannot be read');
  const { later } = anchor;
  if (!later) return { anchor, digest: digestOf(log), later: null, signed: [], signatures: 0, fault: null };
  const known = readLater(later.checkpoint);
  if (typeof known === 'string') return unknown(anchor, `it cannot be read: ${known}`);
  const { log: read, among } = known;
  const [signed, wrong] = typeof among === 'string' ? [[], among] : [among, null];
  const fault = faultOfLater(log, read, later.consistency) ?? wrong;
  const signatures = read.note.signatures.length;
  return { anchor, digest: digestOf(read), later: read.size, signed, signatures, fault };
}

function unknown(anchor: Timestamped, fault: string): Anchored {
  return { anchor, digest: null, later: null, signed: [], signatures: 0, fault };
}

/** Of the text without its signatures, as others may add some later. */
function digestOf({ note }: Log): Uint8Array {
  return sha256(toUtf8(note.text));
}

function faultOfLater(log: Log, later: Log, proof: readonly Uint8Array[]): string | null {
  if (later.origin !== log.origin) return `it is of another log, ${later.origin}`;
  return verifyConsistency({ from: log.size, fromRoot: log.root, to: later.size, toRoot: later.root, proof });
}
