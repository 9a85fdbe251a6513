import { createHmac } from 'node:crypto';

/**
 * A digest of all that was sent, by which two submissions are compared without the text of the first one. It says nothing
 * any more once the salt of the receipt is destroyed.
 */
export type SentDigest = (salt: Uint8Array, canonical: string) => string;

/** @param secret 32 bytes of the installation, so that a copy of a store without them reveals nothing of what was sent */
export function createSentDigest(secret: Uint8Array): SentDigest {
  return (salt, canonical) => {
    const key = createHmac('sha256', secret).update(salt).digest();
    return createHmac('sha256', key).update(canonical, 'utf8').digest('hex');
  };
}
