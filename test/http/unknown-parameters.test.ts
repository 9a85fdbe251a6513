import { describe, expect, it } from 'vitest';
import { all, type Route } from './all-routes.js';
import { usePeople } from './people.js';
import { eagerWorld } from './service.js';

/** The provider writes its query, and may add parameters to it (RFC 6749, 4.1.2). */
const foreign = 'GET /v1/session/oidc/callback';

const routes = all.filter(({ name }) => name !== foreign);

describe('a parameter that no route has', () => {
  const people = usePeople({}, eagerWorld);
  const headers = { 'x-service-agent': `agn_${'b'.repeat(32)}`, 'content-type': 'application/json' };
  const call = ({ method, url, body }: Route, query: string) =>
    people.as('owner').call(method, `${url}?${query}`, method === 'GET' ? undefined : (body ?? {}), headers);

  it('is found in each route of the document', () => {
    expect(routes.filter(({ method }) => method === 'GET').length).toBeGreaterThan(50);
    expect(new Set(routes.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  });

  // @covers ERR-UNKNOWN-PARAMETER
  it('is refused by every route, which names it', async () => {
    await people.as('owner').call('POST', '/v1/agents', { agent_id: headers['x-service-agent'] });
    const answers = await Promise.all(
      routes.map(async (route) => {
        const { status, json } = await call(route, 'made_up_filter=x');
        const { code, message } = json?.error ?? {};
        return [route.name, status, code, String(message).includes('made_up_filter')];
      }),
    );
    expect(answers).toEqual(routes.map(({ name }) => [name, 400, 'invalid_request', true]));
  });

  it('is ignored where a provider of identities writes the query, and outside of the API', async () => {
    const service = people.service();
    const { json } = await service.call('GET', '/v1/session/oidc/callback?made_up_filter=x');
    expect(json?.error?.code).not.toBe('invalid_request');
    for (const path of ['/healthz', '/readyz', '/metrics', '/.well-known/oauth-authorization-server', '/sign-in']) {
      expect([path, (await service.call('GET', `${path}?made_up_filter=x`)).status]).toEqual([path, 200]);
    }
  });
});
