import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../contracts/errors.js';

/** The names of errors that a refusal with 503 is caused by, as metrics show them. */
const causes = new Map([
  ['StoreUnavailable', 'database'],
  ['StoreBusy', 'database_busy'],
  ['StoreFull', 'disk_full'],
  ['StoreMoved', 'store_moved'],
  ['StoreClosed', 'stopping'],
  ['ClockInDoubt', 'clock'],
  ['ChainHalted', 'chain_halted'],
]);

const byRequest = new WeakMap<FastifyRequest, string>();

/** Remembers why a request was refused with 503: the kind of the fault, and the code of the refusal for any other one. */
export function noteCause(request: FastifyRequest, refusal: Refusal): Refusal {
  if (refusal.status === 503) byRequest.set(request, kindOf(refusal.cause) ?? refusal.code);
  return refusal;
}

/** The cause of an answer with the status 503; null for any other one. */
export const causeOf = (request: FastifyRequest, status: number): string | null =>
  status === 503 ? (byRequest.get(request) ?? 'other') : null;

/** An error that wraps another one has it as its cause. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return causes.get(error.name) ?? kindOf(error.cause);
}
