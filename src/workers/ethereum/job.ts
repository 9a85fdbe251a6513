import type { Logger } from 'pino';
import { NodeFailed } from '../../adapters/ethereum/node.js';
import type { World } from '../../base/world.js';
import { NotProvable } from '../../domain/ethereum/rpc-values.js';
import type { Lease } from '../lease.js';
import type { Job } from '../loop.js';
import { LeaseLost, type Outcome } from './parts.js';
import type { Sender } from './sender.js';

interface Parts {
  readonly sender: Sender;
  readonly lease: Lease;
  readonly world: Pick<World, 'now' | 'sleep'>;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/** While a transaction is in flight; a block of the main chain takes twelve seconds. */
const napMs = 6000;
/** How often the last transaction is looked at, when none is in flight. */
const lookBackMs = 60_000;
/** A node may ask for a pause, but not for a longer one. */
const longestPauseMs = 60_000;

/** Sends the transactions of one purpose, and remembers why they wait. */
export function sending({ sender, lease, world, log }: Parts) {
  let problem: string | null = null;
  let lookedBackAt = 0;

  function note(found: string | null): void {
    if (found !== null && found !== problem)
      log.error({ purpose: sender.purpose, reason: found }, 'a transaction waits');
    if (found === null && problem !== null) log.info({ purpose: sender.purpose }, 'transactions are sent again');
    problem = found;
  }

  async function step(): Promise<Outcome> {
    const outcome = await sender.step();
    if (outcome.more || world.now().getTime() - lookedBackAt < lookBackMs) return outcome;
    lookedBackAt = world.now().getTime();
    const back = await sender.lookBack();
    return { ...outcome, more: back.more, problem: outcome.problem ?? back.problem };
  }

  const job: Job = {
    name: `transactions of ${sender.purpose}`,
    napMs,
    lease,
    async work(stopping) {
      try {
        const { more, problem: found } = await step();
        note(found);
        return more;
      } catch (error) {
        if (error instanceof LeaseLost) return false;
        if (!(error instanceof NodeFailed || error instanceof NotProvable)) throw error;
        note(error instanceof NodeFailed ? `the node is of no use: ${error.message}` : error.message);
        if (error instanceof NodeFailed && error.retryAfterMs !== null)
          await world.sleep(Math.min(error.retryAfterMs, longestPauseMs), stopping);
        return false;
      }
    },
  };
  return { job, problem: () => problem };
}
