import type { Logger } from 'pino';
import { storeFeedback } from '../../../projections/feedback/files.js';
import { certainTime, type World } from '../../base/world.js';
import type { Transaction } from '../../database/database.js';
import { startOfEpoch } from '../../domain/erc8004/epoch.js';
import type { Lease } from '../lease.js';
import type { Job } from '../loop.js';
import { type DueEpoch, dueEpochs, type LinkedAgent } from './due.js';
import { type FeedbackParts, makeFeedback } from './make-feedback.js';

interface MakingParts extends FeedbackParts {
  readonly log: Pick<Logger, 'info'>;
  readonly world: Pick<World, 'now' | 'doubt'>;
  readonly lease: Lease;
  readonly epochMs: number;
  /** The agents of the registry of the settings that are linked now, in the order of their identities: those after one. */
  linked(tx: Transaction, after: string, limit: number): Promise<readonly LinkedAgent[]>;
  /** Makes sure that no entry with this time or an earlier one is committed any more. @returns false when it must be tried again */
  settle(ms: number): Promise<boolean>;
}

/** How long after the end of an epoch its receipts are counted at the earliest. */
const settlingMs = 5000;
const napMs = 5000;
/** After an error, such as a log that cannot be signed. */
const pauseMs = 60_000;
/** Agents that are looked at at once. */
const pageAgents = 200;

/**
 * Makes the files of feedback: for each linked agent and each epoch with receipts that has ended, once. Others may read a file
 * before its feedback is on the chain.
 */
export function makingFeedback(parts: MakingParts): Job {
  const { database, log, world, lease, epochMs } = parts;
  /** Everything that ended by this moment is made. */
  let madeUntil = 0;

  async function make(due: DueEpoch, stopping: AbortSignal): Promise<boolean> {
    const made = await makeFeedback(parts, due, async () => !stopping.aborted && (await lease.take()));
    if (made === null) return false;
    const isOwner = await database.transaction(async (tx) => {
      if (!(await lease.keep(tx))) return false;
      await storeFeedback(tx, made.feedback, made.bytes);
      return true;
    });
    if (isOwner) log.info({ agent: due.agent.agnId, epoch: due.id }, 'the file of a feedback is made');
    return isOwner;
  }

  /** The next epoch of each agent that has one. */
  async function* allDue(ended: number): AsyncGenerator<DueEpoch> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const last: string = after;
      const agents = await database.read((tx) => parts.linked(tx, last, pageAgents));
      yield* await database.read((tx) => dueEpochs(tx, agents, epochMs, ended));
      after = agents.at(-1)?.agnId;
    }
  }

  return {
    name: 'feedback',
    napMs,
    pauseMs,
    lease,
    async work(stopping) {
      const ended = startOfEpoch(certainTime(world).getTime() - settlingMs, epochMs);
      if (ended <= madeUntil || !(await lease.take()) || !(await parts.settle(ended - 1))) return false;
      let [made, left] = [0, 0];
      for await (const due of allDue(ended)) {
        if (await make(due, stopping)) made += 1;
        else left += 1;
        if (stopping.aborted) return false;
      }
      if (made === 0 && left === 0) madeUntil = ended;
      return made > 0;
    },
  };
}
