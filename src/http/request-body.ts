import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { ContentHeaders, Operation } from '../api/operation.js';
import type { LargeBodies } from './large-bodies.js';

type Decode = (body: Uint8Array, bounds: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

/** They run on threads of Node, and stop when the output is longer than allowed, so a decompression bomb is never produced. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Does the work with the body as it was before the client compressed it. The limit of the body holds for both forms.
 * @throws Refusal body_too_large, invalid_json, invalid_request
 */
export async function withBody<T>(
  operation: Pick<Operation, 'bodyLimit' | 'boundsBodies' | 'alsoEncodedAs'>,
  { encoding }: ContentHeaders,
  body: Uint8Array,
  waiting: { readonly owner: string; readonly largeBodies: LargeBodies },
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  const large = <R>(bytes: number, then: () => Promise<R>) =>
    waiting.largeBodies({ owner: waiting.owner, bytes }, then);
  // An operation with another encoding than JSON decompresses its bodies itself.
  const isPlain = encoding === '' || encoding === 'identity' || operation.alsoEncodedAs !== undefined;
  if (isPlain) return operation.boundsBodies ? work(body) : large(body.length, () => work(body));
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decode) throw new Refusal('invalid_request', 'content-encoding must be gzip, deflate or br, or absent.');
  const limit = operation.bodyLimit ?? limits.bodyBytes;
  // How long it will be is not known before.
  if (!operation.boundsBodies) return large(limit, async () => work(await decoded(decode, body, limit)));
  return work(await large(limit, () => decoded(decode, body, limit)));
}

async function decoded(decode: Decode, body: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    return await decode(body, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw bodyTooLarge(limit);
    throw new Refusal('invalid_json', 'The body is not compressed as content-encoding says.');
  }
}

export function bodyTooLarge(bytes: number): Refusal {
  const limit = bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`;
  return new Refusal('body_too_large', `The request body is over ${limit}.`);
}
