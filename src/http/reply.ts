import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { type Answer, Encoded, Representations } from '../api/answer.js';
import { refusalOf } from '../api/failures.js';
import { isJson, type Operation } from '../api/operation.js';
import type { Budget } from '../api/rate-limits.js';
import { stringify } from '../base/json-text.js';
import { type ContentCoding, contentCodings } from '../domain/market/feeds/served.js';
import { noteCause } from './refusal-cause.js';

/** The header of every answer, and the member of every refusal, that an operator finds the request in the log by. */
export const requestIdHeader = 'x-request-id';

/** Ids are made here: one that a caller chose could be the id of another request. */
export const newRequestId = (): string => randomUUID();

/** The caller's own id of a request, for the log only. @returns undefined for text that is not safe on a terminal */
export function callersRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[!-~]{1,128}$/.test(header) ? header : undefined;
}

/** The header that names the receipt of the last entry that a call has recorded. */
export const receiptIdHeader = 'x-receipt-id';

/** The headers that say what is left of a budget before a request is refused (draft-ietf-httpapi-ratelimit-headers). */
const rateHeaders = ['ratelimit-policy', 'ratelimit'] as const;

/** Adds a budget to those that an answer names already. The name of the limit distinguishes them. */
export function showBudget(reply: FastifyReply, { limit, remaining, resetSeconds }: Budget): void {
  const { name, requests, seconds } = limit;
  const [policy, left] = rateHeaders;
  append(reply, policy, `"${name}";q=${requests};w=${seconds}`);
  append(reply, left, `"${name}";r=${remaining};t=${resetSeconds}`);
}

function append(reply: FastifyReply, name: string, member: string): void {
  const said = reply.getHeader(name);
  void reply.header(name, said === undefined ? member : `${said}, ${member}`);
}

const json = 'application/json; charset=utf-8';

/** Sends the answer of an operation with the headers that the operation and the answer name. */
export async function send(
  { answers, serving: { cacheControl, revalidates } }: Operation,
  { status, body, headers = {}, receipt, compressible = false }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shape = answers[status];
  void reply.code(status);
  if (cacheControl !== undefined) void reply.header('cache-control', cacheControl);
  void reply.headers(headers);
  if (receipt) void reply.header(receiptIdHeader, receipt);
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
export function names(request: FastifyRequest, etag: string): boolean {
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

interface Compressed {
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

/** The first of our encodings that the client takes; where it gives weights, the one that it prefers. */
function wantedOf(request: IncomingMessage, ready: readonly ContentCoding[]): ContentCoding | undefined {
  const taken = new Negotiator(request).encodings([...ready]);
  const isWeighted = request.headers['accept-encoding']?.includes('q=') ?? false;
  // Without weights the order means nothing: browsers name gzip first and take br, which is a fifth shorter.
  return isWeighted ? ready.find((one) => one === taken[0]) : ready.find((one) => taken.includes(one));
}

/** The encoding that the client takes; identity for one that takes none of ours, because it can do nothing with a refusal. */
export function codingOf(request: IncomingMessage, ready: readonly ContentCoding[] = contentCodings): ContentCoding {
  return wantedOf(request, ready) ?? 'identity';
}

/** The bytes in an encoding that the client accepts, compressed outside the main thread, and the headers for that encoding. */
async function compress(request: IncomingMessage, bytes: Uint8Array, least = leastBytes): Promise<Compressed> {
  const headers = { vary: 'accept-encoding' };
  const name = wantedOf(request, contentCodings);
  if (name === undefined || name === 'identity' || bytes.length < least) return { bytes, headers };
  return { bytes: await ways[name](bytes), headers: { ...headers, 'content-encoding': name } };
}

/** The refusal for anything that a route or the framework has thrown. */
export function asRefusal(error: unknown, request: FastifyRequest, unavailable: ErrorCode = 'not_ready'): Refusal {
  const { log, method, routeOptions } = request;
  const failed = { log, route: routeOptions.url, unavailable, writes: !['GET', 'HEAD'].includes(method) };
  return ofBody(error, request) ?? noteCause(request, refusalOf(error, failed));
}

/** The refusal for an error of the framework while it reads the body. */
function ofBody(error: unknown, request: FastifyRequest): Refusal | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return bodyTooLarge(request.routeOptions.bodyLimit ?? limits.bodyBytes);
  }
  // Other connections break with the same code as that of the caller, and then it is not the caller who ended early.
  const ended =
    code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || (code === 'ECONNRESET' && request.raw.errored === error);
  return ended ? new Refusal('invalid_json', 'The body ended early.') : undefined;
}

export function bodyTooLarge(bytes: number): Refusal {
  const limit = bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`;
  return new Refusal('body_too_large', `The request body is over ${limit}.`);
}
