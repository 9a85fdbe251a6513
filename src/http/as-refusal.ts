import type { FastifyRequest } from 'fastify';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { refusalOf } from '../api/failures.js';
import { bodyTooLarge } from './request-body.js';

/** The refusal for anything that a route or the framework has thrown. */
export function asRefusal(error: unknown, request: FastifyRequest, unavailable: ErrorCode = 'not_ready'): Refusal {
  const { log, method, routeOptions } = request;
  return (
    ofBody(error, request) ??
    refusalOf(error, { log, route: routeOptions.url, unavailable, writes: !['GET', 'HEAD'].includes(method) })
  );
}

/** The refusal for an error of the framework while it reads the body. */
function ofBody(error: unknown, request: FastifyRequest): Refusal | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return bodyTooLarge(request.routeOptions.bodyLimit ?? limits.bodyBytes);
  }
  // Other connections break with the same code as that of the caller, and then it is not the caller who ended early.
  const ended =
    code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || (code === 'ECONNRESET' && request.raw.errored === error);
  return ended ? new Refusal('invalid_json', 'The body ended early.') : undefined;
}
