import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import type { PartitionBatch, ReceiptRecord } from '../../contracts/kafka-records.js';
import { createDeadLetters } from '../../src/kafka/dead-letters.js';
import { createTakingState } from '../../src/kafka/state.js';
import { type Outcome, outcomeOf } from '../../src/kafka/take.js';
import { createTakeBatch } from '../../src/kafka/take-batch.js';

const record = (offset: number): ReceiptRecord => ({
  topic: 'receipts',
  partition: 1,
  offset: String(offset),
  key: null,
  value: null,
  headers: new Map(),
  producedAt: offset,
});
const refused: Outcome = { is: 'refused', refusal: new Refusal('receipt_conflict') };
const taken: Outcome = { is: 'taken' };
const later: Outcome = { is: 'later', code: 'rate_limited', seconds: 7 };

/** A partition with records of these outcomes, and everything that was done in its order. */
function partition(outcomes: readonly (Outcome | Promise<Outcome>)[], broken: Partial<PartitionBatch> = {}) {
  const happened: string[] = [];
  const state = createTakingState();
  const slept: (() => void)[] = [];
  let deadFails = false;
  const takeBatch = createTakeBatch({
    state,
    take: async ({ offset }) => outcomes[Number(offset)] ?? taken,
    async sendDead({ offset }, { code }) {
      if (deadFails) throw new Error('the broker is away');
      happened.push(`dead ${offset} ${code}`);
    },
    world: {
      now: () => new Date('2026-03-14T09:26:53.589Z'),
      // A record that is worked on sleeps for a second beside its work; a wait is as long as it says.
      sleep: (ms) =>
        ms === 1000 ? new Promise((resolve) => setTimeout(resolve, 5)) : new Promise((r) => slept.push(r)),
    },
  });
  const batch: PartitionBatch = {
    partition: 1,
    records: outcomes.map((_, offset) => record(offset)),
    isRunning: () => true,
    heartbeat: async () => undefined,
    resolve: (offset) => happened.push(`resolve ${offset}`),
    commit: async () => void happened.push('commit'),
    pause: () => {
      happened.push('pause');
      return () => happened.push('resume');
    },
    ...broken,
  };
  return {
    happened,
    state,
    slept,
    failDead: (fails: boolean) => {
      deadFails = fails;
    },
    run: () => takeBatch(batch, new AbortController().signal),
  };
}

describe('the records of a partition', () => {
  // @covers KREC-OFFSET KREC-DEAD-DURABLE
  it('are done in their order, and committed when their receipts and dead letters are durable', async () => {
    const { run, happened, state } = partition([taken, refused, taken]);
    await run();
    expect(happened).toEqual(['resolve 0', 'dead 1 receipt_conflict', 'resolve 1', 'resolve 2', 'commit']);
    expect([...state.counts]).toEqual([
      ['taken', 2],
      ['dead', 1],
    ]);
    expect([state.oldest(), state.problems('receipts')]).toEqual([undefined, []]);
  });

  // @covers KREC-WAIT KREC-HEALTH
  it('wait with their partition when one must be tried later', async () => {
    const { run, happened, state, slept } = partition([taken, later, taken]);
    await run();
    expect(happened).toEqual(['resolve 0', 'pause', 'commit']);
    expect(state.problems('receipts')).toEqual([
      'Partition 1 of the topic receipts has waited since 2026-03-14T09:26:53.589Z: rate_limited.',
    ]);
    expect(state.oldest()).toBe(1);
    for (const wake of slept) wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(happened.at(-1)).toBe('resume');
    state.assigned([2]);
    expect([state.oldest(), state.problems('receipts')]).toEqual([undefined, []]);
  });

  // @covers KREC-DEAD-DURABLE
  it('are not done while their dead letter cannot be sent', async () => {
    const { run, happened, state, failDead } = partition([refused]);
    failDead(true);
    await run();
    expect(happened).toEqual(['pause', 'commit']);
    expect(state.problems('receipts')[0]).toContain('the dead letter cannot be sent (the broker is away)');
    failDead(false);
    await run();
    expect(happened.slice(2)).toEqual(['dead 0 receipt_conflict', 'resolve 0', 'commit']);
  });

  // @covers KREC-LOST
  it('are left when the partition is lost, at the next heartbeat, even in the middle of a record', async () => {
    const lost = async () => {
      throw new Error('rebalancing');
    };
    const between = partition([taken], { heartbeat: lost });
    await expect(between.run()).rejects.toThrow('rebalancing');
    expect(between.happened).toEqual(['commit']);
    let beats = 0;
    const heartbeat = async () => {
      beats += 1;
      if (beats > 2) await lost();
    };
    const within = partition([taken, new Promise<Outcome>(() => {})], { heartbeat });
    await expect(within.run()).rejects.toThrow('rebalancing');
    expect(within.happened).toEqual(['resolve 0', 'commit']);
  });

  it('are left when the consumer stops', async () => {
    const { run, happened } = partition([taken], { isRunning: () => false });
    await run();
    expect(happened).toEqual(['commit']);
  });
});

describe('a refusal of a record', () => {
  // @covers KREC-WAIT KREC-DEAD-CODES
  it.each<[Refusal, number | 'refused']>([
    [new Refusal('receipt_unavailable'), 1],
    [new Refusal('meter_unavailable'), 1],
    [new Refusal('not_ready'), 1],
    [new Refusal('rate_limited', undefined, { retry_after_seconds: 17 }), 17],
    [new Refusal('rate_limited', undefined, { retry_after_seconds: 3600 }), 60],
    [new Refusal('rate_limited'), 1],
    [new Refusal('plan_action_limit'), 'refused'],
    [new Refusal('tenant_paused'), 'refused'],
    [new Refusal('unauthorized'), 'refused'],
    [new Refusal('feature_not_enabled'), 'refused'],
    [new Refusal('internal_error'), 'refused'],
  ])('$code waits for 503 and 429, and is final otherwise', (refusal, expected) => {
    const outcome = outcomeOf(refusal);
    expect(outcome.is === 'later' ? outcome.seconds : outcome.is).toBe(expected);
  });
});

describe('dead letters', () => {
  // @covers KREC-DEAD-DURABLE
  it('are sent one after the other, with a new producer after an error', async () => {
    const happened: string[] = [];
    let opened = 0;
    const letters = createDeadLetters(
      async () => {
        opened += 1;
        const number = opened;
        return {
          async send(topic) {
            happened.push(`${number} begins ${topic}`);
            await new Promise((resolve) => setImmediate(resolve));
            if (number === 1) throw new Error('lost');
            happened.push(`${number} ends`);
          },
          discard: () => void happened.push(`${number} is discarded`),
        };
      },
      () => new Date(0),
    );
    const sent = [0, 1].map((offset) => letters.send(record(offset), new Refusal('invalid_json')));
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    letters.close();
    expect(happened).toEqual([
      '1 begins receipts.dead',
      '1 is discarded',
      '2 begins receipts.dead',
      '2 ends',
      '2 is discarded',
    ]);
  });
});
