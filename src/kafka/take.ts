import { Refusal } from '../../contracts/errors.js';
import type { ReceiptRecord } from '../../contracts/kafka-records.js';
import { type CallParts, call } from '../api/call.js';
import { refusalOfStore } from '../api/failures.js';
import type { IdentifySigned } from '../api/keys/signed-caller.js';
import { taskSubmitOperation } from '../api/receipts/submit.js';
import { credentialOf, valueIn } from './record.js';

/** The outcome of a record: its receipts are durable, or it is refused and never taken, or it must be tried later. */
export type Outcome =
  | { readonly is: 'taken' }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'later'; readonly code: string; readonly seconds: number };

export type Take = (record: ReceiptRecord) => Promise<Outcome>;

interface TakeParts extends CallParts {
  readonly identify: IdentifySigned;
  readonly log: { error(fields: object, message: string): void };
}

const longestWaitSeconds = 60;
/** Requests are counted by workspace; there is no network address, and no session. */
const client = { address: 'kafka', browser: null, session: async () => null, signInAttempt: async () => null };

/** Submits the receipts of a record as `POST /v1/receipts` does: the same rules, limits, budgets and refusals. Never fails. */
export function createTake({ identify, log, ...parts }: TakeParts): Take {
  return async (record) => {
    try {
      const body = valueIn(record);
      const caller = await identify(credentialOf(record), body);
      await call(taskSubmitOperation, { caller, client, body }, parts);
      return { is: 'taken' };
    } catch (error) {
      return outcomeOf(refusalOf(error, log));
    }
  };
}

export function outcomeOf(refusal: Refusal): Outcome {
  if (refusal.status !== 503 && refusal.status !== 429) return { is: 'refused', refusal };
  return { is: 'later', code: refusal.code, seconds: Math.min(refusal.retryAfterSeconds ?? 1, longestWaitSeconds) };
}

function refusalOf(error: unknown, log: TakeParts['log']): Refusal {
  const refusal = error instanceof Refusal ? error : refusalOfStore(error, 'receipt_unavailable', true);
  if (refusal) return refusal;
  log.error({ err: error }, 'a record of task receipts failed');
  return new Refusal('internal_error');
}
