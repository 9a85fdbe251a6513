import type { RpcMessage } from '../../domain/rpc-messages.js';
import { isRunId } from '../../domain/run-id.js';
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
  if (run !== undefined) return requireRun('_meta.counterfoil/run', run);
  const header = headerText(headers['x-service-run']);
  return header === undefined ? null : requireRun('x-service-run', header);
}

function requireRun(path: string, run: unknown): string {
  if (!isRunId(run)) throw wrong(path, 'must have 1 to 128 printable characters.');
  return run;
}

/** @throws Refusal invalid_request for a key that is not a string */
export function idempotencyKeyOf(message: RpcMessage): string | undefined {
  const key = metaOf(message)['counterfoil/idempotencyKey'];
  if (key !== undefined && typeof key !== 'string')
    throw wrong('_meta.counterfoil/idempotencyKey', 'must be a string.');
  return key;
}
