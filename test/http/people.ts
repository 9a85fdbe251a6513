import { afterAll, beforeAll } from 'vitest';
import { administration } from './keys.js';
import { type Person, signedIn } from './person.js';
import { laterWorld, type Reply, type Service, startService, testWorld } from './service.js';

export const owner = { email: 'Owner@Example.org', password: 'a password of the owner' };

export const code = ({ status, json }: Reply) => [status, json?.error?.code ?? null];

/** A service for the tests of one block, with someone signed in of each role. */
export function usePeople(settings: Readonly<Record<string, string>> = {}, world = testWorld) {
  let service: Service;
  let admin: ReturnType<typeof administration>;
  let first: { workspaceId: string; namespaceId: string };
  let ahead = 0;
  const people = new Map<string, Person>();
  beforeAll(async () => {
    const given = { ...settings, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
    service = await startService(
      given,
      laterWorld(world, () => ahead),
    );
    admin = administration(service);
    first = await admin.first();
    people.set('owner', await signedIn(service, owner));
    for (const role of ['admin', 'member', 'reader', 'none'] as const) {
      people.set(role, await signedIn(service, await admin.member(first.workspaceId, role)));
    }
  });
  afterAll(() => service.stop());

  const as = (role: string): Person => {
    const person = people.get(role);
    if (!person) throw new Error(`no one is a ${role}`);
    return person;
  };
  return {
    as,
    service: () => service,
    admin: () => admin,
    first: () => first,
    /** Puts the service's clock this far ahead. */
    ahead: (ms: number) => {
      ahead = ms;
    },
    /** Waits for the jobs of all namespaces. */
    async settled() {
      const path = '/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1';
      while ((await as('owner').call('GET', path)).json.data.length > 0)
        await new Promise((next) => setTimeout(next, 25));
    },
    namespaceNamed: async (name: string): Promise<string> =>
      (await as('owner').call('POST', '/v1/namespaces', { name })).json.id,
    newKey: async (body: object = {}) => (await as('owner').call('POST', '/v1/keys', { name: 'k', ...body })).json,
    withKey: (key: string, method: string, path: string, body?: unknown) =>
      service.call(method, path, body, { authorization: `Bearer ${key}` }),
  };
}
