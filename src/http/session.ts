import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFields, refuseUnknown } from '../../contracts/input.js';
import { session, signedOut, signInBody } from '../../contracts/session.js';
import type { Described } from '../api/described.js';
import type { RateLimits } from '../api/rate-limits.js';
import { readJsonObject } from '../domain/json-text.js';
import { bodyText } from './body.js';
import type { Person, Sessions } from './sessions.js';

export const sessionPath = '/v1/session';

/** What they say of themselves; see routes.ts. */
export const sessionRoutes: readonly Described[] = [
  {
    method: 'GET',
    path: sessionPath,
    summary: 'The person who is signed in',
    access: 'a session',
    query: {},
    body: {},
    answers: { 200: session },
    refusals: [],
  },
  {
    method: 'POST',
    path: sessionPath,
    summary: 'Sign in',
    access: 'anybody',
    query: {},
    body: signInBody,
    answers: { 200: session },
    refusals: ['invalid_json', 'invalid_request', 'invalid_session', 'csrf', 'account_locked'],
  },
  {
    method: 'DELETE',
    path: sessionPath,
    summary: 'Sign out',
    access: 'a session',
    query: {},
    body: {},
    answers: { 200: signedOut },
    refusals: [],
  },
];

/** Signing in and out. Other routes take the cookie that this one sets in the place of an API key. */
export function addSessionRoutes(server: FastifyInstance, sessions: Sessions, rateLimits: RateLimits): void {
  // Before the body is read, as every limit.
  const onRequest = (request: FastifyRequest) => rateLimits.address(request.ip, 'signInAttempts');
  server.post(sessionPath, { bodyLimit: 64 * 1024, onRequest }, async (request, reply) => {
    const { value } = readJsonObject(bodyText(request.body));
    refuseUnknown(signInBody, Object.keys(value), 'invalid_request');
    const { email, password } = readFields(signInBody, value);
    return show(reply, await sessions.signIn(request, request.ip, email, password));
  });
  server.get(sessionPath, { exposeHeadRoute: false }, async (request, reply) =>
    show(reply, await sessions.who(request)),
  );
  server.delete(sessionPath, async (request, reply) => {
    const cookie = await sessions.signOut(request);
    return send(reply, cookie, { signed_out: true });
  });
}

function show(reply: FastifyReply, { session, expiresAt, cookie }: Person): FastifyReply {
  const { member_id: id, email, role, workspace_id, workspace: name, plan } = session;
  const workspace = { id: workspace_id, name, plan };
  return send(reply, cookie, { user: { id, email, role }, workspace, expires_at: expiresAt.toISOString() });
}

export function send(reply: FastifyReply, cookie: string | null, body: object): FastifyReply {
  if (cookie !== null) void reply.header('set-cookie', cookie);
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(JSON.stringify(body));
}
