import type { Logger } from 'pino';
import type { Database } from '../adapters/database/database.js';
import type { PublicLog } from '../commands/public-log.js';
import type { World } from '../world.js';
import { dropLease, takeLease } from './lease.js';
import { confirmAttested, type Done, submitNewest, type Timestamping, upgradeSubmitted } from './timestamps.js';

/** A process that died in the middle of a round leaves the next one to others after this time. */
const leaseMs = 60_000;
const firstMs = 1000;

export interface Anchoring {
  /** Does now what would be done at the next interval. @returns what happened; null when another process is at it */
  round(): Promise<readonly Step[] | null>;
  stop(): Promise<void>;
}

/** One step of a round: what it did, or why it could not. */
export interface Step {
  readonly name: 'checkpoint' | 'submit' | 'upgrade' | 'confirm';
  readonly done: readonly (Done | 'signed')[];
  readonly failure: string | null;
}

/**
 * Signs a checkpoint and brings it into Bitcoin, every interval. Each step begins at what is recorded and records what it
 * has done, so a crash anywhere leaves the rest to the next round, and one step that fails does not keep the others.
 * Without a network nothing but this is disturbed: it tries again at the next interval.
 * @param timestamping null when no calendar is to be asked
 */
export function startAnchoring(parts: {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  readonly publicLog: PublicLog;
  readonly timestamping: Timestamping | null;
  readonly intervalMs: number;
}): Anchoring {
  const { database, world, log } = parts;
  const owner = world.nonce();
  const stopping = new AbortController();
  /** The last thing that was said of each step: a fault that lasts is said once. */
  const said = new Map<string, string | null>();

  async function step(name: Step['name'], work: () => Promise<Step['done']>): Promise<Step> {
    await takeLease(database, 'anchoring', owner, world.now(), leaseMs);
    const result = await work().then(
      (done) => ({ name, done, failure: null }),
      (error: unknown) => ({ name, done: [], failure: error instanceof Error ? error.message : String(error) }),
    );
    if (result.failure !== (said.get(name) ?? null)) {
      if (result.failure !== null) log.warn({ step: name, reason: result.failure }, 'anchoring waits');
      said.set(name, result.failure);
    }
    if (result.done.length > 0) log.info({ step: name, done: result.done }, 'anchoring');
    return result;
  }

  async function round(): Promise<readonly Step[] | null> {
    if (!(await takeLease(database, 'anchoring', owner, world.now(), leaseMs))) return null;
    const { publicLog, timestamping } = parts;
    const steps = [
      await step('checkpoint', async () => {
        const before = await publicLog.latest();
        const after = await publicLog.checkpoint();
        return after?.size === before?.size ? [] : ['signed'];
      }),
    ];
    if (timestamping) {
      steps.push(await step('submit', () => submitNewest(timestamping)));
      steps.push(await step('upgrade', () => upgradeSubmitted(timestamping)));
      steps.push(await step('confirm', () => confirmAttested(timestamping)));
    }
    return steps;
  }

  let underWay: Promise<unknown> = Promise.resolve();
  const enqueue = () => {
    const next = underWay.then(round);
    underWay = next.catch((error) => log.warn({ err: error }, 'a round of anchoring failed; it is tried again'));
    return next;
  };

  const running = (async () => {
    await world.sleep(Math.min(firstMs, parts.intervalMs), stopping.signal);
    while (!stopping.signal.aborted) {
      enqueue().catch(() => undefined);
      await world.sleep(parts.intervalMs, stopping.signal);
    }
  })();

  return {
    round: enqueue,
    async stop() {
      stopping.abort();
      await running;
      // A calendar may take ten seconds to answer, and what it says then is only lost: the next start asks again.
      await Promise.race([underWay, world.sleep(1000)]);
      await dropLease(database, 'anchoring', owner).catch(() => undefined);
    },
  };
}
