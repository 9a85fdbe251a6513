import { type BrokenHead, compareHeads, type LastHead } from './broken-heads.js';
import { equal, fromUtf8, toUtf8 } from './bytes.js';
import { type Log, readLog } from './checkpoint.js';
import { type Followed, follow, type Sound, type Wrong } from './follow.js';
import { keyEventOf, readEntries, readLeaf } from './leaf.js';
import type { LogSource, SuccessorSource } from './log-tiles.js';
import { successionIndex } from './logged-keys.js';
import type { VerifierKey } from './note.js';
import { faultOfSuccession, isBeyond, type Succession, successorNumber } from './succession.js';
import { trustedKeys } from './trusted-keys.js';

/** The result of a visit to a log that follows the one that was followed before. */
export interface Succeeded {
  /** Oldest first. The last one is how the log that was visited began. */
  readonly successions: readonly SuccessionLeaf[];
  /** The visit of the new log, whose first key the last succession names. */
  readonly sound: Sound;
  /** Workspaces whose last logged head the new log does not extend. */
  readonly broken: readonly BrokenHead[];
  /** Workspaces whose last logged head it extends. */
  readonly extended: number;
  /** The note of the kept checkpoint of the newest ended log, whose files are there; null if it kept none. */
  readonly wholeNote: string | null;
  /** Leaves about the keys of the ended log, as canonical JSON. */
  readonly formerKeys: readonly string[];
  /** Whether a key of the ended log was known, so that its endorsement could be checked. */
  readonly isEndorsed: boolean;
}

export interface SuccessionLeaf {
  readonly leaf: Uint8Array;
  readonly succession: Succession;
}

/** A fault, and the log whose files show it. `beyond`: the succession conceals the checkpoint that was seen before. */
export interface WrongSuccession extends Wrong {
  readonly source: LogSource;
  readonly beyond: SuccessionLeaf | null;
}

type OnLeaves = (done: number, total: number) => void;

/** How often one log may have followed another between two visits. */
const maxSuccessions = 100;

/** The succession with which a log of this checkpoint begins, or null. @throws Unreadable */
export async function successionOf(source: LogSource, { size, origin }: Log): Promise<SuccessionLeaf | null> {
  if (size <= successionIndex || successorNumber(origin) === null) return null;
  const width = Math.min(256, size);
  const leaf = readEntries(await source.tile('entries', 0, width), width)[successionIndex];
  if (!leaf) return null;
  const read = readLeaf(leaf);
  return read.type === 'succession' ? { leaf, succession: read.succession } : null;
}

/**
 * Visits a log that has begun with a succession: checks the ended log up to what was kept, the succession itself and the whole new
 * log, and compares the last logged head of every workspace with the first one that the new log has of it.
 * @param before the state of the last visit, of the new log or of one before it; null at the first visit
 * @param given keys that the reader trusts, of any of the logs
 * @returns null when the log does not follow the one that was visited before
 */
export async function followSuccessor(
  source: SuccessorSource,
  before: Followed | null,
  given: readonly VerifierKey[],
  onLeaves: OnLeaves,
): Promise<Succeeded | WrongSuccession | null> {
  const log = readLog(fromUtf8(await source.checkpoint()));
  const successions = await successionsSince(source, log, before && readLog(before.note).origin);
  const newest = successions.at(-1);
  if (!newest) return null;
  const own = given.filter(({ name }) => name === log.origin);
  const sound = await follow(source, null, own.length > 0 ? own : [newest.succession.to], onLeaves);
  if ('fault' in sound) return { ...sound, source, beyond: null };
  const lastHeads = new Map<string, LastHead>();
  let former: Former | null = null;
  for (const [at, one] of successions.entries()) {
    const found = await visitFormer(source, one, at === 0 ? before : null, given, onLeaves);
    if ('fault' in found) return found;
    for (const head of found.lastHeads) lastHeads.set(`${head.origin} ${head.tag}`, head);
    former = found;
  }
  const compared = await compareHeads(source, sound.firstHeads, [...lastHeads.values()]);
  return {
    successions,
    sound: { ...sound, followed: { ...sound.followed, former: former?.roots ?? [] } },
    ...compared,
    wholeNote: former?.note ?? null,
    formerKeys: former?.keys ?? [],
    isEndorsed: former?.isEndorsed ?? false,
  };
}

