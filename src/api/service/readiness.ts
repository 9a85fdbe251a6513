import { anyChain } from '../../../projections/log/queries.js';
import { orLate } from '../../base/deadline.js';
import type { World } from '../../base/world.js';
import { type Database, isRefusedByStore, StoreUnavailable, UnfitDatabase } from '../../database/database.js';

/** How long a question about readiness waits at most. A database that has not answered by then counts as away. */
const patienceMs = 2000;

/** The question whether the ledger can take a write. */
export interface LedgerReadiness {
  /** Rejects when it cannot. */
  ask(): Promise<unknown>;
  /** The missing part, by that error; `undefined` stands for an answer that has not come in time. */
  faultOf(error: unknown): string;
}

/**
 * Names of what is missing before a write can be taken. However many ask, and however long the database or the ledger is silent,
 * each of them is asked by one of them at a time.
 */
export function createReadiness(
  transaction: Database['transaction'],
  { ask, faultOf }: LedgerReadiness,
  doubt: World['doubt'],
  state: { readonly isStopping: boolean },
) {
  /** In a transaction that might write, because a store whose disk is full still reads. */
  const database = oneAtATime(
    () => transaction(anyChain),
    (error) => (isSentence(error) ? error.message : 'the database does not answer'),
  );
  const ledger = oneAtATime(ask, faultOf);
  return async function missing(): Promise<readonly string[]> {
    if (state.isStopping) return ['the service is stopping'];
    return (await Promise.all([database(), ledger(), doubt()])).flatMap((one) => one ?? []);
  };
}

/** Whether the message says what the operator has to do. */
const isSentence = (error: unknown): error is Error =>
  isRefusedByStore(error) || (error instanceof StoreUnavailable && error.cause instanceof UnfitDatabase);

/** How long an answer without a fault is kept: questions about readiness must not slow down writes. */
const validMs = 1000;

/** @returns a function that gives null when the question is answered, and otherwise what is missing */
function oneAtATime(ask: () => Promise<unknown>, faultOf: (error: unknown) => string): () => Promise<string | null> {
  let pending: Promise<string | null> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - answeredAt < validMs) return null;
    pending ??= ask()
      .then(() => {
        answeredAt = performance.now();
        return null;
      }, faultOf)
      .finally(() => {
        pending = undefined;
      });
    return orLate(patienceMs, pending, faultOf(undefined));
  };
}
