import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/settings/config.js';
import { ask } from '../../http/ask.js';
import { owner, usePeople } from '../../http/people.js';
import { startProvider } from '../../http/provider.js';
import { startService } from '../../http/service.js';

const baseUrl = 'http://counterfoil.example';
const begin = '/v1/session/oidc';
const provider = await startProvider(`${baseUrl}${begin}/callback`);
const settings = {
  BASE_URL: baseUrl,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: 'counterfoil',
  OIDC_CLIENT_SECRET: 'a secret of the client',
};
const people = usePeople(settings);
afterAll(() => provider.close());
beforeEach(() => {
  people.ahead(0);
  Object.assign(provider.behaviour, {
    account: { email: owner.email, email_verified: true },
    claims: {},
    forged: false,
    down: false,
    speechless: false,
  });
});

const originOf = () => people.service().app.server.listeningOrigin;
const get = (path: string, cookie = '') =>
  ask(originOf(), 'GET', path, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
const pairs = (headers: Headers) => headers.getSetCookie().map((one) => one.split(';')[0] ?? '');

/** Goes to the provider and through it, as a browser. @returns the address that it is sent back to, and the cookie for it */
async function through(from = begin): Promise<{ back: string; cookie: string }> {
  const first = await get(from);
  expect(first.status).toBe(302);
  const jar = new Map<string, string>();
  let location = first.headers.get('location') ?? '';
  while (location.startsWith(provider.issuer)) {
    const reply = await fetch(location, { redirect: 'manual', headers: { cookie: [...jar.values()].join('; ') } });
    for (const pair of pairs(reply.headers)) jar.set(pair.split('=')[0] ?? '', pair);
    location = new URL(reply.headers.get('location') ?? 'about:blank', location).href;
  }
  expect(location.startsWith(`${baseUrl}${begin}/callback?`)).toBe(true);
  return { back: location.slice(baseUrl.length), cookie: pairs(first.headers).join('; ') };
}

type Answered = Awaited<ReturnType<typeof get>>;

const refused = ({ status, json, headers }: Answered) => [status, json?.error?.code, headers.getSetCookie().length];
/** Where a browser is sent that is not signed in. */
const page = ({ status, headers }: Answered) => [status, headers.get('location'), headers.getSetCookie().length];
const no = (problem: string) => [302, `/sign-in?refused=${problem}`, 0];

describe('anyone who the provider signs for', () => {
  it('is signed in as the member with that address', async () => {
    const { back, cookie } = await through();
    const reply = await get(back, cookie);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, `${baseUrl}/`]);
    expect(provider.seen.authorization).toMatch(/^Basic /);
    const [session = '', attempt] = reply.headers.getSetCookie();
    expect(session).toMatch(/^service_session=.+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(attempt).toMatch(
      /^service_sign_in_[\w-]{12}=; Max-Age=0; Path=\/v1\/session\/oidc; HttpOnly; SameSite=Lax$/,
    );
    const { status, json } = await get('/v1/session', session.split(';')[0]);
    expect([status, json.user]).toMatchObject([200, { email: owner.email, role: 'owner' }]);
  });

  // @covers PAGES-SIGN-IN PAGES-NEXT
  it('continues with the page that has begun the sign-in, and nowhere else', async () => {
    const at = async (next: string) => {
      const { back, cookie } = await through(`${begin}?next=${encodeURIComponent(next)}`);
      return (await get(back, cookie)).headers.get('location');
    };
    expect(await at('/consent?id=a')).toBe(`${baseUrl}/consent?id=a`);
    for (const next of ['//evil.example', '/\\evil.example', 'https:evil.example', '/.//evil.example'])
      expect(await at(next)).toBe(`${baseUrl}/`);
    const { back, cookie } = await through(`${begin}?next=/grants`);
    const changed = await get(back.replace(/code=[^&]+/, 'code=other'), cookie);
    expect(page(changed)).toEqual(no('not_confirmed&next=%2Fgrants'));
    const shown = await get('/sign-in?refused=not_confirmed&next=%2Fgrants');
    expect(shown.text).toContain('The provider does not confirm this sign-in');
    expect(shown.text).toContain('href="/v1/session/oidc?next=%2Fgrants">Sign in with 127.0.0.1:');
  });

  it('also where the ID token has the address itself, in any case', async () => {
    provider.behaviour.account = {};
    provider.behaviour.claims = { email: owner.email.toUpperCase(), email_verified: true };
    const { back, cookie } = await through();
    expect((await get(back, cookie)).status).toBe(302);
  });

  it('is requested with PKCE, a state and a nonce that are new each time, in a cookie for this alone', async () => {
    const [one, two] = [await get(begin), await get(begin)];
    const query = (reply: typeof one) => new URL(reply.headers.get('location') ?? '').searchParams;
    expect(query(one).get('code_challenge_method')).toBe('S256');
    expect(query(one).get('scope')).toBe('openid email');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(query(one).get(name)).toMatch(/^[\w-]{43}$/);
      expect(query(one).get(name)).not.toBe(query(two).get(name));
    }
    expect(one.headers.getSetCookie()[0]).toMatch(
      /^service_sign_in_[\w-]{12}=.+; Max-Age=600; Path=\/v1\/session\/oidc; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('no one is signed in', () => {
  it('with another state, a changed code, no query or an error of the provider', async () => {
    const { back, cookie } = await through();
    expect(page(await get(back.replace(/state=[^&]+/, 'state=other'), cookie))).toEqual(no('begun_elsewhere'));
    expect(page(await get(back.replace(/code=[^&]+/, 'code=other'), cookie))).toEqual(no('not_confirmed'));
    expect(page(await get(back.split('?')[0] ?? '', cookie))).toEqual(no('begun_elsewhere'));
    const state = new URL(back, baseUrl).searchParams.get('state');
    expect(page(await get(`${begin}/callback?error=access_denied&state=${state}`, cookie))).toEqual(no('denied'));
  });

  it('with a code that was used', async () => {
    const { back, cookie } = await through();
    expect((await get(back, cookie)).status).toBe(302);
    expect(page(await get(back, cookie))).toEqual(no('not_confirmed'));
  });

  it('without the cookie, with that of another attempt, a changed one or one that has ended', async () => {
    const { back, cookie } = await through();
    expect(page(await get(back))).toEqual(no('begun_elsewhere'));
    expect(page(await get(back, (await through()).cookie))).toEqual(no('begun_elsewhere'));
    expect(page(await get(back, `${cookie}x`))).toEqual(no('begun_elsewhere'));
    const session = people
      .as('owner')
      .cookie()
      .replace('service_session', cookie.split('=')[0] ?? '');
    expect(page(await get(back, session))).toEqual(no('begun_elsewhere'));
    people.ahead(601_000);
    expect(page(await get(back, cookie))).toEqual(no('begun_elsewhere'));
  });

  it.each([
    ['an address that is not verified', 'not_verified', { account: { email: owner.email, email_verified: false } }],
    ['an address of which that is not said', 'verified_missing', { account: { email: owner.email } }],
    ['no address', 'no_address', { account: { email_verified: true } }],
    ['a token of another issuer', 'not_confirmed', { claims: { iss: 'https://other.example' } }],
    ['a token for another client', 'not_confirmed', { claims: { aud: 'other' } }],
    ['a token for another attempt', 'not_confirmed', { claims: { nonce: 'other' } }],
    ['a token that has ended', 'not_confirmed', { claims: { exp: 1 } }],
    ['a token for another party', 'not_confirmed', { claims: { azp: 'other' } }],
    ['a token of tomorrow', 'not_confirmed', { claims: { iat: Math.round(Date.now() / 1000) + 86_400 } }],
    ['a token that someone else has signed', 'not_confirmed', { forged: true }],
    ['an address with NUL', 'no_address', { account: { email: 'a\u0000b@example.org', email_verified: true } }],
    [
      'an address with a control character',
      'no_address',
      { account: { email: 'a\u001b[31mb@example.org', email_verified: true } },
    ],
    [
      'half a character in its address',
      'no_address',
      { account: { email: 'a\ud800b@example.org', email_verified: true } },
    ],
  ])('with %s: %s', async (_, problem, given) => {
    Object.assign(provider.behaviour, given);
    const { back, cookie } = await through();
    const reply = await get(back, cookie);
    expect(page(reply)).toEqual(no(problem));
    expect(reply.text).not.toContain('@');
  });
});

describe('an address that is no member of any workspace', () => {
  const signIn = async (email: string) => {
    provider.behaviour.account = { email, email_verified: true };
    const { back, cookie } = await through();
    const reply = await get(back, cookie);
    expect(reply.status).toBe(302);
    return pairs(reply.headers)[0] ?? '';
  };
  const watch = (cookie: string) =>
    ask(originOf(), 'POST', '/v1/terminal/watchlist', {
      headers: { cookie },
      body: JSON.stringify({ kind: 'tickers', ref_id: 'CODE.REVIEW' }),
    });

  // @covers ERR-no_workspace TERM-GUEST
  it('signs in a guest, who has an account of the terminal and nothing else', async () => {
    const cookie = await signIn('outsider@example.org');
    for (const path of ['/v1/session', '/v1/memories', '/v1/workspace', '/v1/sessions']) {
      expect(refused(await get(path, cookie))).toEqual([409, 'no_workspace', 0]);
    }
    expect((await watch(cookie)).status).toBe(201);
    expect((await get('/v1/terminal/entitlement', cookie)).json).toMatchObject({ authenticated: true, plan: 'free' });
    await ask(originOf(), 'DELETE', '/v1/session', { headers: { cookie } });
    expect(refused(await get('/v1/terminal/watchlist', cookie))).toEqual([401, 'session_expired', 0]);
  });

  // @covers TERM-GUEST
  it('keeps what it has watched when it becomes a member', async () => {
    const before = await signIn('soon@example.org');
    await watch(before);
    await people.as('owner').call('POST', '/v1/members', { email: 'soon@example.org', role: 'reader' });
    expect(refused(await get('/v1/memories', before))).toEqual([409, 'no_workspace', 0]);
    const after = await signIn('soon@example.org');
    expect((await get('/v1/memories', after)).status).toBe(200);
    expect((await watch(after)).status).toBe(200);
    expect(refused(await get('/v1/terminal/watchlist', before))).toEqual([401, 'session_expired', 0]);
  });
});

describe('an address that only Unicode folds into that of a member', () => {
  const iris = 'iris.kim@x.org';
  beforeAll(() => people.as('owner').call('POST', '/v1/members', { email: iris, role: 'admin' }));

  // @covers PEOPLE-ADDRESS
  it.each([
    'iris.\u212aim@x.org',
    '\u0130ris.kim@x.org',
    'iri\u017f.kim@x.org',
    '\u0131ris.kim@x.org',
  ])('is an outsider: %s', async (email) => {
    provider.behaviour.account = { email, email_verified: true };
    const { back, cookie } = await through();
    const outsider = pairs((await get(back, cookie)).headers)[0];
    expect(refused(await get('/v1/session', outsider))).toEqual([409, 'no_workspace', 0]);
  });

  it('and the address itself is not', async () => {
    provider.behaviour.account = { email: 'Iris.KIM@X.ORG', email_verified: true };
    const { back, cookie } = await through();
    const reply = await get(back, cookie);
    expect(reply.status).toBe(302);
    const { json } = await get('/v1/session', pairs(reply.headers)[0]);
    expect(json.user).toMatchObject({ email: iris, role: 'admin' });
  });
});

describe('a provider that is down', () => {
  it('does not stop the start, and is asked again', async () => {
    provider.behaviour.down = true;
    const service = await startService(settings);
    const asked = () => ask(service.app.server.listeningOrigin, 'GET', begin, { redirect: 'manual' });
    expect(page(await asked())).toEqual(no('no_answer'));
    provider.behaviour.down = false;
    expect((await asked()).headers.get('location')).toContain(provider.issuer);
    await service.stop();
  });

  it('in the middle of a sign-in is notified of, and the sign-in continues when it is back', async () => {
    const { back, cookie } = await through();
    provider.behaviour.down = true;
    expect(page(await get(back, cookie))).toEqual(no('no_answer'));
    provider.behaviour.down = false;
    expect((await get(back, cookie)).headers.get('location')).toBe(`${baseUrl}/`);
  });
});

// @covers ERR-internal_error
it('what fails on our side is reported as that, and to no one what it was', async () => {
  provider.behaviour.speechless = true;
  const service = await startService({ ...settings, LOG_LEVEL: 'silent' });
  const origin = service.app.server.listeningOrigin;
  expect(refused(await ask(origin, 'GET', begin, { redirect: 'manual' }))).toEqual([500, 'internal_error', 0]);
  provider.behaviour.speechless = false;
  await service.stop();
  const { back, cookie } = await through();
  const sql = (text: string) => people.service().app.database.transaction((tx) => tx.query(text));
  await sql('alter table members rename to members_away');
  const reply = await get(back, cookie);
  await sql('alter table members_away rename to members');
  expect(refused(reply)).toEqual([500, 'internal_error', 0]);
  expect(reply.text).not.toContain('members');
});

it('without a provider there is no such way', async () => {
  const service = await startService();
  for (const path of [begin, `${begin}/callback`]) {
    expect(await service.call('GET', path)).toMatchObject({
      status: 404,
      json: { error: { code: 'route_not_found' } },
    });
  }
  await service.stop();
});

it.each([
  [{ OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
  [{ OIDC_CLIENT_SECRET: 'x', OIDC_CLIENT_ID: 'x' }, 'OIDC_ISSUER missing'],
  [{ ...settings, OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER is wrong: must be an https address'],
  [{ ...settings, OIDC_ISSUER: 'http://localhost.id.example' }, 'OIDC_ISSUER is wrong: must be an https address'],
])('settings %o stop the start', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
