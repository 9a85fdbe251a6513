import { isSameKey, type KeyEnd, type KeyEvent, type LoggedKey } from './keys.js';
import { formatVerifierKey, isSignature, parseVerifierKey, type VerifierKey } from './note.js';

/**
 * The reader's keys, and the keys of the log that they endorse, directly or through other keys: a reader who trusts a
 * key also trusts its successors and what they say about its end. Endorsements by other keys have no effect.
 * @returns a sentence when an endorsement by a trusted key is wrong
 */
export function trustedKeys(
  given: readonly VerifierKey[],
  history: readonly KeyEvent[],
): readonly VerifierKey[] | string {
  let trusted = given;
  for (const event of history) {
    const next = event.type === 'key' ? withKey(trusted, event) : withEnd(trusted, event);
    if (typeof next === 'string') return next;
    trusted = next;
  }
  return trusted;
}

/** The keys that may sign a checkpoint of `size` leaves. */
export function inUseAt(keys: readonly VerifierKey[], size: number): readonly VerifierKey[] {
  return keys.filter(({ retiredAfter }) => retiredAfter === undefined || size <= retiredAfter);
}

function withKey(trusted: readonly VerifierKey[], { key, endorsements, message }: LoggedKey) {
  if (trusted.some((one) => isSameKey(one, key))) return trusted;
  let until: number | undefined = -1;
  for (const { keyId, signature } of endorsements) {
    const endorsers = trusted.filter(({ type, name, id }) => type === 'ed25519' && name === key.name && id === keyId);
    if (endorsers.length === 0) continue;
    const endorser = endorsers.find((one) => isSignature(signature, message, one));
    if (!endorser) return `the endorsement of key ${key.id} by key ${keyId} is wrong`;
    // A retired key endorses other keys only for checkpoints that it may sign itself.
    if (endorser.retiredAfter === undefined) return [...trusted, key];
    until = Math.max(until, endorser.retiredAfter);
  }
  return until < 0 ? trusted : [...trusted, { ...key, retiredAfter: until }];
}

function withEnd(trusted: readonly VerifierKey[], { log, key, after, endorsements, message }: KeyEnd) {
  for (const { keyId, signature } of endorsements) {
    const endorsers = trusted.filter(
      (one) =>
        one.type === 'ed25519' &&
        one.name === log &&
        one.id === keyId &&
        one.retiredAfter === undefined &&
        !isSameKey(one, key),
    );
    if (endorsers.length === 0) continue;
    if (!endorsers.some((one) => isSignature(signature, message, one))) {
      return `the end of key ${key.id} has a wrong signature by key ${keyId}`;
    }
    return trusted.map((one) =>
      isSameKey(one, key) ? { ...one, retiredAfter: Math.min(one.retiredAfter ?? after, after) } : one,
    );
  }
  return trusted;
}

/**
 * Reads a verifier key, followed by ` retired-after=N` if it signs no checkpoint of more than N leaves.
 * @throws Unreadable
 */
export function parseTrustedKey(text: string): VerifierKey {
  const [, key = text, digits] = /^(.*) retired-after=(0|[1-9][0-9]{0,14})$/.exec(text) ?? [];
  return digits === undefined ? parseVerifierKey(key) : { ...parseVerifierKey(key), retiredAfter: Number(digits) };
}

/** The inverse of `parseTrustedKey`. */
export function formatTrustedKey(key: VerifierKey): string {
  const after = key.retiredAfter === undefined ? '' : ` retired-after=${key.retiredAfter}`;
  return `${formatVerifierKey(key)}${after}`;
}
