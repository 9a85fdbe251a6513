import { KafkaTooLate } from './faults.js';

/**
 * Waits for a call to the brokers until its time is over or `signal` is aborted. The call itself cannot be ended: the caller
 * discards its client.
 * @throws KafkaTooLate
 */
export async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new KafkaTooLate(`the brokers did not answer within ${ms} ms`)), ms);
    const aborted = () => reject(new KafkaTooLate('the call was given up before the brokers answered'));
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    };
  });
  // When it fails later, its error has no reader.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, ended]);
  } finally {
    end();
  }
}
