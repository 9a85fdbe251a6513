import { type ErrorCode, outcomeUnknown, Refusal } from '../../contracts/errors.js';
import { ClockInDoubt } from '../base/world.js';
import { isRefusedByStore, StoreUnavailable } from '../database/database.js';

/** The codes for a store that is away: an operation refuses with the first of these that it has. */
const whileAway = ['memory_unavailable', 'recall_receipt_unavailable', 'receipt_unavailable'] as const;

/** The code of an operation for a store that cannot be asked; most operations have none of their own. */
export function unavailableCode(refusals: readonly ErrorCode[]): ErrorCode {
  return whileAway.find((code) => refusals.includes(code)) ?? 'not_ready';
}

/** The log of a request, which adds its id to every line. */
export interface FailureLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The request that failed. */
interface Failed {
  readonly log: FailureLog;
  readonly route: string | undefined;
  /** The code of the operation for a store that cannot be asked. */
  readonly unavailable: ErrorCode;
  readonly writes: boolean;
}

/**
 * The refusal for anything that was thrown. The cause of a refusal of ours, a failure of the store and an unforeseen error
 * are written to the log, with the id of the request, and shown nowhere else.
 */
export function refusalOf(error: unknown, { log, route, unavailable, writes }: Failed): Refusal {
  const refusal = error instanceof Refusal ? error : refusalOfStore(error, unavailable, writes);
  if (refusal) {
    if (refusal.cause !== undefined) log.warn({ err: refusal.cause, route, code: refusal.code }, 'request refused');
    return refusal;
  }
  log.error({ err: error, route }, 'request failed');
  return new Refusal('internal_error');
}

/** The refusal for a store that is full, moved or cannot be asked, and for a clock in doubt; undefined for another error. */
export function refusalOfStore(error: unknown, unavailable: ErrorCode, writes: boolean): Refusal | undefined {
  if (isRefusedByStore(error) || error instanceof ClockInDoubt) {
    return new Refusal('not_ready', error.message, {}, { cause: error });
  }
  if (!(error instanceof StoreUnavailable)) return undefined;
  return new Refusal(unavailable, sentenceOf(unavailable, writes), {}, { cause: error });
}

/** A store that went away during a write may have taken it, which the sentences of the table do not allow for. */
function sentenceOf(unavailable: ErrorCode, writes: boolean): string | undefined {
  if (unavailable === 'not_ready') return 'The database does not answer. Retry shortly.';
  return writes && unavailable !== 'recall_receipt_unavailable' ? outcomeUnknown : undefined;
}
