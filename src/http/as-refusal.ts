import type { FastifyRequest } from 'fastify';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { StoreFull, StoreUnavailable } from '../adapters/database/database.js';

/** What is said while the store is away, by the first of these that a route refuses with. */
const whileAway = ['memory_unavailable', 'recall_receipt_unavailable', 'receipt_unavailable'] as const;

/** The code of a route for a store that cannot be asked; most routes have none of their own. */
export function unavailableCode(refusals: readonly ErrorCode[]): ErrorCode {
  return whileAway.find((code) => refusals.includes(code)) ?? 'not_ready';
}

/**
 * Whatever was thrown as a refusal. What is behind one of ours, and what nobody foresaw, is in the log and nowhere else.
 * @param unavailable what the route says of a store that cannot be asked
 */
export function asRefusal(error: unknown, request: FastifyRequest, unavailable: ErrorCode = 'not_ready'): Refusal {
  const route = request.routeOptions.url;
  if (error instanceof Refusal) {
    if (error.cause !== undefined) request.log.warn({ err: error.cause, route, code: error.code }, 'request refused');
    return error;
  }
  if (error instanceof StoreFull) return new Refusal('not_ready', error.message);
  if (error instanceof StoreUnavailable) {
    request.log.warn({ err: error, route, code: unavailable }, 'request refused');
    const sentence = unavailable === 'not_ready' ? 'The database does not answer. Retry shortly.' : undefined;
    return new Refusal(unavailable, sentence);
  }
  const refusal = ofBody(error, request);
  if (refusal) return refusal;
  request.log.error({ err: error, route }, 'request failed');
  return new Refusal('internal_error');
}

/** What the framework throws while it reads the body. */
function ofBody(error: unknown, request: FastifyRequest): Refusal | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit = limits.bodyBytes } = request.routeOptions;
    const limit = bodyLimit < 1024 ** 2 ? `${bodyLimit / 1024} KiB` : `${bodyLimit / 1024 ** 2} MiB`;
    return new Refusal('body_too_large', `The request body is over ${limit}.`);
  }
  // Other connections break with the same code as that of the caller, and then it is not the caller who ended early.
  const ended =
    code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || (code === 'ECONNRESET' && request.raw.errored === error);
  return ended ? new Refusal('invalid_json', 'The body ended early.') : undefined;
}
