import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../contracts/errors.js';
import { type Answer, Encoded, Representations } from '../api/answer.js';
import { isJson, type Operation } from '../api/operation.js';
import { stringify } from '../domain/json-text.js';
import { codingOf, compress } from './compress.js';
import { requestIdHeader } from './request-id.js';

const json = 'application/json; charset=utf-8';

/** Sends the answer of an operation with the headers that the operation and the answer name. */
export async function send(
  { answers, cacheControl, revalidates }: Operation,
  { status, body, headers = {}, compressible = false }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shape = answers[status];
  void reply.code(status);
  if (cacheControl !== undefined) void reply.header('cache-control', cacheControl);
  void reply.headers(headers);
  if (body instanceof Encoded) {
    const { buffer, byteOffset, byteLength } = body.bytes;
    return reply.type(body.contentType).send(Buffer.from(buffer, byteOffset, byteLength));
  }
  if (body instanceof Representations) return sendRepresentation(body, request, reply);
  if (!shape || isJson(shape)) {
    const text = stringify(body);
    return revalidates ? sendChanged(text, request, reply) : reply.type(json).send(text);
  }
  void reply.type(shape.contentType);
  if (body instanceof Readable) return reply.send(body);
  if (!(body instanceof Uint8Array)) return reply.send(String(body));
  if (!compressible) return reply.send(Buffer.from(body));
  const compressed = await compress(request.raw, body, compressible === 'also short' ? 0 : undefined);
  const bytes = Buffer.from(compressed.bytes);
  void reply.headers(compressed.headers);
  // The tag is of the encoded bytes, so each encoding has its own.
  return revalidates && isKnown(bytes, request, reply) ? reply.code(304).send() : reply.send(bytes);
}

/** Sends an answer with its ETag, or 304 to a client that has it. */
function sendChanged(text: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return isKnown(text, request, reply) ? reply.code(304).send() : reply.type(json).send(text);
}

/** Gives an answer its ETag. @returns whether the client has this answer */
function isKnown(content: string | Uint8Array, request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  void reply.header('etag', etag);
  return names(request, etag);
}

/** Sends an answer whose bytes are ready, with their ETag. */
async function sendRepresentation(
  { of }: Representations,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const coding = codingOf(request.raw);
  const { bytes, etag } = await of(coding);
  void reply.headers({ etag, vary: 'accept-encoding' });
  if (names(request, etag)) return reply.code(304).send();
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  return reply.type(json).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Whether If-None-Match names an ETag. The comparison is weak (RFC 9110 §13.1.2). */
function names(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'] ?? '';
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer');
  const seconds = refusal.retryAfterSeconds;
  if (seconds !== undefined) void reply.header('retry-after', String(seconds));
  // Also where the request has not reached the hook that adds it to every answer.
  void reply.header(requestIdHeader, reply.request.id);
  return reply
    .code(refusal.status)
    .type(json)
    .send(stringify(refusal.body(reply.request.id)));
}
