import { session, signedOut, signInBody } from '../../../contracts/session.js';
import { bytes, operation } from '../operation.js';
import { samples } from '../samples.js';
import type { OpenSession } from './sessions.js';

export const exampleSession = {
  user: { id: samples.person, email: 'ada@example.org', role: 'owner' },
  workspace: { id: samples.workspace, name: 'Lisbon office', plan: 'enterprise' },
  expires_at: '2026-03-14T21:26:53.589Z',
};

export const sessionOperation = operation({
  method: 'GET',
  path: '/v1/session',
  summary: 'The person who is signed in',
  access: 'a session',
  cacheControl: 'no-store',
  answers: { 200: session },
  refusals: [],
  documentation: { id: 'getSession', answers: { 200: { body: exampleSession } } },
  handle: async (request) => ({ status: 200, body: sessionShape(request.session) }),
});

/** The most bytes of a body that holds a password. */
export const passwordBodyBytes = 64 * 1024;

export const signInOperation = operation({
  method: 'POST',
  path: '/v1/session',
  summary: 'Sign in',
  access: 'anybody',
  sameSite: true,
  addressLimit: 'signInAttempts',
  cacheControl: 'no-store',
  body: signInBody,
  bodyLimit: passwordBodyBytes,
  answers: { 200: session },
  refusals: ['invalid_json', 'invalid_request', 'invalid_session', 'account_locked'],
  documentation: {
    id: 'signIn',
    body: 'SignInBody',
    description:
      'Sets the cookie service_session, which ends 12 hours after its last use. Ten failures within 15 minutes lock the account ' +
      'for the address that they came from, for another 15 minutes.',
    request: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answers: { 200: { body: exampleSession } },
  },
  async handle({ client, body: { email, password } }, { sessions }) {
    const opened = await sessions.signIn(client.address, email, password, await client.session());
    return { status: 200, body: sessionShape(opened), cookies: { session: opened } };
  },
});

export const signOutOperation = operation({
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign out',
  // Signing out a second time does no harm.
  access: 'a session cookie',
  cacheControl: 'no-store',
  body: bytes(null),
  answers: { 200: signedOut },
  refusals: [],
  documentation: {
    id: 'signOut',
    answers: { 200: { description: 'The session has ended.', body: { signed_out: true } } },
  },
  async handle(request, { sessions }) {
    await sessions.end(request.session.id);
    return { status: 200, body: { signed_out: true }, cookies: { session: null } };
  },
});

function sessionShape({ person, expiresAt }: OpenSession) {
  const { member_id: id, email, role, workspace_id, workspace: name, plan } = person;
  return {
    user: { id, email, role },
    workspace: { id: workspace_id, name, plan },
    expires_at: expiresAt.toISOString(),
  };
}
