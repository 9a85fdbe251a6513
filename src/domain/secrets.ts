import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';

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

/** The secrets of API keys with which platforms sign records of Kafka. */
export interface KafkaSecrets {
  /** The secret with this id of a key, as it was shown once. */
  of(keyId: string, secretId: string): string;
}

/**
 * A secret is derived from a secret of the installation and from the two ids. So it is in no table, no vault and no backup of
 * its own, the service can compute it whenever it checks a record, and no reader can compute it from what the chain shows.
 */
export function createKafkaSecrets(installation: Uint8Array): KafkaSecrets {
  return {
    of(keyId, secretId) {
      const derived = createHmac('sha256', installation).update(`${keyId}\n${secretId}`, 'utf8').digest('base64url');
      return `kfs_${derived}`;
    },
  };
}

/**
 * Whether `mac` is the HMAC-SHA-256 of the value in hex, under the UTF-8 bytes of the secret. The comparison takes the same
 * time wherever the two differ.
 */
export function isMacOf(value: Uint8Array, secret: string, mac: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(mac)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(value).digest(), Buffer.from(mac, 'hex'));
}
