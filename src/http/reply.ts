import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../contracts/errors.js';
import type { Answer } from '../api/answer.js';
import { isJson, type Operation } from '../api/operation.js';
import { stringify } from '../domain/json-text.js';
import { compress } from './compress.js';
import { requestIdHeader } from './request-id.js';

const json = 'application/json; charset=utf-8';

/** Sends the answer of an operation with the headers that the operation and the answer name. */
export async function send(
  { answers, cacheControl }: Operation,
  { status, body, headers = {}, compressible = false }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shape = answers[status];
  void reply.code(status);
  if (cacheControl !== undefined) void reply.header('cache-control', cacheControl);
  void reply.headers(headers);
  if (!shape || isJson(shape)) return reply.type(json).send(stringify(body));
  void reply.type(shape.contentType);
  if (!(body instanceof Uint8Array)) return reply.send(String(body));
  if (!compressible) return reply.send(Buffer.from(body));
  const compressed = await compress(request.raw, body);
  return reply.headers(compressed.headers).send(Buffer.from(compressed.bytes));
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer');
  const seconds = refusal.status === 503 ? 1 : refusal.details.retry_after_seconds;
  if (typeof seconds === 'number') void reply.header('retry-after', String(seconds));
  // Also where the request has not reached the hook that adds it to every answer.
  void reply.header(requestIdHeader, reply.request.id);
  return reply
    .code(refusal.status)
    .type(json)
    .send(stringify(refusal.body(reply.request.id)));
}
