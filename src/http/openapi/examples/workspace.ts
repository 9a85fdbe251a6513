import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const rules = { pause_all: false, sensitive: 'redact', ask_owner: [] };
const workspace = { id: samples.workspace, name: 'Lisbon office', plan: 'enterprise', created_at: samples.at };
const grace = { id: samples.otherPerson, email: 'grace@example.org', role: 'member', created_at: samples.at };
const session = {
  user: { id: samples.person, email: 'ada@example.org', role: 'owner' },
  workspace: { id: samples.workspace, name: 'Lisbon office', plan: 'enterprise' },
  expires_at: '2026-03-14T21:26:53.589Z',
};

export const workspaces: Book = {
  'GET /v1/rules': { id: 'getRules', answers: { 200: { body: rules } } },
  'PUT /v1/rules': {
    id: 'setRules',
    body: 'RulesIn',
    description: 'Sets all rules together. Only the owner pauses or resumes agents.',
    request: { pause_all: true, sensitive: 'redact' },
    answers: {
      200: { says: 'The rules as they are now.', body: { ...rules, pause_all: true, receipt_id: samples.receipt } },
    },
  },
  'GET /v1/workspace': { id: 'getWorkspace', answers: { 200: { says: 'The workspace.', body: workspace } } },
  'PATCH /v1/workspace': {
    id: 'renameWorkspace',
    body: 'WorkspaceIn',
    request: { name: 'Porto office' },
    answers: { 200: { says: 'The workspace with its new name.', body: { ...workspace, name: 'Porto office' } } },
  },
  'GET /v1/members': {
    id: 'listMembers',
    answers: {
      200: {
        says: 'The complete list.',
        body: {
          data: [{ id: samples.person, email: 'ada@example.org', role: 'owner', created_at: samples.at }, grace],
        },
      },
    },
  },
  'POST /v1/members': {
    id: 'addMember',
    body: 'MemberIn',
    request: { email: 'grace@example.org', role: 'member' },
    answers: {
      201: {
        says: 'The person, with the generated password: it is shown once.',
        body: { ...grace, receipt_id: samples.receipt, password: 'pX7nWq2LkT9sVb4RzC1m' },
      },
    },
  },
  'PATCH /v1/members/{member_id}': {
    id: 'changeMember',
    body: 'MemberChangeIn',
    request: { role: 'reader' },
    answers: {
      200: { says: 'The person in the new role.', body: { ...grace, role: 'reader', receipt_id: samples.receipt } },
    },
  },
  'DELETE /v1/members/{member_id}': {
    id: 'removeMember',
    answers: {
      200: {
        says: 'The person was removed.',
        body: { id: samples.otherPerson, removed: true, receipt_id: samples.receipt },
      },
    },
  },
  'GET /v1/session': { id: 'getSession', answers: { 200: { body: session } } },
  'POST /v1/session': {
    id: 'signIn',
    body: 'SignInBody',
    description:
      'Sets the cookie service_session, which ends 12 hours after its last use. Ten failures within 15 minutes lock the account ' +
      'for the address that they came from, for another 15 minutes.',
    request: { email: 'ada@example.org', password: 'correct horse battery staple' },
    answers: { 200: { body: session } },
  },
  'PUT /v1/session/password': {
    id: 'changePassword',
    body: 'PasswordIn',
    request: { old_password: 'correct horse battery staple', new_password: 'a longer one, with a heron in it' },
    answers: { 200: { body: { changed: true, receipt_id: samples.receipt } } },
  },
  'GET /v1/sessions': {
    id: 'listSessions',
    answers: {
      200: {
        body: {
          data: [
            {
              ...{ id: '018f2c6e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', created_at: samples.at },
              ...{ expires_at: samples.at, current: true },
            },
          ],
        },
      },
    },
  },
  'DELETE /v1/sessions/{session_id}': {
    id: 'endSession',
    answers: {
      200: { says: 'The session has ended.', body: { id: '018f2c6e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', ended: true } },
    },
  },
  'GET /v1/session/oidc': {
    id: 'beginProviderSignIn',
    description:
      'For browsers. Redirects to the configured provider, with a cookie that ends after ten minutes. ' +
      'Without a configured provider this route does not exist.',
    answers: { 302: { body: '' } },
  },
  'GET /v1/session/oidc/callback': {
    id: 'finishProviderSignIn',
    description:
      'The provider sends the browser to this address. A member must have the verified e-mail address already; ' +
      'sign-in adds no members. Sets the cookie service_session as POST /v1/session does.',
    answers: { 302: { body: '' } },
  },
  'DELETE /v1/session': {
    id: 'signOut',
    answers: { 200: { says: 'The session has ended.', body: { signed_out: true } } },
  },
};
