import { Cancelled, DeadlinePassed, withDeadline } from '../../base/deadline.js';
import { KafkaTooLate } from './faults.js';

/**
 * Waits for a call to the brokers until its time is over or `signal` is aborted. The call itself cannot be ended: the caller
 * discards its client.
 * @throws KafkaTooLate
 */
export async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  // When it fails later, its error has no reader.
  work.catch(() => undefined);
  try {
    return await withDeadline(ms, () => work, signal);
  } catch (error) {
    if (error instanceof DeadlinePassed) throw new KafkaTooLate(`the brokers did not answer within ${ms} ms`);
    if (error instanceof Cancelled) throw new KafkaTooLate('the call was given up before the brokers answered');
    throw error;
  }
}