/** The successions between the log of the last visit and this one, oldest first; of a first visit only the newest. */
async function successionsSince(
  source: SuccessorSource,
  log: Log,
  since: string | null,
): Promise<readonly SuccessionLeaf[]> {
  const found: SuccessionLeaf[] = [];
  let [files, current]: [LogSource, Log] = [source, log];
  while (current.origin !== since) {
    const one = await successionOf(files, current);
    if (!one || found.length === maxSuccessions) return [];
    found.unshift(one);
    const { from, kept } = one.succession;
    if (since === null || from.origin === since) return found;
    if (kept.size === 0) return [];
    files = formerFiles(source, one.succession);
    current = readLog(fromUtf8(await files.checkpoint()));
    if (current.origin !== from.origin) return [];
  }
  return [];
}

/** The log before the one that is called `ORIGIN/N` has the number N - 1. */
const formerFiles = (source: SuccessorSource, { to }: Succession): LogSource =>
  source.former((successorNumber(to.name)?.log ?? 2) - 1);

interface Former {
  readonly note: string | null;
  readonly roots: readonly VerifierKey[];
  readonly keys: readonly string[];
  readonly isEndorsed: boolean;
  readonly lastHeads: readonly LastHead[];
}

/** Checks an ended log up to what was kept of it, and its succession. */
async function visitFormer(
  source: SuccessorSource,
  one: SuccessionLeaf,
  before: Followed | null,
  given: readonly VerifierKey[],
  onLeaves: OnLeaves,
): Promise<Former | WrongSuccession> {
  const { succession } = one;
  const { from, kept } = succession;
  const files = formerFiles(source, succession);
  const wrong = (fault: string, beyond: SuccessionLeaf | null = null): WrongSuccession => ({
    fault,
    contradiction: null,
    keys: before?.keys ?? [],
    source: files,
    beyond,
  });
  const seen = before && readLog(before.note);
  if (seen && isBeyond(succession, seen)) {
    const text = `the checkpoint of ${seen.size} leaves that was seen before is not one that it could follow`;
    return wrong(`${succession.to.name} says that ${from.origin} ended with ${from.size} leaves, and ${text}.`, one);
  }
  const own = given.filter(({ name }) => name === from.origin);
  const roots = own.length > 0 ? own : (before?.roots ?? null);
  const isShorter = seen === null || seen.size <= kept.size;
  const found = kept.size === 0 ? null : await follow(files, isShorter ? before : null, roots ?? [], onLeaves);
  if (found && 'fault' in found) return { ...found, source: files, beyond: null };
  if (found && !isWhole(found.followed.note, succession)) {
    return wrong(
      `The files of ${from.origin} are not those of the ${kept.size} leaves that ${succession.to.name} says were kept.`,
    );
  }
  const rewritten = isShorter ? null : rewrittenHead(before, found, kept.size);
  if (rewritten !== null) return wrong(rewritten);
  const trustRoots = roots ?? found?.followed.roots ?? [];
  const keys = longer(before?.keys ?? [], found?.followed.keys ?? []);
  const known = trustedKeys(
    trustRoots,
    keys.flatMap((leaf) => keyEventOf(toUtf8(leaf)) ?? []),
  );
  const fault =
    trustRoots.length === 0 ? null : typeof known === 'string' ? known : faultOfSuccession(succession, known);
  if (fault !== null) return wrong(`The succession of ${from.origin} by ${succession.to.name} ${fault}.`);
  return {
    note: found?.followed.note ?? null,
    roots: trustRoots,
    keys,
    isEndorsed: trustRoots.length > 0,
    lastHeads: lastHeadsOf(from.origin, kept.size, before, found),
  };
}

const longer = (one: readonly string[], other: readonly string[]) => (one.length > other.length ? one : other);

function isWhole(note: string, { from, kept }: Succession): boolean {
  const log = readLog(note);
  return log.origin === from.origin && log.size === kept.size && equal(log.root, kept.root);
}

/** A head that was seen under the kept checkpoint and is another one now. The tiles themselves are not remembered. */
function rewrittenHead(before: Followed | null, found: Sound | null, kept: number): string | null {
  for (const [tag, place] of before?.heads ?? []) {
    if (place.index >= kept) continue;
    const now = found?.followed.heads.get(tag);
    const isSame = now?.index === place.index && now.size === place.size && (place.root ?? now.root) === now.root;
    if (!isSame) return `The log was rewritten: leaf ${place.index} is another one than at the last visit.`;
  }
  return null;
}

function lastHeadsOf(origin: string, kept: number, before: Followed | null, found: Sound | null): readonly LastHead[] {
  const places = new Map(found?.followed.heads);
  for (const [tag, place] of before?.heads ?? []) {
    if ((places.get(tag)?.index ?? -1) < place.index) places.set(tag, place);
  }
  return [...places].map(([tag, last]) => ({ tag, origin, last, kept: last.index < kept }));
}
