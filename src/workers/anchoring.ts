import type { Logger } from 'pino';
import type { Database } from '../adapters/database/database.js';
import { confirmAttested } from '../tlog/anchoring/blocks.js';
import { type Cosigning, cosignNewest } from '../tlog/anchoring/cosigning.js';
import { type Outcome, type Reported, reasonOf, type StepName } from '../tlog/anchoring/steps.js';
import { submitNewest, type Timestamping, upgradeSubmitted } from '../tlog/anchoring/timestamps.js';
import type { PublicLog } from '../tlog/log.js';
import type { World } from '../world.js';
import { dropLease, noteDone, sinceDone, takeLease } from './lease.js';

/** A process that died in the middle of a round leaves the next one to others after this time. */
const leaseMs = 60_000;
const firstMs = 1000;
const graceMs = 1000;
/** A checkpoint that nobody has made for so many intervals is an alarm of every process, whichever of them has the work. */
const overdueIntervals = 3;

export interface Anchoring {
  /**
   * Does now what would be done at the next interval.
   * @returns what happened; null when another process is at it, or came before this one was through
   */
  round(): Promise<readonly Reported[] | null>;
  /** Each step that could not be done when this process last tried it, and why. */
  failing(): ReadonlyMap<StepName, string>;
  stop(): Promise<void>;
}

export interface AnchoringParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  readonly publicLog: PublicLog;
  /** Null when no calendar is to be asked. */
  readonly timestamping: Timestamping | null;
  readonly cosigning: Cosigning;
  readonly intervalMs: number;
  /** A UUID: who this process is to others on the same store. */
  readonly owner: string;
}

/**
 * Signs a checkpoint, brings it into Bitcoin and shows it to witnesses, every interval. Each step begins at what is recorded and records what it
 * has done, so a crash anywhere leaves the rest to the next round, and one step that fails does not keep the others.
 * Without a network nothing but this is disturbed: it tries again at the next interval.
 */
export function startAnchoring(parts: AnchoringParts): Anchoring {
  const { database, world, log, owner } = parts;
  const stopping = new AbortController();
  /** A fault that lasts is said once. */
  const failing = new Map<StepName, string>();

  function report({ name, done, failure }: Reported): void {
    if (done.length > 0) log.info({ step: name, done }, 'anchoring');
    const before = failing.get(name);
    if (failure === null) {
      if (failing.delete(name)) log.info({ step: name }, 'anchoring goes on');
    } else {
      failing.set(name, failure);
      if (failure !== before) log.warn({ step: name, reason: failure }, 'anchoring waits');
    }
  }

  async function round(): Promise<readonly Reported[] | null> {
    const unable = await parts.publicLog.withoutKeys();
    if (unable !== null) {
      // Another process may have them: whoever cannot do the work leaves it to the others.
      const reported = { name: 'checkpoint', done: [], failure: unable } as const;
      report(reported);
      return [reported];
    }
    const reports: Reported[] = [];
    for (const [name, work] of stepsOf(parts)) {
      if (stopping.signal.aborted) return null;
      // Taken anew for each, because the one before may have lasted longer than the lease.
      if (!(await takeLease(database, 'anchoring', owner, leaseMs))) {
        report({ name: 'checkpoint', done: [], failure: await overdue() });
        return null;
      }
      const outcome = await work().catch((error) => ({ done: [], failure: reasonOf(error) }));
      if (name === 'checkpoint' && outcome.failure === null) await noteDone(database, 'anchoring', owner);
      reports.push({ name, ...outcome });
      report({ name, ...outcome });
    }
    // What this process cannot sign another one may.
    if (failing.has('checkpoint')) await dropLease(database, 'anchoring', owner);
    return reports;
  }

  /** What is wrong with the work of the process that has it; null while it is done. */
  async function overdue(): Promise<string | null> {
    const ms = await sinceDone(database, 'anchoring', owner);
    if (ms <= overdueIntervals * Math.max(parts.intervalMs, leaseMs)) return null;
    return `another process has this work and has made no checkpoint for ${Math.round(ms / 1000)} s; see its log`;
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
      // Rounds that last longer than the interval must not pile up.
      await enqueue().catch(() => undefined);
      await world.sleep(parts.intervalMs, stopping.signal);
    }
  })();

  return {
    round: enqueue,
    failing: () => failing,
    async stop() {
      stopping.abort();
      // A calendar may take ten seconds to answer, and what it says then is only lost: the next start asks again.
      await Promise.race([Promise.all([running, underWay]), world.sleep(graceMs)]);
      await dropLease(database, 'anchoring', owner).catch(() => undefined);
    },
  };
}

type Steps = readonly (readonly [StepName, () => Promise<Outcome>])[];

function stepsOf({ publicLog, timestamping, cosigning }: AnchoringParts): Steps {
  const own: Steps = [['checkpoint', () => signNewest(publicLog)]];
  const cosign: Steps = cosigning.witnesses.length === 0 ? [] : [['cosign', () => cosignNewest(cosigning)]];
  if (!timestamping) return [...own, ...cosign];
  return [
    ...own,
    ['submit', () => submitNewest(timestamping)],
    ...cosign,
    ['upgrade', () => upgradeSubmitted(timestamping)],
    ['confirm', () => confirmAttested(timestamping)],
  ];
}

async function signNewest(publicLog: PublicLog): Promise<Outcome> {
  const before = await publicLog.latest();
  const after = await publicLog.checkpoint();
  return { done: after?.size === before?.size ? [] : ['signed'], failure: null };
}
