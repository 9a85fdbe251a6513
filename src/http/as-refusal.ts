import type { FastifyRequest } from 'fastify';
import { type ErrorCode, outcomeUnknown, Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { StoreFull, StoreUnavailable } from '../adapters/database/database.js';

/** The codes for a store that is away: a route refuses with the first of these that it has. */
const whileAway = ['memory_unavailable', 'recall_receipt_unavailable', 'receipt_unavailable'] as const;

/** The code of a route for a store that cannot be asked; most routes have none of their own. */
export function unavailableCode(refusals: readonly ErrorCode[]): ErrorCode {
  return whileAway.find((code) => refusals.includes(code)) ?? 'not_ready';
}

/**
 * The refusal for anything that was thrown. The cause of a refusal of ours, a failure of the store and an unforeseen error
 * are written to the log, with the id of the request, and shown nowhere else.
 * @param unavailable the code of the route for a store that cannot be asked
 */
export function asRefusal(error: unknown, request: FastifyRequest, unavailable: ErrorCode = 'not_ready'): Refusal {
  const route = request.routeOptions.url;
  if (error instanceof Refusal) {
    if (error.cause !== undefined) request.log.warn({ err: error.cause, route, code: error.code }, 'request refused');
    return error;
  }
  if (error instanceof StoreFull) {
    request.log.warn({ err: error, route, code: 'not_ready' }, 'request refused');
    return new Refusal('not_ready', error.message);
  }
  if (error instanceof StoreUnavailable) {
    request.log.warn({ err: error, route, code: unavailable }, 'request refused');
    return new Refusal(unavailable, sentenceOf(unavailable, request.method));
  }
  const refusal = ofBody(error, request);
  if (refusal) return refusal;
  request.log.error({ err: error, route }, 'request failed');
  return new Refusal('internal_error');
}

/** A store that went away during a write may have taken it, which the sentences of the table do not allow for. */
function sentenceOf(unavailable: ErrorCode, method: string): string | undefined {
  if (unavailable === 'not_ready') return 'The database does not answer. Retry shortly.';
  const writes = method !== 'GET' && unavailable !== 'recall_receipt_unavailable';
  return writes ? outcomeUnknown : undefined;
}

/** The refusal for an error of the framework while it reads the body. */
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
