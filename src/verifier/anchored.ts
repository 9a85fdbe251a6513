import { sha256 } from '@noble/hashes/sha2.js';
import type { Bundle, InBlock, Timestamped } from './bundle.js';
import { toUtf8 } from './bytes.js';
import { type Log, readLog } from './checkpoint.js';
import type { AnchoredCheckpoint } from './ethereum/event.js';
import { verifyConsistency } from './merkle.js';
import type { Signed, VerifierKey } from './note.js';
import { signersAmong } from './signers.js';
import { inUseAt } from './trusted-keys.js';
import { attempt } from './unreadable.js';

/** An anchored checkpoint, and whether its anchor also dates the bundle's checkpoint. */
export interface Anchored {
  readonly anchor: Timestamped | InBlock;
  /** The checkpoint that was anchored; null when it cannot be read. */
  readonly checkpoint: AnchoredCheckpoint | null;
  /** The later checkpoint, when it is one that can be read. */
  readonly log: Log | null;
  /** The number of leaves, when it is a later checkpoint. */
  readonly later: number | null;
  /**
   * Keys that have signed the later checkpoint. No signature is required: the consistency proof shows that the later
   * tree contains the bundle's tree, and the key that signed it may be newer than the bundle. A wrong signature of a
   * known key is a fault.
   */
  readonly signed: readonly Signed[];
  /** Number of signature lines, of known and unknown keys. */
  readonly signatures: number;
  /** A sentence that says what is wrong with it; null when nothing is. */
  readonly fault: string | null;
}

/** Every anchored checkpoint of the bundle, with what is wrong with each. */
export function anchoredCheckpoints(
  { anchors }: Bundle,
  log: Log | string | null,
  keys: readonly VerifierKey[],
): Anchored[] {
  const readLater = laterReader(keys);
  return anchors.flatMap((anchor) => (anchor.type === 'other' ? [] : [follow(anchor, log, readLater)]));
}

/** A later checkpoint, and the known keys that have signed it, or a sentence about a wrong signature. */
interface Later {
  readonly log: Log;
  readonly among: readonly Signed[] | string;
}

/** Reads each later checkpoint once, even if several anchors have it, because checking its signatures is slow. */
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
  anchor: Anchored['anchor'],
  log: Log | string | null,
  readLater: (checkpoint: string) => Later | string,
): Anchored {
  if (log === null || typeof log === 'string') return unknown(anchor, 'the checkpoint cannot be read');
  const { later } = anchor;
  if (!later)
    return { anchor, checkpoint: namesOf(log), log: null, later: null, signed: [], signatures: 0, fault: null };
  const known = readLater(later.checkpoint);
  if (typeof known === 'string') return unknown(anchor, `it cannot be read: ${known}`);
  const { log: read, among } = known;
  const [signed, wrong] = typeof among === 'string' ? [[], among] : [among, null];
  const fault = faultOfLater(log, read, later.consistency) ?? wrong;
  const signatures = read.note.signatures.length;
  return { anchor, checkpoint: namesOf(read), log: read, later: read.size, signed, signatures, fault };
}

function unknown(anchor: Anchored['anchor'], fault: string): Anchored {
  return { anchor, checkpoint: null, log: null, later: null, signed: [], signatures: 0, fault };
}

/** The hash is that of the text without its signatures, because witnesses may add signatures later. */
function namesOf({ note, origin, size }: Log): AnchoredCheckpoint {
  return { digest: sha256(toUtf8(note.text)), origin, size };
}

function faultOfLater(log: Log, later: Log, proof: readonly Uint8Array[]): string | null {
  if (later.origin !== log.origin) return `it belongs to another log, ${later.origin}`;
  return verifyConsistency({ from: log.size, fromRoot: log.root, to: later.size, toRoot: later.root, proof });
}
