import type { LoggedKey } from './keys.js';
import { isSignature } from './note-key.js';

/**
 * Whether a key may stand in the log behind `earlier` keys of it: the first one begins the log, and every other one is
 * vouched for by one that was there. Endorsements by keys that never came into the log say nothing.
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
    if (!endorsers.some((one) => isSignature(signature, message, one.key))) {
      return `has a wrong endorsement by key ${keyId}`;
    }
    vouched = true;
  }
  return vouched ? null : 'is endorsed by no earlier key';
}
