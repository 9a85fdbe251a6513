import { isSameKey, type KeyEnd, type KeyEvent, type LoggedKey } from './keys.js';
import { isSignature, type VerifierKey } from './note-key.js';

/** A key that stands in the log by right: it began the log, or another key vouched for it. */
export interface SoundKey extends LoggedKey {
  /** Of its leaf. */
  readonly index: number;
}

/** A key whose leaf should not be in the log, and that no later leaf disowns. */
export interface UnsoundKey {
  readonly index: number;
  readonly key: VerifierKey;
  /** A sentence's end. */
  readonly fault: string;
}

/** What a whole log says of its keys, read from its first leaf on. */
export interface KeyHistory {
  /** @returns null, or the end of a sentence about what is wrong with the leaf and can never be mended */
  take(index: number, event: KeyEvent): string | null;
  /** Oldest first, with what each may sign. */
  sound(): readonly SoundKey[];
  /** Oldest first. A leaf that disowns the key mends it. */
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
    if (!unsound.some((one) => isSameKey(one.key, key))) return `disowns key ${key.id}, which nothing is wrong with`;
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
 * Whether a key may stand in the log behind `earlier` keys of it: the first one begins the log, and every other one is
 * vouched for by one that was there and in use. Endorsements by keys that never came into the log say nothing.
 * @returns null when it may, or a sentence's end that says what is wrong
 */
export function faultOfKey({ key, endorsements, message }: LoggedKey, earlier: readonly LoggedKey[]): string | null {
  const [first] = earlier;
  if (!first) return null;
  if (key.name !== first.key.name) return `is a key of another log, ${key.name}`;
  let vouched = false;
  for (const { keyId, signature } of endorsements) {
    const endorsers = earlier.filter((one) => one.key.id === keyId);
    if (endorsers.length === 0) continue;
    const endorser = endorsers.find((one) => isSignature(signature, message, one.key));
    if (!endorser) return `has a wrong endorsement by key ${keyId}`;
    vouched ||= endorser.key.retiredAfter === undefined;
  }
  return vouched ? null : 'is endorsed by no earlier key in use';
}

/** Another key of the log, which is in use, must have signed it. */
function faultOfEnd({ key, log, endorsements, message }: KeyEnd, earlier: readonly LoggedKey[]): string | null {
  const [first] = earlier;
  if (log !== first?.key.name) return `ends a key for another log, ${log}`;
  let vouched = false;
  for (const { keyId, signature } of endorsements) {
    const others = earlier.filter((one) => one.key.id === keyId && !isSameKey(one.key, key));
    if (others.length === 0) continue;
    const other = others.find((one) => isSignature(signature, message, one.key));
    if (!other) return `has a wrong signature by key ${keyId}`;
    vouched ||= other.key.retiredAfter === undefined;
  }
  return vouched ? null : `ends key ${key.id} without the signature of another key in use`;
}
