import { Refusal } from '../../../contracts/errors.js';
import type { RpcMessage } from '../../../contracts/rpc-messages.js';
import { isRunId } from '../../../contracts/text.js';
import { headerText, type RequestHeaders } from '../credentials.js';
import { printable } from '../tools/arguments.js';
import { type Era, metaOf } from './eras.js';

type Params = Readonly<Record<string, unknown>>;

/** A refusal about one argument. The message begins with its name. */
export const wrong = (path: string, sentence: string): Refusal =>
  new Refusal('invalid_request', `${path}: ${sentence}`, { path });

/** A parameter that must be a string. @throws Refusal invalid_request */
export function required(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw wrong(name, 'must be a string.');
  return value;
}

/** Null and an empty text are no cursor, as some clients send for the first page. @throws Refusal invalid_cursor */
export function cursorOf({ cursor }: Params): string | undefined {
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  if (typeof cursor === 'string') return cursor;
  throw new Refusal('invalid_cursor', 'cursor: must be a string that this list has returned.', { path: 'cursor' });
}

/** For a list of one page, which never returns a cursor. @throws Refusal invalid_cursor */
export function onlyPage(params: Params): void {
  if (cursorOf(params) === undefined) return;
  throw new Refusal('invalid_cursor', 'cursor: this list has one page. Ask for it without a cursor.', {
    path: 'cursor',
  });
}

/**
 * The run that a message belongs to; null if it names none. In the session era that is the session, whose id may be any
 * text and is never refused. @throws Refusal invalid_request for a run that is named explicitly and cannot be one
 */
export function runOf(message: RpcMessage, headers: RequestHeaders, era: Era): string | null {
  const session = headerText(headers['mcp-session-id']);
  if (era === 'session' && isRunId(session)) return session;
  const run = metaOf(message)['counterfoil/run'];
  if (run !== undefined && run !== null) return requireRun('_meta.counterfoil/run', run);
  const header = headerText(headers['x-service-run']);
  return header === undefined ? null : requireRun('x-service-run', header);
}

function requireRun(path: string, run: unknown): string {
  if (!isRunId(run)) throw wrong(path, 'must have 1 to 128 printable characters.');
  return run;
}

/** The members of `_meta` in the name of this service that a request may have. */
const members = ['counterfoil/run', 'counterfoil/idempotencyKey', 'counterfoil/prefer'];

/**
 * Null is no key. @throws Refusal invalid_request for a key that is not a string, and for a member with a name that only looks like
 * one of this service: without its key a repeated write would be another write
 */
export function idempotencyKeyOf(message: RpcMessage): string | undefined {
  const meta = metaOf(message);
  const unknown = Object.keys(meta).find((name) => /^counterfoil\//i.test(name) && !members.includes(name));
  if (unknown !== undefined) {
    throw wrong(`_meta.${printable(unknown)}`, `is not known. _meta takes ${members.join(', ')}.`);
  }
  return textMember(meta, 'counterfoil/idempotencyKey');
}

/** The preferences of a client, as the header Prefer of the REST API has them. @throws Refusal invalid_request if they are no string */
export const preferOf = (message: RpcMessage): string | undefined => textMember(metaOf(message), 'counterfoil/prefer');

/** Null is absent. @throws Refusal invalid_request */
function textMember(meta: Params, name: string): string | undefined {
  const text = meta[name] ?? undefined;
  if (text !== undefined && typeof text !== 'string') throw wrong(`_meta.${name}`, 'must be a string.');
  return text;
}
