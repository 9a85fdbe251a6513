import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../http/ask.js';
import { startHabits } from '../../http/habits.js';
import { owner } from '../../http/people.js';
import { type Service, startService } from '../../http/service.js';

const baseUrl = 'http://counterfoil.example';
const begin = '/v1/session/oidc';
const provider = await startHabits('counterfoil');
afterAll(() => provider.close());

const started = (settings: Record<string, string> = {}) =>
  startService({
    BASE_URL: baseUrl,
    OIDC_ISSUER: `${provider.origin}/realms/a`,
    OIDC_CLIENT_ID: 'counterfoil',
    OIDC_CLIENT_SECRET: 'a secret of the client',
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    LOG_LEVEL: 'warn',
    ...settings,
  });

/** The cookies of one browser. */
function browser(service: Service) {
  const jar = new Map<string, string>();
  async function get(path: string) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }) };
    const reply = await ask(service.app.server.listeningOrigin, 'GET', path, { redirect: 'manual', headers });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return reply;
  }
  /** Goes to the provider. @returns the address that it is sent back to */
  async function away(from = begin): Promise<string> {
    const { headers } = await get(from);
    const reply = await fetch(headers.get('location') ?? '', { redirect: 'manual' });
    return (reply.headers.get('location') ?? '').slice(baseUrl.length);
  }
  const open = async (path: string) => (await get(path)).headers.get('location') ?? '';
  return {
    jar,
    get,
    away,
    open,
    /** Signs in. @returns where the browser continues */
    signIn: async (from = begin) => open(await away(from)),
  };
}

const email = owner.email;
const home = `${baseUrl}/`;

describe('the habits of providers', () => {
  let service: Service;
  let trusting: Service;
  beforeAll(async () => {
    [service, trusting] = [await started(), await started({ OIDC_EMAIL_VERIFIED: 'assumed' })];
  });
  afterAll(() => Promise.all([service.stop(), trusting.stop()]));

  const yes = { email, email_verified: true };

  // @covers OIDC-USERINFO
  it.each([
    ['all claims in the token', { inToken: yes }],
    ['all claims in userinfo', { inUserinfo: yes }],
    ['the address in the token, and that it is verified in userinfo', { inToken: { email }, inUserinfo: yes }],
    ['a text in the token, and a value in userinfo', { inToken: { email, email_verified: 'true' }, inUserinfo: yes }],
    ['answers after a second', { inToken: yes, delayMs: 1000 }],
  ])('%s: signed in', async (_, habits) => {
    provider.has(habits);
    expect(await browser(service).signIn()).toBe(home);
  });

  // @covers OIDC-REFUSALS
  it.each([
    ['verified_missing', 'email_verified is missing. If it verifies all', { inToken: { email } }, home],
    ['verified_missing', 'OIDC_EMAIL_VERIFIED=assumed', { inToken: { email }, inUserinfo: { email } }, home],
    ['verified_text', 'as a text', { inToken: { email, email_verified: 'true' } }, home],
    ['not_verified', 'Verify it there', { inToken: { email, email_verified: false }, inUserinfo: yes }, 'refused'],
    ['not_verified', 'Verify it there', { inUserinfo: { email, email_verified: 'false' } }, 'refused'],
    ['no_address', 'the claim email', { inToken: { email_verified: true } }, 'refused'],
  ] as const)('%s: a page that says "%s", and the log', async (problem, said, habits, whenAssumed) => {
    provider.has(habits);
    const one = browser(service);
    const location = await one.signIn(`${begin}?next=/grants`);
    expect(location).toBe(`/sign-in?refused=${problem}&next=%2Fgrants`);
    const page = await one.get(location);
    expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(page.text).toContain(said);
    expect(page.text).toContain('href="/v1/session/oidc?next=%2Fgrants"');
    const logged = service.logged.filter((line) => line.includes('OpenID Connect provider was refused'));
    expect(logged.at(-1)).toContain(problem);
    expect(logged.join()).not.toContain(email);
    const other = await browser(trusting).signIn();
    expect(other).toBe(whenAssumed === home ? home : `/sign-in?refused=${problem}`);
  });

  it('keys that were rotated a moment ago: signed in', async () => {
    provider.has({ inToken: yes });
    expect(await browser(service).signIn()).toBe(home);
    await provider.rotateKeys();
    expect(await browser(service).signIn()).toBe(home);
  });
});

