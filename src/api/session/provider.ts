import { Refusal } from '../../../contracts/errors.js';
import { providerQuery } from '../../../contracts/session.js';
import type { Answer, Cookies } from '../answer.js';
import { operation } from '../operation.js';
import type { ForAccess, ProviderSignIn } from '../services.js';
import { pathOnThisOrigin } from './next-path.js';
import { type ProviderProblem, pageOfProblem } from './provider-problems.js';
import type { OpenSession, SessionToken } from './sessions.js';

export const providerPath = '/v1/session/oidc';
export const providerCallbackPath = `${providerPath}/callback`;

const redirect = {
  contentType: 'text/plain; charset=utf-8',
  description: 'An empty body; the address to open is in Location.',
};

export const providerBeginOperation = operation({
  method: 'GET',
  path: providerPath,
  summary: 'Sign in with an OpenID Connect provider',
  access: 'anybody',
  serving: { cacheControl: 'no-store', refusesOnPage: true },
  query: providerQuery,
  answers: { 302: redirect },
  refusals: ['invalid_request', 'route_not_found'],
  documentation: {
    id: 'beginProviderSignIn',
    description:
      'For browsers. Redirects to the configured provider, with a cookie that ends after ten minutes. ' +
      'Without a configured provider this route does not exist.',
    answers: { 302: { body: '' } },
  },
  async handle({ query }, { access: { providerSignIn } }) {
    const signIn = offered(providerSignIn);
    const next = pathOnThisOrigin(query.next ?? '') ?? undefined;
    const begun = await signIn.begin();
    if ('problem' in begun) return refusedAt(begun.problem, next);
    const { location, attempt } = begun;
    return { status: 302, body: '', headers: { location }, cookies: { signInAttempt: { ...attempt, next } } };
  },
});

export const providerFinishOperation = operation({
  method: 'GET',
  path: providerCallbackPath,
  summary: 'The redirect address of sign-in with an OpenID Connect provider',
  access: 'anybody',
  addressLimit: 'signInAttempts',
  serving: { cacheControl: 'no-store', refusesOnPage: true },
  foreignQuery: true,
  answers: { 302: redirect },
  refusals: ['route_not_found'],
  documentation: {
    id: 'finishProviderSignIn',
    description:
      'The provider sends the browser to this address. Sign-in adds no members: a person whose verified e-mail address no ' +
      'member has is a guest, who can use the account of the terminal and gets no_workspace from all other routes. Sets the cookie service_session as POST /v1/session does. A browser whose sign-in was begun by ' +
      'a page continues with that page. After a refusal it continues with /sign-in, which says the reason, or where the person is signed in already, as if it were not refused.',
    answers: { 302: { body: '' } },
  },
  async handle({ client, queryText }, { access: { providerSignIn, sessions } }) {
    const { verifiedEmail, home } = offered(providerSignIn);
    const state = new URLSearchParams(queryText).get('state') ?? '';
    const attempt = await client.signInAttempt(state);
    const next = attempt?.next;
    const onward = (cookies: Cookies): Redirect => {
      const location = next === undefined ? home : new URL(next, home).href;
      return { status: 302, body: '', headers: { location }, cookies };
    };
    const earlier = await client.session();
    const answered = attempt ? await verifiedEmail(attempt, queryText) : ({ problem: 'begun_elsewhere' } as const);
    if ('problem' in answered) {
      // Such as the way back in the browser, or a second tab: there is nothing that this person has to do.
      if (await isSignedIn(sessions, earlier)) return onward({});
      return refusedAt(answered.problem, next);
    }
    const session = await signedIn(sessions, answered.email, client.browser, earlier);
    return onward({ session, signInAttempt: { ended: state } });
  },
});

type Redirect = Answer<302, string>;

/** Someone who is a member of no workspace is a guest, who can only use the account of the terminal. */
async function signedIn(
  sessions: ForAccess['sessions'],
  email: string,
  browser: string | null,
  earlier: SessionToken | null,
): Promise<Pick<OpenSession, 'id' | 'expiresAt'>> {
  try {
    return await sessions.signInAs(email, browser, earlier);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'no_workspace') throw error;
    return sessions.signInGuest(email, browser, earlier);
  }
}

async function isSignedIn(sessions: ForAccess['sessions'], token: SessionToken | null): Promise<boolean> {
  if (token === null) return false;
  try {
    await sessions.person(token);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
}

const refusedAt = (problem: ProviderProblem, next: string | undefined): Redirect => ({
  status: 302,
  body: '',
  headers: { location: pageOfProblem(problem, next) },
});

/** Where no provider is set, the operations answer as unknown routes do. @throws Refusal route_not_found */
function offered(signIn: ProviderSignIn | null): ProviderSignIn {
  if (signIn) return signIn;
  throw new Refusal('route_not_found', 'This service has no OpenID Connect provider. Sign in with POST /v1/session.');
}
