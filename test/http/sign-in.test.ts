import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/api/session/sessions.js';
import { realWorld } from '../../src/base/world.js';
import { administration } from './keys.js';
import { code, owner } from './people.js';
import { browser, signedIn } from './person.js';
import { type Service, startService } from './service.js';

describe('people who sign in', () => {
  let service: Service;
  let admin: ReturnType<typeof administration>;
  beforeAll(async () => {
    const env = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, RATE_LIMITS: 'on', TRUST_PROXY: '1' };
    // With real work for each password: there is no flood without it.
    service = await startService(env, realWorld);
    admin = administration(service);
  });
  afterAll(() => service.stop());
  const from = (ip: string, who: object) =>
    browser(service).call('POST', '/v1/session', who, { 'x-forwarded-for': ip });

  // @covers SIGN-IN-RATE
  it('may try 10 times a minute from one address, or one network of IPv6', async () => {
    const who = await admin.member((await admin.first()).workspaceId, 'reader');
    for (let i = 0; i < 10; i += 1) {
      expect(code(await from(`2001:db8:0:1::${i + 1}`, i % 2 === 0 ? who : { ...who, password: 'x' }))).toEqual(
        i % 2 === 0 ? [200, null] : [401, 'invalid_session'],
      );
    }
    const refused = await from('2001:db8:0:1::ffff', { ...who, email: 'another@example.org' });
    expect(code(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(code(await from('2001:db8:0:2::1', who))).toEqual([200, null]);
  });

  // @covers SIGN-IN-QUEUE
  it('in a flood are asked to retry, while others are answered', async () => {
    const flood = Array.from({ length: 64 }, (_, i) =>
      from(`198.51.100.${i}`, { email: `e${i}@example.org`, password: 'x' }),
    );
    let longest = 0;
    for (let i = 0; i < 20; i += 1) {
      const since = performance.now();
      expect((await service.call('GET', '/v1/memories')).status).toBe(200);
      longest = Math.max(longest, performance.now() - since);
    }
    const reported = (await Promise.all(flood)).map(code);
    expect(longest).toBeLessThan(2000);
    expect(reported).toContainEqual([401, 'invalid_session']);
    expect(reported).toContainEqual([429, 'rate_limited']);
    expect(reported.filter(([status]) => status !== 401 && status !== 429)).toEqual([]);
  });

  // @covers SIGN-IN-ONE-CHECK
  it('costs one check, whether no one has the address, one person, or several of an earlier version', async () => {
    const [first, { workspaceId }] = [await admin.first(), await admin.workspace()];
    const [known, shared] = ['known@example.org', 'shared@example.org'];
    for (const to of [first.workspaceId, workspaceId]) {
      const [inside, outside] = [await admin.member(to, 'admin'), `${to} has another password`];
      const password = 'the password that is known';
      await (await signedIn(service, inside)).call('POST', '/v1/members', { email: known, role: 'reader', password });
      await admin.member(to, 'reader', { email: shared, password: outside });
    }
    const signIns = [known, shared, owner.email, 'unknown@example.org'].map(checksOf);
    expect(await Promise.all(signIns)).toEqual([1, 1, 1, 1]);
  });

  // @covers PEOPLE-EARLIER
  it('come into the workspace whose password they give, where an earlier version gave them several', async () => {
    const [first, { workspaceId }] = [await admin.first(), await admin.workspace()];
    const email = 'both@example.org';
    const [here, elsewhere] = ['the password here', 'the password elsewhere'];
    await admin.member(first.workspaceId, 'reader', { email, password: here });
    await admin.member(workspaceId, 'admin', { email, password: elsewhere });
    for (const [password, id] of [
      [here, first.workspaceId],
      [elsewhere, workspaceId],
    ]) {
      const { json } = await from('203.0.113.7', { email, password });
      expect([json.workspace.id, json.workspaces.map((one: { id: string }) => one.id)]).toEqual([id, [id]]);
    }
    expect(code(await from('203.0.113.7', { email, password: 'neither of them' }))).toEqual([401, 'invalid_session']);
  });

  /** How many passwords are checked when someone signs in with this address. */
  async function checksOf(email: string): Promise<number> {
    let checks = 0;
    const sessions = createSessions({
      database: service.app.database,
      world: realWorld,
      attempts: { count: async () => 0, forgive: async () => undefined },
      passwords: {
        requireRoom: () => undefined,
        async opens(_owner, hashes) {
          checks += 1;
          return hashes.map(() => false);
        },
      },
    });
    const signIn = sessions.signIn({ address: '203.0.113.1', browser: null, email, password: 'x' }, null);
    await expect(signIn).rejects.toMatchObject({ code: 'invalid_session' });
    return checks;
  }
});
