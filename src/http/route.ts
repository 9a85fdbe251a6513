import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { admit } from '../api/admission.js';
import type { Answer, Cookies } from '../api/answer.js';
import { unavailableCode } from '../api/failures.js';
import {
  type Client,
  type ContentHeaders,
  type Identity,
  isForWorkspaces,
  type Operation,
  ownerOf,
} from '../api/operation.js';
import type { RateLimits } from '../api/rate-limits.js';
import type { Services } from '../api/services.js';
import { pageOfProblem, problemNamed } from '../api/session/provider-problems.js';
import type { OpenSession, PersonSession } from '../api/session/sessions.js';
import { browserOf } from '../domain/browser.js';
import { isOfMemoryApi } from '../domain/caller.js';
import { preferredWait } from '../domain/prefer.js';
import { createQueue, type Task } from '../domain/queue.js';
import type { Credentials } from './credentials.js';
import { asRefusal, bodyTooLarge, refuse, send, showBudget } from './reply.js';
import type { AttemptCookie, SessionCookie } from './session-cookie.js';

export interface RouteParts {
  readonly services: Services;
  readonly credentials: Credentials;
  readonly cookies: { readonly session: SessionCookie; readonly signInAttempt: AttemptCookie };
  readonly rateLimits: RateLimits;
  /** See the setting MEMORY_API. */
  readonly memoryApi: boolean;
  readonly largeBodies: LargeBodies;
}

interface RouteShape {
  Params: Record<string, string>;
  Querystring: Record<string, unknown>;
}

type RouteRequest = FastifyRequest<RouteShape>;

/** Of a request without a body. */
const noBytes = new Uint8Array();

/** Serves an operation: who calls and whether that is allowed before the body is read, then the operation, then its answer. */
export function addRoute(server: FastifyInstance, operation: Operation, parts: RouteParts): void {
  const { services, largeBodies } = parts;
  const off = !parts.memoryApi && isForWorkspaces(operation) && isOfMemoryApi(operation.access);
  const unavailable = isForWorkspaces(operation) ? unavailableCode(operation.refusals) : 'not_ready';
  const identities = new WeakMap<FastifyRequest, Identity>();
  server.route<RouteShape>({
    method: operation.method,
    url: operation.path,
    exposeHeadRoute: operation.method === 'GET' && !operation.serving.closed && operation.serving.head !== false,
    bodyLimit: operation.bodyLimit ?? limits.bodyBytes,
    errorHandler: (error, request, reply) => {
      const refusal = asRefusal(error, request, unavailable);
      const problem = operation.serving.refusesOnPage && isForPage(request) ? problemNamed(refusal.code) : null;
      if (problem === null) return void refuse(reply, refusal);
      void reply
        .code(302)
        .type('text/plain; charset=utf-8')
        .header('location', pageOfProblem(problem, undefined))
        .send('');
    },
    // Before the body is read: a client without a credential cannot make us take 8 MiB.
    onRequest: async (request, reply) => {
      if (off) throw new Refusal('not_found');
      const rateLimits = parts.rateLimits.noting((budget) => showBudget(reply, budget));
      // Only the answer itself says that it may be kept. Most answers show what others may not read, and some show secrets.
      if (!operation.serving.publicFile && !operation.serving.publicFeed)
        void reply.header('cache-control', 'no-store');
      if (operation.serving.cachesRefusals) void reply.header('cache-control', operation.serving.cacheControl);
      if (operation.addressLimit) await rateLimits.address(request.ip, operation.addressLimit);
      try {
        identities.set(request, await identityOf(operation, request, reply, { ...parts, rateLimits }));
      } catch (error) {
        if (operation.serving.ownBudget && isOfNoWorkspace(error)) await rateLimits.address(request.ip);
        throw error;
      }
    },
    handler: async (request, reply) => {
      const answer = await settled(operation, await answered(request), request, reply, services);
      if (answer.cookies) await setCookies(request, reply, answer.cookies, parts);
      return send(operation, answer, request, reply);
    },
  });

  async function answered(request: RouteRequest): Promise<Answer> {
    const who = identities.get(request);
    if (!who) throw new Refusal('unauthorized');
    const { params, query, url } = request;
    const body = request.body instanceof Uint8Array ? request.body : noBytes;
    const [, queryText = ''] = url.split(/\?(.*)/s);
    const idempotencyKey = request.headers['idempotency-key']?.toString();
    const client = clientOf(request, parts);
    const content = contentHeaders(request.raw);
    const preferredWait = waitOf(request);
    const raw = { who, client, params, query, queryText, url, content, idempotencyKey, preferredWait };
    return withBody(operation, content, body, { owner: ownerOf(who, client), largeBodies }, (plain) =>
      operation.answer({ ...raw, body: plain }, services),
    );
  }
}

const isForPage = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

/** Whether a refused request counts in no budget of a workspace: its credential is wrong, or has not the rights. */
const isOfNoWorkspace = (error: unknown): boolean => error instanceof Refusal && error.code !== 'rate_limited';

