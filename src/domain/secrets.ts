import { createHash, randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Unpredictable characters, of 5.95 bits each. */
export function base62Text(length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join('');
}

/** 256 unpredictable bits. */
export const newApiKey = (): string => `ak_${base62Text(43)}`;
export const newAgentToken = (): string => `agt_${base62Text(43)}`;

/**
 * Only the SHA-256 of a key or token is stored: they are 256 random bits, so there is nothing to guess and no need to be
 * slow.
 */
export function keyHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
