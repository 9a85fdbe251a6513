import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFields, refuseUnknown } from '../../contracts/input.js';
import { passwordChanged, passwordIn, sessionEnded, sessionList } from '../../contracts/session.js';
import type { Described } from '../api/described.js';
import type { RateLimits } from '../api/rate-limits.js';
import { readJsonObject } from '../domain/json-text.js';
import { bodyText } from './body.js';
import type { OwnAccount } from './own-account.js';
import { send } from './session.js';

const passwordPath = '/v1/session/password';
const sessionsPath = '/v1/sessions';
const onePath = '/v1/sessions/:session_id';

/** What they say of themselves; see routes.ts. */
export const accountRoutes: readonly Described[] = [
  {
    method: 'PUT',
    path: passwordPath,
    summary: 'Change your password, and end all your other sessions',
    access: 'a session',
    query: {},
    body: passwordIn,
    answers: { 200: passwordChanged },
    refusals: [
      ...(['invalid_json', 'invalid_request', 'invalid_session', 'account_locked'] as const),
      ...(['receipt_unavailable', 'not_ready'] as const),
    ],
  },
  {
    method: 'GET',
    path: sessionsPath,
    summary: 'Your sessions, newest first',
    access: 'a session',
    query: {},
    body: {},
    answers: { 200: sessionList },
    refusals: [],
  },
  {
    method: 'DELETE',
    path: onePath,
    summary: 'End one of your sessions',
    access: 'a session',
    query: {},
    body: {},
    answers: { 200: sessionEnded },
    refusals: ['invalid_json', 'invalid_request', 'session_not_found'],
  },
];

/** What people do with their own sessions and password, whatever their role. */
export function addAccountRoutes(server: FastifyInstance, account: OwnAccount, rateLimits: RateLimits): void {
  const onRequest = (request: FastifyRequest) => rateLimits.address(request.ip, 'signInAttempts');
  server.put(passwordPath, { bodyLimit: 64 * 1024, onRequest }, async (request, reply) => {
    const read = () => {
      const { value } = readJsonObject(bodyText(request.body));
      refuseUnknown(passwordIn, Object.keys(value), 'invalid_request');
      return readFields(passwordIn, value);
    };
    const { person, receiptId } = await account.changePassword(request, request.ip, read);
    return send(reply, person.cookie, { changed: true, receipt_id: receiptId });
  });
  server.get(sessionsPath, { exposeHeadRoute: false }, async (request, reply) => {
    const { person, rows } = await account.sessions(request);
    const data = rows.map((row) => ({ ...row, current: row.id === person.id }));
    return send(reply, person.cookie, { data });
  });
  server.delete<{ Params: { session_id: string } }>(onePath, async (request, reply) => {
    const text = bodyText(request.body);
    if (text !== '') refuseUnknown({}, Object.keys(readJsonObject(text).value), 'invalid_request');
    const id = request.params.session_id;
    await account.end(request, id);
    return send(reply, null, { id, ended: true });
  });
}
