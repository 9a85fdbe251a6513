import { session, sessionIn, signedOut, signInBody } from '../../../contracts/session.js';
import { workspacesOf } from '../../../projections/account/people.js';
import { pauseOf } from '../../../projections/account/queries.js';
import { bytes, operation } from '../operation.js';
import { samples } from '../samples.js';
import type { Services } from '../services.js';
import type { OpenSession } from './sessions.js';

export const exampleSession = {
  user: { id: samples.person, email: 'ada@example.org', role: 'owner' },
  workspace: { id: samples.workspace, name: 'Lisbon office', plan: 'enterprise' },
  workspaces: [
    { id: samples.workspace, name: 'Lisbon office', plan: 'enterprise', role: 'owner' },
    { id: '018f2c6e-7b1a-7c3d-9e4f-5a6b7c8d9e10', name: 'Porto office', plan: 'team', role: 'reader' },
  ],
  paused: null,
  operator: true,
  expires_at: '2026-03-14T21:26:53.589Z',
};

export const sessionOperation = operation({
  method: 'GET',
  path: '/v1/session',
  summary: 'The person who is signed in, the workspace of the session, and the workspaces of the person',
  access: 'a session',
  serving: { cacheControl: 'no-store' },
  answers: { 200: session },
  refusals: [],
  documentation: { id: 'getSession', answers: { 200: { body: exampleSession } } },
  async handle(request, services) {
    return { status: 200, body: await shown(request.session, services) };
  },
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
  serving: { cacheControl: 'no-store' },
  body: signInBody,
  bodyLimit: passwordBodyBytes,
  answers: { 200: session },
  refusals: ['invalid_json', 'invalid_request', 'invalid_session', 'account_locked', 'member_not_found'],
  documentation: {
    id: 'signIn',
    body: 'SignInBody',
    description:
      'Sets the cookie service_session, which ends 12 hours after its last use. Ten failures within 15 minutes lock the account ' +
      'for the address that they came from, for another 15 minutes. The session begins in the workspace that workspace_id names, ' +
      'otherwise in the one that the person used last, otherwise in the one to which the person came first.',
    request: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answers: { 200: { body: exampleSession } },
  },
  async handle({ client, body: { workspace_id: workspaceId, ...given } }, services) {
    const signIn = { ...given, workspaceId, address: client.address, browser: client.browser };
    const opened = await services.access.sessions.signIn(signIn, await client.session());
    return { status: 200, body: await shown(opened, services), cookies: { session: opened } };
  },
});

export const sessionMoveOperation = operation({
  method: 'PUT',
  path: '/v1/session',
  summary: 'Move the session to another workspace of the person',
  access: 'a session',
  serving: { cacheControl: 'no-store' },
  body: sessionIn,
  answers: { 200: session },
  refusals: ['invalid_json', 'invalid_request', 'member_not_found'],
  documentation: {
    id: 'moveSession',
    body: 'SessionIn',
    description: 'The cookie stays the same. A sign-in that names no workspace begins there from then on.',
    request: { workspace_id: samples.workspace },
    answers: { 200: { body: exampleSession } },
  },
  async handle(request, services) {
    const moved = await services.access.sessions.move(request.session, request.body.workspace_id);
    return { status: 200, body: await shown(moved, services) };
  },
});

export const signOutOperation = operation({
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign out',
  // Signing out a second time does no harm.
  access: 'a session cookie',
  serving: { cacheControl: 'no-store' },
  body: bytes(null),
  answers: { 200: signedOut },
  refusals: [],
  documentation: {
    id: 'signOut',
    answers: { 200: { description: 'The session has ended.', body: { signed_out: true } } },
  },
  async handle(request, { access: { sessions } }) {
    await sessions.end(request.session.id);
    return { status: 200, body: { signed_out: true }, cookies: { session: null } };
  },
});

async function shown(
  { person, expiresAt }: OpenSession,
  { reading: { read }, access: { operators } }: Pick<Services, 'reading' | 'access'>,
) {
  const { person_id, member_id: id, email, role, workspace_id, workspace: name, plan } = person;
  const [workspaces, paused, operator] = await read((tx) =>
    Promise.all([workspacesOf(tx, person_id), pauseOf(tx, workspace_id), operators.includes(tx, id)]),
  );
  return {
    user: { id, email, role },
    workspace: { id: workspace_id, name, plan },
    workspaces,
    paused,
    operator,
    expires_at: expiresAt.toISOString(),
  };
}
