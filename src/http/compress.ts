import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { type ContentCoding, contentCodings } from '../domain/market/feeds/served.js';

export interface Compressed {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A shorter answer fits into one packet uncompressed. */
const leastBytes = 1024;

const ways = {
  // Measured with 256 leaves of the log, 67 kB: 20 kB in 0.7 ms at 4, 21 kB in 21 ms at 9.
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};
const names = ['br', 'gzip'] as const;

/** The encoding that the client takes; identity for one that takes none of ours, because it can do nothing with a refusal. */
export function codingOf(request: IncomingMessage): ContentCoding {
  const [wanted] = new Negotiator(request).encodings([...contentCodings]);
  return contentCodings.find((one) => one === wanted) ?? 'identity';
}

/** The bytes in an encoding that the client accepts, compressed outside the main thread, and the headers for that encoding. */
export async function compress(request: IncomingMessage, bytes: Uint8Array, least = leastBytes): Promise<Compressed> {
  const headers = { vary: 'accept-encoding' };
  const [wanted] = new Negotiator(request).encodings([...names, 'identity']);
  const name = names.find((one) => one === wanted);
  if (name === undefined || bytes.length < least) return { bytes, headers };
  return { bytes: await ways[name](bytes), headers: { ...headers, 'content-encoding': name } };
}
