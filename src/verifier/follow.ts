import { equal, fromUtf8, toHex, toUtf8 } from './bytes.js';
import { type Log, readLog } from './checkpoint.js';
import { openKeyHistory } from './key-history.js';
import { isSameKey, type KeyEvent, readKeyEvent } from './keys.js';
import { readLeaf } from './leaf.js';
import { type LogSource, readLeaves } from './log-tiles.js';
import { faultOfPlace } from './logged-keys.js';
import { emptyRoot } from './merkle.js';
import { type VerifierKey, verifyNote } from './note.js';
import type { Succession } from './succession.js';
import { inUseAt, trustedKeys } from './trusted-keys.js';
import { attempt } from './unreadable.js';

/** The state of a log that an auditor remembers between two visits. */
export interface Followed {
  /** The last checkpoint that was found correct, a signed note. */
  readonly note: string;
  /** The keys that the reader trusts independently of the log. */
  readonly roots: readonly VerifierKey[];
  /** The leaves about the log's keys as canonical JSON, oldest first, without the keys that the log has disowned. */
  readonly keys: readonly string[];
  /** The leaf of the newest head of each workspace and its number of entries, by tag in hex. */
  readonly heads: ReadonlyMap<string, Place>;
  /** The keys that the reader had trusted of the log before, if this log follows one and the reader has accepted that. */
  readonly former: readonly VerifierKey[];
}

export interface Place {
  readonly index: number;
  readonly size: number;
  /** The root of the workspace's tree, in hex; null in a state that an earlier version has stored. */
  readonly root: string | null;
}

/** The result of a visit that found no fault: the log has grown or is unchanged. */
export interface Sound {
  readonly followed: Followed;
  /** The number of new leaves, and how many of them are heads of workspaces. */
  readonly leaves: number;
  readonly heads: number;
  readonly signers: readonly VerifierKey[];
  /** The first head of each workspace among the new leaves, by tag in hex. */
  readonly firstHeads: ReadonlyMap<string, Place>;
  /** The succession among the new leaves, if the log begins with one. */
  readonly succession: Succession | null;
}

/** Two statements that the log has signed and that cannot both be true of a log that only grows. */
export type Contradiction =
  /** Two checkpoints of one size with different roots. */
  | { readonly kind: 'fork'; readonly later: string }
  /** A smaller checkpoint after a bigger one. */
  | { readonly kind: 'smaller'; readonly later: string }
  /** The later tree has another root at the size of the older checkpoint. */
  | { readonly kind: 'inconsistent'; readonly later: string; readonly root: Uint8Array }
  /** Two heads with the same tag at these leaves, of which the second is not bigger. */
  | { readonly kind: 'shrunk'; readonly later: string; readonly indexes: readonly [number, number] };

export interface Wrong {
  /** A sentence that says what is wrong. */
  readonly fault: string;
  /**
   * The contradiction as it can be shown to others; null for a fault in data that the log has not signed, such as a tile.
   */
  readonly contradiction: Contradiction | null;
  /** All key leaves that were seen, oldest first. */
  readonly keys: readonly string[];
}

/**
 * Visits a log: checks its current checkpoint against its leaves and against the checkpoint of the last visit.
 * @param given keys that the reader trusts; when there are none, the keys of the last visit are used, and at the first
 * visit the key of leaf 0, which is only a claim of the log itself
 * @throws Unreadable for a checkpoint or tiles that cannot be read
 */
export async function follow(
  source: LogSource,
  before: Followed | null,
  given: readonly VerifierKey[],
  onLeaves: (done: number, total: number) => void,
): Promise<Sound | Wrong> {
  const note = fromUtf8(await source.checkpoint());
  const log = readLog(note);
  const previous = before && readLog(before.note);
  const reader = openReader(before);
  const wrong = (fault: string, contradiction: Contradiction | null = null): Wrong => ({
    fault,
    contradiction,
    keys: reader.leaves,
  });
  if (previous && previous.origin !== log.origin) return wrong(`It is another log, ${log.origin}.`);
  const from = previous?.size ?? 0;
  const roots =
    log.size > from
      ? await readLeaves(source, { from, size: log.size }, reader.take, (done) => onLeaves(done, log.size))
      : { earlier: log.root, now: log.size === 0 ? emptyRoot : log.root };
  if (!equal(roots.now, log.root)) {
    return wrong(`The entries that the log serves do not lead to the root of its checkpoint of ${log.size} leaves.`);
  }
  const trustRoots = rootsOf(given, before) ?? reader.firstKey();
  const signers = signersOf(log, trustRoots, reader.events);
  if (typeof signers === 'string') return wrong(`The checkpoint of ${log.size} leaves: ${signers}.`);
  const change = previous && changeFault(previous, log, note, roots.earlier);
  if (change) return wrong(...change);
  const leaf = reader.fault();
  if (leaf) return wrong(leaf.fault, leaf.indexes && { kind: 'shrunk', later: note, indexes: leaf.indexes });
  const followed = { note, roots: trustRoots, keys: reader.leaves, heads: reader.heads, former: before?.former ?? [] };
  return { followed, leaves: log.size - from, signers, ...reader.found() };
}

