import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Unavailable } from './bounded-fetch.js';
import type { Exchange } from './exchange.js';

/** More came than was allowed. */
export class TooLarge extends Error {
  constructor(
    readonly limit: number,
    /** What was announced, or had come when it was enough. */
    readonly size: number,
  ) {
    super(`more than ${limit} bytes`);
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/**
 * The whole body, decompressed. It is counted as it comes out of the decoder, which makes 16 KiB at a time and waits until
 * they are taken: what a bomb would have become is never there.
 * @throws TooLarge, Unavailable, or what the connection fails with
 */
export async function decodedBody(
  { stream, encoding, announced }: Exchange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (announced !== null && announced > maxBytes) throw new TooLarge(maxBytes, announced);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let tooLarge: TooLarge | null = null;
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) {
        tooLarge = new TooLarge(maxBytes, length);
        throw tooLarge;
      }
      chunks.push(chunk);
    }
  };
  // An encoding upon an encoding is what bombs are made of; nobody else sends one.
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (!decoder && encoding !== '' && encoding !== 'identity') {
    throw new Unavailable('it answered in an encoding that was not asked for');
  }
  try {
    await (decoder ? pipeline(stream, decoder, collect, { signal }) : pipeline(stream, collect, { signal }));
  } catch (error) {
    // A decoder that is stopped halfway complains of that instead.
    throw tooLarge ?? error;
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}
