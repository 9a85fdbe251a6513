import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { Described } from '../api/described.js';
import type { RateLimits } from '../api/rate-limits.js';
import type { Origin } from './csrf.js';
import type { Person } from './sessions.js';

export const oidcPath = '/v1/session/oidc';
export const oidcCallbackPath = `${oidcPath}/callback`;

const toElsewhere = { mediaType: 'text/plain', description: 'An empty body; the address to open is in Location.' };

/** What they say of themselves; see routes.ts. */
export const oidcRoutes: readonly Described[] = [
  {
    method: 'GET',
    path: oidcPath,
    summary: 'Sign in with an OpenID Connect provider',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 302: toElsewhere },
    refusals: ['route_not_found', 'not_ready'],
  },
  {
    method: 'GET',
    path: oidcCallbackPath,
    summary: 'The redirect address of sign-in with an OpenID Connect provider',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 302: toElsewhere },
    refusals: ['route_not_found', 'invalid_session', 'no_workspace', 'not_ready'],
  },
];

/** Signing in by the word of a provider. */
export interface ProviderSignIn {
  /** @returns where to send the browser, and the cookie that it must come back with. @throws Refusal not_ready */
  begin(): Promise<{ location: string; cookie: string }>;
  /** @throws Refusal invalid_session, no_workspace, not_ready */
  finish(request: Origin, query: string): Promise<{ person: Person; location: string; cookie: string }>;
}

/** @param signIn null where no provider is set: the routes are then as if they were not there */
export function addOidcRoutes(server: FastifyInstance, signIn: ProviderSignIn | null, rateLimits: RateLimits): void {
  const offered = (): ProviderSignIn => {
    if (signIn) return signIn;
    throw new Refusal('route_not_found', 'This service has no OpenID Connect provider. Sign in with POST /v1/session.');
  };
  server.get(oidcPath, { exposeHeadRoute: false }, async (_request, reply) => {
    const { location, cookie } = await offered().begin();
    return reply
      .header('set-cookie', cookie)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .redirect(location);
  });
  const onRequest = (request: FastifyRequest) => rateLimits.address(request.ip, 'signInAttempts');
  server.get(oidcCallbackPath, { exposeHeadRoute: false, onRequest }, async (request, reply) => {
    const [, query = ''] = request.url.split(/\?(.*)/s);
    const { person, location, cookie } = await offered().finish(request, query);
    const cookies = person.cookie === null ? [cookie] : [person.cookie, cookie];
    return reply
      .header('set-cookie', cookies)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .redirect(location);
  });
}
