import { equal, fromHex, toUtf8 } from './bytes.js';
import { canonical, readCanonical } from './canonical.js';
import type { Json } from './json.js';
import { type Endorsement, isSameKey, readEndorsements } from './keys.js';
import { emptyRoot, hashLength } from './merkle.js';
import { isSignature, type VerifierKey, verifierKey } from './note.js';
import { count, exactBytes, object, text } from './shape.js';
import { Unreadable } from './unreadable.js';

/** A state of a log: the number of its first leaves, and their root (RFC 6962), 32 bytes. */
interface LogSize {
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * The end of a log whose store has lost leaves that a checkpoint covers, and the beginning of the log that follows it. It is
 * leaf 1 of the new log, behind its first key.
 */
export interface Succession {
  /** The log that has ended, with the largest checkpoint that anyone is known to have of it. */
  readonly from: LogSize & { readonly origin: string };
  /** The largest checkpoint of which every leaf is still there. */
  readonly kept: LogSize;
  /** The first key of the new log, whose name is the origin of that log. */
  readonly to: VerifierKey;
  /** By the keys of the old log, and by the new key. */
  readonly endorsements: readonly Endorsement[];
  /** The bytes that an endorsement signs. Their first line separates them from anything else that the keys sign. */
  readonly message: Uint8Array;
}

/** @throws Unreadable for bytes that are not a succession of version 1, in canonical form, that can be true */
export function readSuccession(bytes: Uint8Array): Succession {
  const leaf = readCanonical(bytes);
  const names = ['endorsements', 'from', 'kept', 'reason', 'to', 'type', 'v'];
  const { endorsements, ...endorsed } = object(leaf, 'the succession', names);
  if (endorsed.type !== 'succession' || endorsed.v !== 1) {
    throw new Unreadable('the leaf is not of type succession and version 1');
  }
  if (endorsed.reason !== 'lost') throw new Unreadable('the succession has an unknown reason');
  const from = object(endorsed.from, 'its from', ['origin', 'root', 'size']);
  const to = object(endorsed.to, 'its to', ['origin', 'public_key']);
  const succession = {
    from: { origin: text(from.origin, 'the origin of its from'), ...readSize(from, 'its from') },
    kept: readSize(object(endorsed.kept, 'its kept', ['root', 'size']), 'its kept'),
    to: verifierKey(text(to.origin, 'the origin of its to'), 'ed25519', exactBytes(to.public_key, 'its key', 32)),
    endorsements: readEndorsements(endorsements),
    message: toUtf8(`counterfoil-succession/1\n${canonical(endorsed)}`),
  };
  requirePossible(succession);
  return succession;
}

function readSize({ size, root }: Readonly<Record<string, Json>>, what: string): LogSize {
  const hex = text(root, `the root of ${what}`);
  if (hex.length !== 2 * hashLength) throw new Unreadable(`the root of ${what} does not have 32 bytes`);
  return { size: count(size, `the size of ${what}`), root: fromHex(hex) };
}

/** A log that has lost nothing has no successor: the two would be two histories of the same time. */
function requirePossible({ from, kept, to }: Succession): void {
  if (kept.size >= from.size) throw new Unreadable('the succession is of a log that has lost nothing');
  if (kept.size === 0 && !equal(kept.root, emptyRoot)) throw new Unreadable('its kept is not the root of no leaves');
  if (!isSuccessor(from.origin, to.name)) throw new Unreadable('its to is not named as the successor of its from');
}

const numbered = /^(.+)\/([1-9][0-9]{0,8})$/;

/** The number of a log, from 2 on, and the origin of the first log, for the name of a log that has begun with a succession. */
export function successorNumber(origin: string): { readonly first: string; readonly log: number } | null {
  const [, first, digits] = numbered.exec(origin) ?? [];
  return first === undefined || Number(digits) < 2 ? null : { first, log: Number(digits) };
}

/**
 * Whether a log may be named as the successor of another one: `ORIGIN/2` follows `ORIGIN`, and `ORIGIN/3` follows `ORIGIN/2`. The
 * name of a first log may end with a number too, so `host/2` may be followed by `host/2/2` and by `host/3`.
 */
function isSuccessor(origin: string, next: string): boolean {
  const before = successorNumber(origin);
  return next === `${origin}/2` || (before !== null && next === `${before.first}/${before.log + 1}`);
}

/**
 * Whether a key of the ended log has endorsed its succession. Endorsements by unknown keys have no effect.
 * @param known keys of the old log, as `trustedKeys` finds them
 * @returns whether a known key that is in use has; or the end of a sentence about a wrong endorsement by a known key
 */
export function isEndorsed(
  { from, endorsements, message }: Succession,
  known: readonly VerifierKey[],
): boolean | string {
  const old = known.filter(({ type, name }) => type === 'ed25519' && name === from.origin);
  let endorsed = false;
  for (const { keyId, signature } of endorsements) {
    const endorsers = old.filter(({ id }) => id === keyId);
    if (endorsers.length === 0) continue;
    const endorser = endorsers.find((key) => isSignature(signature, message, key));
    if (!endorser) return `has a wrong endorsement by key ${keyId}`;
    // A key that was retired before the log ended has no say in how it ended.
    endorsed ||= endorser.retiredAfter === undefined || endorser.retiredAfter >= from.size;
  }
  return endorsed;
}

/**
 * Whether a succession is a statement of the log that it ends: a known key of that log has endorsed it, and so has the new key.
 * @returns null when it is, or the end of a sentence that says what is wrong
 */
export function faultOfSuccession(succession: Succession, known: readonly VerifierKey[]): string | null {
  const endorsed = isEndorsed(succession, known);
  if (typeof endorsed === 'string') return endorsed;
  if (!endorsed) return `is endorsed by no known key of ${succession.from.origin} that is in use`;
  return faultOfNewKey(succession);
}

/** Whether the new key has endorsed the succession itself. The end of a sentence when it has not. */
export function faultOfNewKey({ to, endorsements, message }: Succession): string | null {
  const own = endorsements.some(({ keyId, signature }) => keyId === to.id && isSignature(signature, message, to));
  return own ? null : `is not endorsed by the key ${to.id} of ${to.name}`;
}

/** Whether a key begins the log that follows. */
export const isFirstKeyOf = ({ to }: Succession, key: VerifierKey): boolean => isSameKey(to, key);

/** Two successions of one log that are not the same: at least one of the new logs should not exist. */
export function contradicts(one: Succession, other: Succession): boolean {
  return one.from.origin === other.from.origin && !equal(one.message, other.message);
}

/** Whether a checkpoint of the ended log cannot be true if the succession is: it is larger than all that was known, or another tree. */
export function isBeyond({ from, kept }: Succession, seen: LogSize): boolean {
  if (seen.size > from.size) return true;
  return [from, kept].some(({ size, root }) => size === seen.size && !equal(root, seen.root));
}

/** For sentences: what was lost. */
export function shownLoss({ from, kept }: Succession): string {
  return `${from.size - kept.size} of the ${from.size} leaves of ${from.origin} are lost, from leaf ${kept.size} on`;
}
