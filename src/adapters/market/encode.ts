import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ContentCoding, EncodedFeed, EncodedFeeds } from '../../domain/market/feeds/served.js';

/** The text of a feed in one encoding. All processes make the same bytes of it, and so the same ETag. */
export function encode(text: string, coding: ContentCoding): EncodedFeed {
  const bytes = codings[coding](Buffer.from(text, 'utf8'));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

export const encodeAll = (text: string): EncodedFeeds => ({
  br: encode(text, 'br'),
  gzip: encode(text, 'gzip'),
  identity: encode(text, 'identity'),
});

const codings: Readonly<Record<ContentCoding, (bytes: Buffer) => Uint8Array>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};