/** Keys of the log before say nothing about this one, which the reader has accepted at an earlier visit. */
function rootsOf(given: readonly VerifierKey[], before: Followed | null): readonly VerifierKey[] | null {
  const own = given.filter((key) => !before?.former.some((one) => isSameKey(one, key)));
  return own.length > 0 ? own : (before?.roots ?? null);
}

/** Keys of the log itself that have signed the checkpoint, or the end of a sentence that says what is wrong. */
function signersOf(
  log: Log,
  roots: readonly VerifierKey[],
  logged: readonly KeyEvent[],
): readonly VerifierKey[] | string {
  const trusted = trustedKeys(roots, logged);
  if (typeof trusted === 'string') return trusted;
  const signed = verifyNote(log.note, inUseAt(trusted, log.size));
  if (typeof signed === 'string') return signed;
  const own = signed.flatMap(({ key }) => (key.type === 'ed25519' && key.name === log.origin ? [key] : []));
  return own.length > 0 ? own : 'no known key of the log has signed the note';
}

function changeFault(previous: Log, log: Log, note: string, earlier: Uint8Array): [string, Contradiction] | null {
  const older = `the checkpoint of ${previous.size} leaves that was seen before`;
  if (log.size < previous.size) {
    const fault = `The log has ${log.size} leaves now, fewer than ${older}.`;
    return [fault, { kind: 'smaller', later: note }];
  }
  if (equal(earlier, previous.root)) return null;
  if (log.size === previous.size) {
    const fault = `The log has forked: it has signed the root ${toHex(log.root)} and not that of ${older}.`;
    return [fault, { kind: 'fork', later: note }];
  }
  const fault = `The log was rewritten: its checkpoint of ${log.size} leaves does not extend ${older}.`;
  return [fault, { kind: 'inconsistent', later: note, root: earlier }];
}

interface LeafFault {
  readonly fault: string;
  readonly indexes: readonly [number, number] | null;
}

/** Checks leaves one by one and keeps the first fault, because later faults may be consequences of it. */
function openReader(before: Followed | null) {
  const leaves = [...(before?.keys ?? [])];
  const events = leaves.map((leaf) => readKeyEvent(toUtf8(leaf)));
  const history = openKeyHistory();
  // These leaves were checked at the visit that read them, so their indexes are not needed any more.
  for (const event of events) history.take(-1, event);
  const heads = new Map(before?.heads);
  const firstHeads = new Map<string, Place>();
  let succession: Succession | null = null;
  let newHeads = 0;
  let found: (LeafFault & { readonly index: number }) | null = null;

  function check(index: number, bytes: Uint8Array): LeafFault | null {
    const leaf = attempt(() => readLeaf(bytes));
    const because = (fault: string) => ({ fault: `Leaf ${index} of the log ${fault}.`, indexes: null });
    if (typeof leaf === 'string') return because(`cannot be read: ${leaf}`);
    const isFirstKey = history.sound().length === 0;
    if (leaf.type === 'key') {
      if (isFirstKey && index > 0) return because('is the first signing key and not leaf 0');
      const fault = history.take(index, leaf.event);
      if (fault !== null) return because(fault);
      keepEvent(leaf.event, bytes);
      return null;
    }
    if (isFirstKey) return because('precedes the first signing key');
    if (leaf.type === 'succession') {
      const [first] = events;
      const fault = faultOfPlace(leaf.succession, index, first, { origin: first?.key.name ?? '' });
      if (fault !== null) return because(`is a succession that ${fault}`);
      succession = leaf.succession;
      return null;
    }
    const tag = toHex(leaf.head.tag);
    const { size } = leaf.head;
    const last = heads.get(tag);
    if (last && size <= last.size) {
      const fault = `Leaf ${index} of the log is a head of ${size} entries after leaf ${last.index}, a head of ${last.size} entries of the same workspace (tag ${tag}).`;
      return { fault, indexes: [last.index, index] };
    }
    const place = { index, size, root: toHex(leaf.head.root) };
    heads.set(tag, place);
    if (!firstHeads.has(tag)) firstHeads.set(tag, place);
    newHeads += 1;
    return null;
  }

  /** Remembers the leaf, unless it is about a key that should not be in the log. */
  function keepEvent(event: KeyEvent, bytes: Uint8Array): void {
    if (!history.sound().some(({ key }) => isSameKey(key, event.key))) return;
    events.push(event);
    leaves.push(fromUtf8(bytes));
  }

  return {
    leaves,
    events,
    heads,
    /** The first key without its end: `trustedKeys` reads the end of a key from the events, as for all other keys. */
    firstKey: () => events.slice(0, 1).map(({ key }) => key),
    found: () => ({ heads: newHeads, firstHeads, succession }),
    fault(): LeafFault | null {
      const [unsound] = history.unsound();
      if (!unsound || (found && found.index < unsound.index)) return found;
      return { fault: `Leaf ${unsound.index} of the log is a signing key that ${unsound.fault}.`, indexes: null };
    },
    take(index: number, bytes: Uint8Array): void {
      const fault = check(index, bytes);
      if (fault) found ??= { ...fault, index };
    },
  };
}
