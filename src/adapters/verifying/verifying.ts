import { Refusal } from '../../../contracts/errors.js';
import { builtFile } from '../../package-root.js';
import type { Checked, Checking } from '../../verifier/checked.js';
import { openThreads } from '../threads.js';

/**
 * Bundles that are checked or wait, in all and of one client. Whoever checks bundles asks without a credential, so one
 * client must leave room for the others. The worst bundle takes a fifth of a second, so the last one waits for about 3 s.
 */
const most = { all: 16, client: 4 };
/** How long the thread and its memory outlive the last bundle. It starts in 0.1 s. */
const idleMs = 30_000;
/** Of one bundle: far more than the slowest took. */
const deadlineMs = 20_000;
/** Of the thread: the largest bundle takes a fifth of it. */
const heapMb = 256;

export interface Verifying {
  /**
   * Checks a bundle.
   * @param client for whom, such as an address
   * @throws Refusal rate_limited when too many wait, not_ready when the thread fails
   */
  check(client: string, checking: Checking): Promise<Checked>;
  close(): Promise<void>;
}

/**
 * Checks bundles one after the other in a thread that is started for the first of them. Even a short bundle may hold
 * signatures and timestamps that take some hundredths of a second, so none is checked where everybody waits for it.
 */
export function openVerifying(): Verifying {
  const threads = openThreads<Checking, Checked>({
    file: builtFile('adapters/verifying/thread.js'),
    ...{ threads: 1, heldBytes: most.all, idleMs, deadlineMs, heapMb },
  });
  const held = new Map<string, number>();
  let all = 0;
  return {
    async check(client, checking) {
      const own = held.get(client) ?? 0;
      if (all >= most.all || own >= most.client) throw tooMany();
      all += 1;
      held.set(client, own + 1);
      try {
        return await threads.run(1, checking);
      } finally {
        all -= 1;
        const left = (held.get(client) ?? 1) - 1;
        if (left > 0) held.set(client, left);
        else held.delete(client);
      }
    },
    close: threads.close,
  };
}

const tooMany = () =>
  new Refusal('rate_limited', 'Many bundles are being checked at this moment. Wait 2 s.', { retry_after_seconds: 2 });
