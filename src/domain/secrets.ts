import { createHash, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Unpredictable characters, of 5.95 bits each. */
export function base62Text(length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join('');
}

/** 256 unpredictable bits. */
export const newApiKey = (): string => `ak_${base62Text(43)}`;
export const newAgentKey = (): string => `agk_${base62Text(43)}`;
export const newAgentToken = (): string => `agt_${base62Text(43)}`;

/**
 * Only the SHA-256 of a key or token is stored. A slow hash is not needed, because 256 random bits cannot be guessed.
 */
export function keyHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
