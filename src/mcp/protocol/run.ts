import type { RpcMessage } from '../../domain/rpc-messages.js';
import { isRunId } from '../../domain/run-id.js';
import { printable } from '../tools/arguments.js';
import { type Era, metaOf } from './eras.js';
import { headerText, type RequestHeaders } from './headers.js';
import { wrong } from './parameters.js';

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
    throw wrong(`_meta.${printable(unknown)}`, `is not known. _meta takes ${members.slice(0, 2).join(' and ')}.`);
  }
  const key = meta['counterfoil/idempotencyKey'] ?? undefined;
  if (key !== undefined && typeof key !== 'string')
    throw wrong('_meta.counterfoil/idempotencyKey', 'must be a string.');
  return key;
}
