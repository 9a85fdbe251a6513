import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Unavailable } from './bounded-fetch.js';
import type { Exchange } from './exchange.js';

/** The body is larger than allowed. */
export class TooLarge extends Error {
  constructor(
    readonly limit: number,
    /** The announced size, or the number of bytes that had been received when the limit was exceeded. */
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
 * Returns the whole body, decompressed. The bytes are counted after the decoder, which produces 16 KiB at a time and
 * waits until they are read, so the full output of a decompression bomb is never produced.
 * @throws TooLarge, Unavailable, or the error of the connection
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
  // Several encodings on top of each other are refused. Only decompression bombs use them.
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (!decoder && encoding !== '' && encoding !== 'identity') {
    throw new Unavailable('it answered in an encoding that was not requested');
  }
  try {
    await (decoder ? pipeline(stream, decoder, collect, { signal }) : pipeline(stream, collect, { signal }));
  } catch (error) {
    // A decoder that is stopped halfway reports that instead.
    throw tooLarge ?? error;
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}
