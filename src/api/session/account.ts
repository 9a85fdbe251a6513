import { Refusal } from '../../../contracts/errors.js';
import { passwordChanged, passwordIn, sessionEnded, sessionList } from '../../../contracts/session.js';
import { peopleByEmail } from '../../../projections/account/people.js';
import { sessionsOf } from '../../../projections/account/sessions.js';
import { passwordOf } from '../../domain/person.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { passwordBodyBytes } from './session.js';
import { countSignIn } from './sessions.js';

/** The sessions and the password of a person, of any role. */

const exampleId = '018f2c6e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';

export const passwordOperation = operation({
  method: 'PUT',
  path: '/v1/session/password',
  summary: 'Change your password in all your workspaces, and end all your other sessions',
  access: 'a session',
  addressLimit: 'signInAttempts',
  serving: { cacheControl: 'no-store' },
  body: passwordIn,
  bodyLimit: passwordBodyBytes,
  answers: { 200: passwordChanged },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_session',
    'account_locked',
    'receipt_unavailable',
    'not_ready',
  ],
  documentation: {
    id: 'changePassword',
    body: 'PasswordIn',
    request: { old_password: 'correct horse battery staple', new_password: 'a longer one, with a heron in it' },
    answers: { 200: { body: { changed: true, receipt_id: samples.receipt } } },
  },
  async handle(
    { session, client, body },
    { reading: { read }, access: { sessions, people, signInAttempts, passwords } },
  ) {
    const { person_id: personId, member_id: id, workspace_id: workspaceId, email } = session.person;
    passwords.requireRoom();
    // A stolen cookie does not help to guess the password: it counts as signing in does.
    const forgive = await countSignIn(signInAttempts, client.address, email);
    const namesakes = await read((tx) => peopleByEmail(tx, email));
    const hashOf = (isSought: (id: string) => boolean) =>
      namesakes.flatMap((one) => (isSought(one.id) ? (passwordOf(one)?.passwordHash ?? []) : [])).at(0);
    const [right] = await passwords.opens(workspaceId, [hashOf((one) => one === personId) ?? ''], body.old_password);
    if (!right) throw new Refusal('invalid_session', 'The old password is not right.');
    await forgive();
    // People with one address, whom only earlier versions made, share a salt: one check at sign-in covers all of them.
    const hash = await passwords.hash(
      workspaceId,
      body.new_password,
      hashOf((one) => one !== personId),
    );
    const receipt_id = await people.changePassword({ id, workspaceId }, hash);
    await sessions.endOthers(personId, session.id);
    return { status: 200, body: { changed: true, receipt_id }, receipt: receipt_id };
  },
});

export const sessionListOperation = operation({
  method: 'GET',
  path: '/v1/sessions',
  summary: 'Your sessions, newest first',
  access: 'a session',
  serving: { cacheControl: 'no-store' },
  answers: { 200: sessionList },
  refusals: [],
  documentation: {
    id: 'listSessions',
    answers: {
      200: {
        body: {
          data: [
            {
              id: exampleId,
              created_at: samples.at,
              expires_at: samples.at,
              last_used_at: samples.later,
              browser: 'Firefox on Linux',
              current: true,
            },
          ],
        },
      },
    },
  },
  async handle({ session }, { reading: { read, now } }) {
    const rows = await read((tx) => sessionsOf(tx, session.person.person_id, now()));
    return { status: 200, body: { data: rows.map((row) => ({ ...row, current: row.id === session.id })) } };
  },
});

export const sessionEndOperation = operation({
  method: 'DELETE',
  path: '/v1/sessions/:session_id',
  summary: 'End one of your sessions',
  access: 'a session',
  serving: { cacheControl: 'no-store' },
  answers: { 200: sessionEnded },
  refusals: ['invalid_json', 'invalid_request', 'session_not_found'],
  documentation: {
    id: 'endSession',
    answers: { 200: { description: 'The session has ended.', body: { id: exampleId, ended: true } } },
  },
  async handle({ session, params: { session_id: id = '' } }, { access: { sessions } }) {
    if (!(await sessions.endOf(session.person.person_id, id))) throw new Refusal('session_not_found');
    return { status: 200, body: { id, ended: true } };
  },
});