describe('the name of the provider', () => {
  // @covers OIDC-ISSUER
  it.each([
    ['/realms/a', '/realms/a/'],
    ['/realms/a/', '/realms/a'],
    ['/realms/a/', '/realms/a/'],
  ])('%s in the setting and %s at the provider: signed in', async (setting, name) => {
    provider.has({ name, inToken: { email, email_verified: true } });
    const service = await started({ OIDC_ISSUER: `${provider.origin}${setting}` });
    expect(await browser(service).signIn()).toBe(home);
    await service.stop();
  });

  it('another one: a page that names the setting, and a log with both names', async () => {
    provider.has({ name: '/realms/b' });
    const service = await started();
    const one = browser(service);
    const location = await one.open(`${begin}?next=/grants`);
    expect(location).toBe('/sign-in?refused=other_issuer&next=%2Fgrants');
    const page = await one.get(location);
    expect(page.status).toBe(503);
    expect(page.text).toContain('another name than the setting OIDC_ISSUER');
    expect(service.logged.join()).toContain(
      `OIDC_ISSUER is ${provider.origin}/realms/a, and the provider calls itself ${provider.origin}/realms/b`,
    );
    provider.has({ inToken: { email, email_verified: true } });
    expect(await one.signIn()).toBe(home);
    await service.stop();
  });
});

describe('a browser with several tabs', () => {
  let service: Service;
  beforeAll(async () => {
    provider.has({ inToken: { email, email_verified: true } });
    service = await started();
  });
  afterAll(() => service.stop());

  // @covers OIDC-TABS
  it('finishes each of three sign-ins with its own page, in any order', async () => {
    const one = browser(service);
    const tabs = ['/grants', '/keys', '/rules'];
    const backs = [];
    for (const next of tabs) backs.push(await one.away(`${begin}?next=${next}`));
    expect([...one.jar.keys()].filter((name) => name.startsWith('service_sign_in'))).toHaveLength(3);
    expect(await one.open(backs[1] ?? '')).toBe(`${baseUrl}/keys`);
    expect(await one.open(backs[2] ?? '')).toBe(`${baseUrl}/rules`);
    expect(await one.open(backs[0] ?? '')).toBe(`${baseUrl}/grants`);
    expect([...one.jar.keys()]).toEqual(['service_session']);
  });

  it('keeps no more than three', async () => {
    const one = browser(service);
    for (let tab = 0; tab < 5; tab += 1) await one.away();
    expect(one.jar.size).toBe(3);
    expect(await one.signIn()).toBe(home);
  });

  // @covers OIDC-BACK
  it('continues when a person who is signed in comes back again', async () => {
    const one = browser(service);
    const back = await one.away(`${begin}?next=/grants`);
    expect(await one.open(back)).toBe(`${baseUrl}/grants`);
    const session = one.jar.get('service_session');
    expect(await one.open(back)).toBe(home);
    expect(await one.open(`${begin}/callback`)).toBe(home);
    expect(one.jar.get('service_session')).toBe(session);
  });

  // @covers OIDC-BACK
  it('gets a page when its cookie is lost, or the answer is of no attempt', async () => {
    const one = browser(service);
    const back = await one.away();
    one.jar.clear();
    for (const path of [back, `${begin}/callback`, `${begin}/callback?error=access_denied&state=x`]) {
      expect(await one.open(path)).toBe('/sign-in?refused=begun_elsewhere');
    }
    const page = await one.get('/sign-in?refused=begun_elsewhere');
    expect([page.status, page.text.includes('not begun in this browser')]).toEqual([401, true]);
    const state = new URL(await one.away(), baseUrl).searchParams.get('state');
    expect(await one.open(`${begin}/callback?error=access_denied&state=${state}`)).toBe('/sign-in?refused=denied');
    expect((await one.get('/sign-in?refused=__proto__')).status).toBe(200);
  });

  // @covers OIDC-BACK
  it('gets a page when it asks too often', async () => {
    const limited = await started({ RATE_LIMITS: 'on' });
    const one = browser(limited);
    const replies = [];
    for (let tries = 0; tries < 12; tries += 1) replies.push(await one.open(`${begin}/callback`));
    expect(new Set(replies)).toEqual(new Set(['/sign-in?refused=begun_elsewhere', '/sign-in?refused=rate_limited']));
    await limited.stop();
  });
});