/** @throws Refusal for a request whose sender may not call the operation */
async function identityOf(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RouteParts,
): Promise<Identity> {
  const { credentials, cookies, rateLimits } = parts;
  const renew = async (session: OpenSession | null) => {
    if (session?.renewed) void reply.header('set-cookie', await cookies.session.write(session));
  };
  if (isForWorkspaces(operation)) {
    const { caller, session } = await credentials.caller(request);
    await renew(session);
    await admit(operation, caller, rateLimits);
    return { caller };
  }
  if (operation.access === 'a session') {
    const session = await credentials.session(request);
    await renew(session);
    return { session };
  }
  if (operation.access === 'a person' || operation.access === 'a person or anyone') {
    const person = await personOf(operation.access, request, parts);
    if (person?.renewed) void reply.header('set-cookie', await cookies.session.write(person));
    return { person };
  }
  if (operation.access === 'a session cookie') return { session: await credentials.token(request) };
  if (operation.sameSite) credentials.requireSameSite(request);
  return { anybody: true };
}

/** Counts a request in the budget of its person, and without a person in that of the address. */
async function personOf(
  access: 'a person' | 'a person or anyone',
  request: FastifyRequest,
  { credentials, rateLimits }: RouteParts,
): Promise<PersonSession | null> {
  try {
    const person = await credentials.person(request);
    await rateLimits.person(person.personId);
    return person;
  } catch (error) {
    if (access === 'a person' || !(error instanceof Refusal) || error.status !== 401) throw error;
    await rateLimits.address(request.ip);
    return null;
  }
}

/** The facts about a client that every transport knows. */
export function clientOf(request: FastifyRequest, { cookies }: Pick<RouteParts, 'cookies'>): Client {
  return {
    address: request.ip,
    browser: browserOf(request.headers['user-agent']),
    session: async () => (cookies.session.is(request) ? cookies.session.read(request).catch(() => null) : null),
    signInAttempt: (state) => cookies.signInAttempt.read(request, state),
  };
}

/** A header as it was sent: the server replaces the content type before it reads the body. */
export function sentHeader({ rawHeaders }: IncomingMessage, name: string): string {
  const at = rawHeaders.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? '' : (rawHeaders[at + 1] ?? '').trim();
}

export function contentHeaders(request: IncomingMessage): ContentHeaders {
  const sent = (name: string): string => sentHeader(request, name).toLowerCase();
  const [type = ''] = sent('content-type').split(';');
  return { type: type.trim(), encoding: sent('content-encoding') };
}

/** Larger bodies wait in a queue. Most requests are far smaller. */
const largeBytes = 256 * 1024;
/** Measured: an upload of 5 MB takes 28 MB while it is parsed, decoded and sent to the process that reads it. */
const queueLimits = { atOnce: 8, heldBytes: 64 * 1024 * 1024, own: { atOnce: 4 } };

/** Does the work immediately, or queues it when the body is large. @throws Refusal rate_limited */
export type LargeBodies = <T>(body: Task, work: () => Promise<T>) => Promise<T>;

/** Bounds the memory of large bodies: few are parsed at a time, and the queue is bounded. */
export function createLargeBodies(): LargeBodies {
  const queued = createQueue(queueLimits);
  return (body, work) => (body.bytes > largeBytes ? queued(body, work) : work());
}

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
async function withBody<T>(
  operation: Pick<Operation, 'bodyLimit' | 'serving' | 'alsoEncodedAs'>,
  { encoding }: ContentHeaders,
  body: Uint8Array,
  waiting: { readonly owner: string; readonly largeBodies: LargeBodies },
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  const large = <R>(bytes: number, then: () => Promise<R>) =>
    waiting.largeBodies({ owner: waiting.owner, bytes }, then);
  // An operation with another encoding than JSON decompresses its bodies itself.
  const isPlain = encoding === '' || encoding === 'identity' || operation.alsoEncodedAs !== undefined;
  if (isPlain) return operation.serving.boundsBodies ? work(body) : large(body.length, () => work(body));
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decode) throw new Refusal('invalid_request', 'content-encoding must be gzip, deflate or br, or absent.');
  const limit = operation.bodyLimit ?? limits.bodyBytes;
  // How long it will be is not known before.
  if (!operation.serving.boundsBodies) return large(limit, async () => work(await decoded(decode, body, limit)));
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

const waitOf = ({ headers }: FastifyRequest): number | null => preferredWait(headers.prefer?.toString());

/** Waits for what an answer has begun, where the operation can and the client prefers that. */
async function settled(
  { settle }: Operation,
  answer: Answer,
  request: FastifyRequest,
  { raw }: FastifyReply,
  services: Services,
): Promise<Answer> {
  const seconds = waitOf(request);
  if (!settle || seconds === null) return answer;
  // The body is not needed any more, and many requests may wait.
  request.body = undefined;
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return settle(answer, { seconds: Math.min(seconds, limits.preferredWaitSeconds), signal: gone.signal }, services);
}

export async function setCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  given: Cookies,
  { cookies }: Pick<RouteParts, 'cookies'>,
): Promise<void> {
  const { session, signInAttempt } = given;
  if (session !== undefined) void reply.header('set-cookie', await cookies.session.write(session));
  if (signInAttempt === undefined) return;
  const written =
    'ended' in signInAttempt
      ? [cookies.signInAttempt.end(signInAttempt.ended)]
      : await cookies.signInAttempt.begin(signInAttempt, request);
  for (const one of written) void reply.header('set-cookie', one);
}
