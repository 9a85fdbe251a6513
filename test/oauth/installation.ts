import { fastify } from 'fastify';
import pino from 'pino';
import type { Asked, AuthorizationServer } from '../../contracts/authorization.js';
import type { GrantScope } from '../../contracts/grants.js';
import { createDocumentFetch } from '../../src/adapters/oauth/documents.js';
import { openAuthorizationServer } from '../../src/adapters/oauth/server.js';
import type { EndReason } from '../../src/adapters/oauth/state.js';
import type { PublicFetch } from '../../src/adapters/public-fetch.js';
import { noRateLimits, type RateLimits } from '../../src/api/rate-limits.js';
import { realWorld } from '../../src/base/world.js';
import type { Database } from '../../src/database/database.js';
import { addOAuth } from '../../src/http/oauth.js';

/** The choices of a test about an installation. */
export interface Surroundings {
  readonly database: Database;
  /** The address of another process of the same installation; without it, its own. */
  readonly issuer?: string;
  readonly grants?: TestGrants;
  readonly now?: () => Date;
  readonly rateLimits?: RateLimits;
  /** The network in which metadata documents of clients are found; without it they are not taken. */
  readonly network?: PublicFetch;
}

/** The grants of people, instead of those in the chain of a workspace. */
export interface TestGrants {
  readonly live: Set<string>;
  readonly ended: [grantId: string, reason: EndReason][];
}

/** The authorization server alone, and a person who answers at /consent. */
export interface Installation {
  readonly issuer: string;
  /** Where this process listens. */
  readonly origin: string;
  readonly server: AuthorizationServer;
  readonly grants: TestGrants;
  /** Everything that the person was asked, the latest last. */
  readonly asked: (Asked | null)[];
  /** How the person answers. */
  readonly person: { allows: boolean; memberId: string; scopes: readonly GrantScope[] | null };
  close(): Promise<void>;
}

const cookieKey = 'a key of all processes of a test';

export async function startInstallation(surroundings: Surroundings): Promise<Installation> {
  const { database, grants = { live: new Set(), ended: [] }, now = realWorld.now } = surroundings;
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const person: Installation['person'] = { allows: true, memberId: 'member-ada', scopes: null };
  const asked: Installation['asked'] = [];
  let server: AuthorizationServer | undefined;
  const running = (): AuthorizationServer => {
    if (!server) throw new Error('the installation has not started');
    return server;
  };
  addOAuth(app, {
    rateLimits: surroundings.rateLimits ?? noRateLimits,
    authorizationServer: {
      prepare: (request) => running().prepare(request),
      get resourceMetadata() {
        return running().resourceMetadata;
      },
    },
  });
  app.get<{ Querystring: { id: string } }>('/consent', async ({ raw: request, query: { id } }, reply) => {
    const { authorizations } = running();
    const exchange = { request, response: reply.raw };
    const question = await authorizations.asked(exchange, id);
    asked.push(question);
    if (!question) return reply.code(404).send({ error: 'nothing is asked' });
    const grantId = realWorld.id();
    grants.live.add(grantId);
    const scopes = person.scopes ?? question.scopes;
    return reply.redirect(
      person.allows
        ? await authorizations.allow(exchange, id, { grantId, memberId: person.memberId, scopes })
        : await authorizations.deny(exchange, id),
      303,
    );
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const origin = app.listeningOrigin;
  const issuer = surroundings.issuer ?? origin;
  server = openAuthorizationServer({
    database,
    issuer,
    cookieKey,
    fetchDocument: surroundings.network ? createDocumentFetch(surroundings.network) : null,
    world: { now, doubt: () => null },
    log: pino({ level: 'silent' }),
    errorPage: { headers: {}, text: (sentence) => sentence },
    grants: {
      isLive: async (grantId) => grants.live.has(grantId),
      end: async (grantId, reason) => {
        if (grants.live.delete(grantId)) grants.ended.push([grantId, reason]);
      },
    },
  });
  return { issuer, origin, server, grants, asked, person, close: () => app.close() };
}
