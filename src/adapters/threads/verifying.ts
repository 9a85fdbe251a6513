import type { Checked, Checking } from '../../verifier/verify.js';
import { openThreads } from './threads.js';

/**
 * The largest number of running and waiting checks, in total and for one client. Checking a bundle needs no credential,
 * so one client must leave room for other clients. The worst bundle takes a fifth of a second, so the last one waits
 * for about 3 s.
 */
const most = { all: 16, client: 4 };
/** For one bundle: far more than the slowest one took. */
const deadlineMs = 20_000;
/** The heap of the thread. The largest bundle takes a fifth of it. */
const heapMb = 256;

export interface Verifying {
  /**
   * Checks a bundle.
   * @param client the client, for example its address
   * @throws Refusal rate_limited when too many wait, not_ready when the thread fails
   */
  check(client: string, checking: Checking): Promise<Checked>;
  close(): Promise<void>;
}

/**
 * Checks bundles one after the other in a thread, which the first of them starts. Even a short bundle may have
 * signatures and timestamps that take some hundredths of a second, so no bundle is checked on the main thread.
 */
export function openVerifying(): Verifying {
  const threads = openThreads({
    threads: 1,
    heldBytes: most.all,
    own: { heldBytes: most.client },
    what: 'checks of bundles',
    deadlineMs,
    heapMb,
  });
  return {
    // Each counts as one byte: how long a bundle takes does not depend on its length.
    check: (client, checking) => threads.run({ owner: client, bytes: 1 }, 'checkBundle', checking),
    close: threads.close,
  };
}
