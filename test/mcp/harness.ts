import { fastify } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import type { RateLimit } from '../../contracts/limits.js';
import { createRateLimits } from '../../src/api/rate-limits.js';
import type { Services } from '../../src/api/services.js';
import { tryMessages } from '../../src/domain/read-messages.js';
import { createOrigins } from '../../src/http/cross-origin.js';
import { mountMcp } from '../../src/http/mcp.js';
import { createLargeBodies } from '../../src/http/route.js';
import type { McpClient, McpHeaders } from '../../src/mcp/credentials.js';
import { createMcp } from '../../src/mcp/protocol/endpoint.js';
import { createMessageRates } from '../../src/mcp/protocol/rates.js';
import type { Registry } from '../../src/mcp/registry.js';
import { called, registry } from './registry.js';

export const baseUrl = 'https://memory.example.org';
export const good = 'Bearer agk_good';

interface Options {
  readonly allowed?: readonly string[];
  readonly trustProxy?: boolean;
  readonly limited?: boolean;
  readonly memoryApi?: boolean;
  readonly base?: string;
  readonly registry?: Registry;
}

/** /mcp as the service mounts it, with tools that do what a test says, and without a store. */
export function mounted({ allowed, trustProxy = false, limited = false, memoryApi = true, ...more }: Options = {}) {
  const base = more.base ?? baseUrl;
  const counts = new Map<string, number>();
  const counter = {
    count: async ({ name, requests }: RateLimit, who: string, number = 1) => {
      const counted = (counts.get(`${name} ${who}`) ?? 0) + number;
      counts.set(`${name} ${who}`, counted);
      return limited && counted > requests ? 42 : 0;
    },
    giveBack: async ({ name }: RateLimit, who: string) => {
      counts.set(`${name} ${who}`, (counts.get(`${name} ${who}`) ?? 0) - 1);
    },
  };
  const rateLimits = createRateLimits({
    ...counter,
    spend: async (limit, who, number = 1) => {
      const waitSeconds = await counter.count(limit, who, number);
      return { allowed: waitSeconds === 0 ? number : 0, waitSeconds, remaining: 0, resetSeconds: 42 };
    },
  });
  const rates = createMessageRates(counter);
  const server = fastify({ trustProxy, logger: false });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
  });
  mountMcp(server, {
    baseUrl: base,
    origins: createOrigins(base, allowed),
    identify: async (headers) => identified(headers, memoryApi),
    rates,
    rateLimits,
    largeBodies: createLargeBodies(),
    cookies: noCookies,
    answer: createMcp({
      services: noServices,
      rateLimits,
      rates,
      registry: more.registry ?? registry,
      memoryApi: true,
      server: { name: 'counterfoil', title: 'Counterfoil', version: '0.0.0', websiteUrl: base, icons: [] },
      readMessages: async (_owner, body) => tryMessages(body),
    }),
  });
  const send = async (body: unknown, headers: Record<string, string> = {}, method: 'POST' | 'GET' = 'POST') => {
    const { 'content-type': type = 'application/json', authorization = good, ...rest } = headers;
    const payload = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await server.inject({
      method,
      url: '/mcp',
      headers: {
        host: new URL(base).host,
        ...(type === '' ? {} : { 'content-type': type }),
        ...(authorization === '' ? {} : { authorization }),
        ...rest,
      },
      payload,
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      json: /^[{[]/.test(reply.body) ? reply.json() : null,
    };
  };
  return { server, send, counts, called };
}

/** @throws Refusal for the credentials that the tests name after their faults */
function identified({ authorization }: McpHeaders, memoryApi: boolean): McpClient {
  if (authorization === good) return client(memoryApi);
  if (authorization === 'Bearer agk_narrow') throw new Refusal('insufficient_scope');
  if (authorization === 'Bearer agk_unlinked') throw new Refusal('agent_not_linked');
  if (authorization === 'Bearer agk_broken') throw new Error('identify has failed');
  throw new Refusal('unauthorized');
}

const client = (memoryApi: boolean): McpClient => ({
  caller: {
    workspaceId: 'workspace',
    actor: { type: 'agent_key', id: 'key', user_id: null, agent_id: 'agn', app_id: 'k', run_id: null, via: 'mcp' },
    scopes: ['mcp:tools', 'memory.read'],
    namespaceIds: ['namespace'],
    agent: 'agn',
    role: null,
    memoryApi,
  },
  countedBy: 'key',
});

const nothing = (): never => {
  throw new Error('the transport has used a part that is none of its own');
};
const noCookies = {
  session: { is: () => false, read: nothing, write: nothing },
  signInAttempt: { read: nothing, begin: nothing, end: nothing },
};
/** The tools of the tests call no operation. */
const noServices: Services = new Proxy(Object.create(null), { get: nothing });
