import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '../../../contracts/limits.js';
import { fromBase64Url } from './encodings.js';

const timeBytes = 6;
const randomBytes = 16;
const tagBytes = 16;

/** A text that must be signed, and until when. */
export interface Challenge {
  readonly challenge: string;
  readonly expiresAt: Date;
}

/** Challenges are sealed and not stored: however many are requested, only those that are used take a row. */
export interface Challenges {
  issue(now: Date): Challenge;
  /** When a challenge ends; null for a text that is no challenge of this installation. */
  expiryOf(challenge: string): Date | null;
}

/** @param secret the same in every process on the store */
export function createChallenges(secret: Uint8Array, random: (count: number) => Uint8Array): Challenges {
  const tagOf = (sealed: Uint8Array) => createHmac('sha256', secret).update(sealed).digest().subarray(0, tagBytes);
  return {
    issue(now) {
      const expiresAt = new Date(now.getTime() + limits.challengeMs);
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(expiresAt.getTime(), 0, timeBytes);
      const sealed = Buffer.concat([time, random(randomBytes)]);
      return { challenge: Buffer.concat([sealed, tagOf(sealed)]).toString('base64url'), expiresAt };
    },
    expiryOf(challenge) {
      const bytes = fromBase64Url(challenge);
      if (bytes?.length !== timeBytes + randomBytes + tagBytes) return null;
      const sealed = bytes.subarray(0, timeBytes + randomBytes);
      const isOurs = timingSafeEqual(bytes.subarray(sealed.length), tagOf(sealed));
      return isOurs ? new Date(Buffer.from(sealed).readUIntBE(0, timeBytes)) : null;
    },
  };
}
