import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';

/** Creates and opens list cursors. A cursor is a position, authenticated for one list with one set of filters. */
export interface Cursors {
  seal(list: string, filters: unknown, position: string): string;
  /** @throws Refusal invalid_cursor for anything that `seal` did not make for this list and these filters. */
  open(list: string, filters: unknown, cursor: string): string;
}

/** @param secret at least 32 bytes, the same in every process that serves the same store. */
export function createCursors(secret: Uint8Array): Cursors {
  const tag = (list: string, filters: unknown, position: string): Buffer => {
    const bound = createHash('sha256')
      .update(JSON.stringify([list, filters, position]))
      .digest();
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  };
  return {
    seal: (list, filters, position) =>
      Buffer.concat([tag(list, filters, position), Buffer.from(position, 'utf8')]).toString('base64url'),
    open(list, filters, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(16).toString('utf8');
      if (bytes.length <= 16 || !timingSafeEqual(bytes.subarray(0, 16), tag(list, filters, position))) {
        throw new Refusal('invalid_cursor');
      }
      return position;
    },
  };
}
