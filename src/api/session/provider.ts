import { Refusal } from '../../../contracts/errors.js';
import { providerQuery } from '../../../contracts/session.js';
import type { Answer } from '../answer.js';
import { operation } from '../operation.js';
import type { ForAccess, ProviderSignIn } from '../services.js';
import { pathOnThisOrigin } from './next-path.js';
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
  serving: { cacheControl: 'no-store' },
  query: providerQuery,
  answers: { 302: redirect },
  refusals: ['invalid_request', 'route_not_found', 'not_ready'],
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
    return orBackToPage(next, async () => {
      const { location, attempt } = await signIn.begin();
      return { status: 302, body: '', headers: { location }, cookies: { signInAttempt: { ...attempt, next } } };
    });
  },
});

export const providerFinishOperation = operation({
  method: 'GET',
  path: providerCallbackPath,
  summary: 'The redirect address of sign-in with an OpenID Connect provider',
  access: 'anybody',
  addressLimit: 'signInAttempts',
  serving: { cacheControl: 'no-store' },
  foreignQuery: true,
  answers: { 302: redirect },
  refusals: ['route_not_found', 'invalid_session', 'not_ready'],
  documentation: {
    id: 'finishProviderSignIn',
    description:
      'The provider sends the browser to this address. Sign-in adds no members: a person whose verified e-mail address no ' +
      'member has is a guest, who can use the account of the terminal and gets no_workspace from all other routes. Sets the cookie service_session as POST /v1/session does. A browser whose sign-in was begun by ' +
      'a page continues with that page, and after a refusal with /sign-in.',
    answers: { 302: { body: '' } },
  },
  async handle({ client, queryText }, { access: { providerSignIn, sessions } }) {
    const { verifiedEmail, home } = offered(providerSignIn);
    const attempt = await client.signInAttempt();
    const next = attempt?.next;
    return orBackToPage(next, async () => {
      const email = await verifiedEmail(attempt, queryText);
      const session = await signedIn(sessions, email, client.browser, await client.session());
      const location = next === undefined ? home : new URL(next, home).href;
      return { status: 302, body: '', headers: { location }, cookies: { session, signInAttempt: null } };
    });
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

/** A person who came from a page sees a refusal on the page /sign-in, and not as JSON. */
async function orBackToPage(next: string | undefined, work: () => Promise<Redirect>): Promise<Redirect> {
  try {
    return await work();
  } catch (error) {
    if (next === undefined || !(error instanceof Refusal)) throw error;
    const location = `/sign-in?${new URLSearchParams({ refused: error.code, next })}`;
    return { status: 302, body: '', headers: { location } };
  }
}

/** Where no provider is set, the operations answer as unknown routes do. @throws Refusal route_not_found */
function offered(signIn: ProviderSignIn | null): ProviderSignIn {
  if (signIn) return signIn;
  throw new Refusal('route_not_found', 'This service has no OpenID Connect provider. Sign in with POST /v1/session.');
}
