import { NodeFailed } from '../../src/adapters/ethereum/faults.js';

/** The fault of a question that fails. */
export async function faultOf(
  asked: Promise<unknown>,
): Promise<{ fault: string; message: string; retryAfterMs: number | null }> {
  const error: unknown = await asked.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NodeFailed)) throw error;
  return { fault: error.fault, message: error.message, retryAfterMs: error.retryAfterMs };
}
