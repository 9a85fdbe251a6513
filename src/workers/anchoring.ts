import type { Logger } from 'pino';
import type { Database } from '../database/database.js';
import { confirmAttested } from '../tlog/anchoring/blocks.js';
import { type Cosigning, cosignNewest } from '../tlog/anchoring/cosigning.js';
import { type Outcome, type Reported, reasonOf, type StepName } from '../tlog/anchoring/steps.js';
import { submitNewest, type Timestamping, upgradeSubmitted } from '../tlog/anchoring/timestamps.js';
import type { TransparencyLog } from '../tlog/log.js';
import { createLease, noteDone, sinceDone } from './lease.js';
import type { Job } from './loop.js';

/** A process that died in the middle of a round leaves the next one to others after this time. */
const leaseMs = 60_000;
const firstMs = 1000;
/** A calendar may take ten seconds to answer, and what it says then is only lost: the next start asks again. */
const stopMs = 1000;
/** After how many intervals without a checkpoint every process raises an alarm, also one that leaves the work to another. */
const overdueIntervals = 3;

export interface Anchoring {
  /**
   * Does now what would be done at the next interval.
   * @returns what happened; null when another process is at it, or came before this one was through
   */
  round(): Promise<readonly Reported[] | null>;
  /** Each step that could not be done when this process last tried it, and why. */
  failing(): ReadonlyMap<StepName, string>;
  readonly job: Job;
}

interface AnchoringParts {
  readonly database: Database;
  readonly log: Logger;
  readonly transparencyLog: TransparencyLog;
  /** Null when no calendar is used. */
  readonly timestamping: Timestamping | null;
  readonly cosigning: Cosigning;
  readonly intervalMs: number;
  /** A UUID: who this process is to others on the same store. */
  readonly owner: string;
}

/**
 * Signs a checkpoint, brings it into Bitcoin and shows it to witnesses, every interval. Each step begins at what is recorded
 * and records what it has done, so a crash anywhere leaves the rest to the next round, and a step that fails does not hold up
 * the next ones.
 * Without a network nothing but this is disturbed: it tries again at the next interval.
 */
export function createAnchoring(parts: AnchoringParts): Anchoring {
  const { database, log, owner } = parts;
  const lease = createLease(database, 'anchoring', owner, leaseMs);
  const reports = createReports(log);

  async function round(stopping?: AbortSignal): Promise<readonly Reported[] | null> {
    const unable = await parts.transparencyLog.withoutKeys();
    if (unable !== null) {
      // Another process may have them: one that cannot do the work leaves it to them.
      const reported = { name: 'checkpoint', done: [], failure: unable } as const;
      reports.add(reported);
      return [reported];
    }
    const done: Reported[] = [];
    for (const [name, work] of stepsOf(parts)) {
      if (stopping?.aborted) return null;
      // Taken again for each, because the one before may have lasted longer than the lease.
      if (!(await lease.take())) {
        reports.add({ name: 'checkpoint', done: [], failure: await overdue(parts) });
        return null;
      }
      const outcome = await work().catch((error) => ({ done: [], failure: reasonOf(error) }));
      if (name === 'checkpoint' && outcome.failure === null) await noteDone(database, 'anchoring', owner);
      done.push({ name, ...outcome });
      reports.add({ name, ...outcome });
    }
    // What this process cannot sign another one may.
    if (reports.failing.has('checkpoint')) await lease.drop();
    return done;
  }

  let last: Promise<unknown> = Promise.resolve();
  /** One round at a time. */
  function enqueue(stopping?: AbortSignal) {
    const next = last.then(() => round(stopping));
    last = next.catch(() => undefined);
    return next;
  }

  return {
    round: () => enqueue(),
    failing: () => reports.failing,
    job: {
      name: 'anchoring',
      firstMs: Math.min(firstMs, parts.intervalMs),
      napMs: parts.intervalMs,
      stopMs,
      lease,
      async work(stopping) {
        await enqueue(stopping);
        return false;
      },
    },
  };
}

/** The fault of the work of the process that has it; null while it is done. */
async function overdue({ database, owner, intervalMs }: AnchoringParts): Promise<string | null> {
  const ms = await sinceDone(database, 'anchoring', owner);
  if (ms <= overdueIntervals * Math.max(intervalMs, leaseMs)) return null;
  return `another process has this work and has made no checkpoint for ${Math.round(ms / 1000)} s; see its log`;
}

/** The steps that failed when they were last tried. A fault that lasts is logged once. */
function createReports(log: AnchoringParts['log']) {
  const failing = new Map<StepName, string>();
  return {
    failing,
    add({ name, done, failure }: Reported) {
      if (done.length > 0) log.info({ step: name, done }, 'anchoring');
      const before = failing.get(name);
      if (failure === null) {
        if (failing.delete(name)) log.info({ step: name }, 'anchoring continues');
      } else {
        failing.set(name, failure);
        if (failure !== before) log.warn({ step: name, reason: failure }, 'anchoring waits');
      }
    },
  };
}

type Steps = readonly (readonly [StepName, () => Promise<Outcome>])[];

function stepsOf({ transparencyLog, timestamping, cosigning }: AnchoringParts): Steps {
  const own: Steps = [['checkpoint', () => signNewest(transparencyLog)]];
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

async function signNewest(transparencyLog: TransparencyLog): Promise<Outcome> {
  const before = await transparencyLog.latest();
  const after = await transparencyLog.checkpoint();
  return { done: after?.size === before?.size ? [] : ['signed'], failure: null };
}
