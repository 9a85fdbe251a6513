import { createHmac, timingSafeEqual } from 'node:crypto';

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
