import { isSameKey, type KeyEnd, type KeyEvent, type LoggedKey } from './keys.js';
import { isSignature, type VerifierKey } from './note.js';

/** A key that is in the log rightfully: it is the first key, or another key endorses it. */
export interface SoundKey extends LoggedKey {
  /** The index of its leaf. */
  readonly index: number;
}

/** A key whose leaf should not be in the log and that no later leaf disowns. */
interface UnsoundKey {
  readonly index: number;
  readonly key: VerifierKey;
  /** The end of a sentence that says what is wrong. */
  readonly fault: string;
}

/** The history of the keys of a log, read from its first leaf on. */
export interface KeyHistory {
  /** @returns null, or the end of a sentence about a fault of the leaf that no later leaf can correct */
  take(index: number, event: KeyEvent): string | null;
  /** Oldest first, each with the last size that it may sign. */
  sound(): readonly SoundKey[];
  /** Oldest first. A leaf that disowns such a key corrects the fault. */
  unsound(): readonly UnsoundKey[];
  disowned(): readonly VerifierKey[];
}

export function openKeyHistory(): KeyHistory {
  let sound: readonly SoundKey[] = [];
  let unsound: readonly UnsoundKey[] = [];
  const disowned: VerifierKey[] = [];

  function end(event: KeyEnd): string | null {
    const fault = faultOfEnd(event, sound);
    if (fault !== null) return fault;
    const { key, reason, after } = event;
    if (reason === 'retired') {
      if (!sound.some((one) => isSameKey(one.key, key))) return `retires a key ${key.id} that the log does not have`;
      sound = sound.map((one) => (isSameKey(one.key, key) ? { ...one, key: endedKey(one.key, after) } : one));
      return null;
    }
    if (!unsound.some((one) => isSameKey(one.key, key)))
      return `disowns key ${key.id}, although nothing is wrong with it`;
    unsound = unsound.filter((one) => !isSameKey(one.key, key));
    disowned.push(key);
    return null;
  }

  return {
    sound: () => sound,
    unsound: () => unsound,
    disowned: () => disowned,
    take(index, event) {
      if (event.type === 'key_end') return end(event);
      const fault = faultOfKey(event, sound);
      if (fault === null) sound = [...sound, { ...event, index }];
      else unsound = [...unsound, { index, key: event.key, fault }];
      return null;
    },
  };
}

const endedKey = (key: VerifierKey, after: number): VerifierKey => ({
  ...key,
  retiredAfter: Math.min(key.retiredAfter ?? after, after),
});

/**
 * Whether a key may follow the `earlier` keys of the log: the first one begins the log, and every other one must be
 * endorsed by an earlier key that is in use. Endorsements by keys that are not in the log have no effect.
 * @returns null when it may, or the end of a sentence that says what is wrong
 */
export function faultOfKey({ key, endorsements, message }: LoggedKey, earlier: readonly LoggedKey[]): string | null {
  const [first] = earlier;
  if (!first) return null;
  if (key.name !== first.key.name) return `is a key of another log, ${key.name}`;
  let endorsed = false;
  for (const { keyId, signature } of endorsements) {
    const endorsers = earlier.filter((one) => one.key.id === keyId);
    if (endorsers.length === 0) continue;
    const endorser = endorsers.find((one) => isSignature(signature, message, one.key));
    if (!endorser) return `has a wrong endorsement by key ${keyId}`;
    endorsed ||= endorser.key.retiredAfter === undefined;
  }
  return endorsed ? null : 'is endorsed by no earlier key in use';
}

/** Checks a leaf that ends a key: another key of the log that is in use must have signed it. */
function faultOfEnd({ key, log, endorsements, message }: KeyEnd, earlier: readonly LoggedKey[]): string | null {
  const [first] = earlier;
  if (log !== first?.key.name) return `ends a key for another log, ${log}`;
  let endorsed = false;
  for (const { keyId, signature } of endorsements) {
    const others = earlier.filter((one) => one.key.id === keyId && !isSameKey(one.key, key));
    if (others.length === 0) continue;
    const other = others.find((one) => isSignature(signature, message, one.key));
    if (!other) return `has a wrong signature by key ${keyId}`;
    endorsed ||= other.key.retiredAfter === undefined;
  }
  return endorsed ? null : `ends key ${key.id} without the signature of another key in use`;
}
