import type { Refusal } from '../../contracts/errors.js';
import type { PartitionBatch, ReceiptRecord } from '../../contracts/kafka-records.js';
import type { World } from '../base/world.js';
import type { TakingState } from './state.js';
import type { Outcome, Take } from './take.js';

interface Parts {
  readonly take: Take;
  /** Resolves when the dead letter is durable. */
  sendDead(record: ReceiptRecord, refusal: Refusal): Promise<void>;
  readonly state: TakingState;
  readonly world: Pick<World, 'now' | 'sleep'>;
}

const commitMs = 1000;
/** How long a record may be worked on until the broker hears from this process again. */
const silentMs = 1000;

/**
 * Takes the records of a partition one after the other, because a later receipt may refer to an earlier one. A record that
 * must wait pauses its partition; all other partitions continue. The broker delivers a record that is not done a second time,
 * to this process or to another one.
 */
export function createTakeBatch({ take, sendDead, state, world }: Parts) {
  /** Waits for work on a record. The work of a lost partition is given up: another process does it again. */
  async function alive<T>(work: Promise<T>, batch: PartitionBatch): Promise<T> {
    work.catch(() => undefined);
    const done = new AbortController();
    const first = () => Promise.race([work.then(() => true), world.sleep(silentMs, done.signal).then(() => false)]);
    try {
      while (!(await first())) await batch.heartbeat();
      return await work;
    } finally {
      done.abort();
    }
  }

  async function outcomeOf(record: ReceiptRecord, batch: PartitionBatch): Promise<Outcome> {
    const outcome = await alive(take(record), batch);
    if (outcome.is !== 'refused') return outcome;
    const sending = sendDead(record, outcome.refusal).then(
      () => outcome,
      (error): Outcome => ({ is: 'later', code: `the dead letter cannot be sent (${reasonOf(error)})`, seconds: 1 }),
    );
    return alive(sending, batch);
  }

  /** @returns whether the next record may follow */
  async function takeOne(record: ReceiptRecord, batch: PartitionBatch, stopping: AbortSignal): Promise<boolean> {
    const { partition } = batch;
    state.begun(partition, record.producedAt);
    const outcome = await outcomeOf(record, batch);
    if (outcome.is === 'later') {
      state.waits(partition, outcome.code, world.now());
      const resume = batch.pause();
      void world.sleep(outcome.seconds * 1000, stopping).then(resume);
      return false;
    }
    batch.resolve(record.offset);
    state.done(partition, outcome.is === 'taken' ? 'taken' : 'dead');
    return true;
  }

  return async (batch: PartitionBatch, stopping: AbortSignal): Promise<void> => {
    let committedAt = performance.now();
    let isDone = false;
    try {
      for (const record of batch.records) {
        if (!batch.isRunning()) break;
        await batch.heartbeat();
        if (!(await takeOne(record, batch, stopping))) break;
        if (performance.now() - committedAt < commitMs) continue;
        await batch.commit();
        committedAt = performance.now();
      }
      isDone = true;
    } finally {
      // After an error the offsets of what is done may still be stored, so that fewer records are delivered a second time.
      await (isDone ? batch.commit() : batch.commit().catch(() => undefined));
    }
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);
