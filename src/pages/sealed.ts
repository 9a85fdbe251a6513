import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Texts that a page puts into an address or a form and gets back unchanged and unread: encrypted and authenticated for one session
 * and one purpose (AES-256-GCM, NIST SP 800-38D).
 */
export interface Sealed {
  /** @param purpose such as the path of the page */
  seal(sessionId: string, purpose: string, text: string): string;
  /** Null for anything that was not sealed for this session and purpose. */
  open(sessionId: string, purpose: string, sealed: string): string | null;
}

const nonceBytes = 12;
const tagBytes = 16;

/** @param secret the same in every process on the store */
export function createSealed(secret: Uint8Array): Sealed {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'counterfoil pages, sealed texts', 32));
  const bound = (sessionId: string, purpose: string) =>
    createHash('sha256').update(`${sessionId}\n${purpose}`, 'utf8').digest();
  return {
    seal(sessionId, purpose, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(sessionId, purpose));
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return bytes.toString('base64url');
    },
    open(sessionId, purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(bound(sessionId, purpose)).setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
