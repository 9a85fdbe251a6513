import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';

/**
 * Creates and opens list cursors. A cursor is a position, authenticated for one list with one set of filters. It is encrypted too,
 * because the position may name a row that the caller cannot see: lists of jobs look at those of all workspaces.
 */
export interface Cursors {
  seal(list: string, filters: unknown, position: string): string;
  /** @throws Refusal invalid_cursor for anything that `seal` did not make for this list and these filters. */
  open(list: string, filters: unknown, cursor: string): string;
}

/**
 * The tag is the initialization vector as well, as in the SIV mode of RFC 5297, so that equal positions have equal cursors.
 * @param secret at least 32 bytes, the same in every process that serves the same store.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const key = createHmac('sha256', secret).update('cursor encryption').digest();
  const tag = (list: string, filters: unknown, position: string): Buffer => {
    const bound = createHash('sha256')
      .update(JSON.stringify([list, filters, position]))
      .digest();
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  };
  return {
    seal(list, filters, position) {
      const iv = tag(list, filters, position);
      return Buffer.concat([iv, createCipheriv('aes-256-ctr', key, iv).update(position, 'utf8')]).toString('base64url');
    },
    open(list, filters, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= 16) throw new Refusal('invalid_cursor');
      const iv = bytes.subarray(0, 16);
      const position = createDecipheriv('aes-256-ctr', key, iv).update(bytes.subarray(16)).toString('utf8');
      if (!timingSafeEqual(iv, tag(list, filters, position))) throw new Refusal('invalid_cursor');
      return position;
    },
  };
}
