import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import type { Sums } from '../../src/domain/market/state/sums.js';
import type { TaskGroup, TaskGroups } from '../../src/domain/market/state/task-groups.js';
import { createTasks } from '../../src/domain/market/state/tasks.js';
import { dayMs, hourMs, windowsOf } from '../../src/domain/market/state/windows.js';
import { repeats } from '../support/repeats.js';
import { terminalText } from './feed-at.js';
import { minuteMs, noon, randomReceipts, receipt } from './made-receipts.js';
import { type Random, random } from './random.js';
import { marketAt } from './travel.js';

/** Moments on the way to noon, some minutes and some many days apart. */
function randomMoments({ whole, pick, chance }: Random): number[] {
  const moments = [noon];
  for (let t = noon; chance(0.85); ) {
    t -= pick([minuteMs, hourMs, whole(48) * hourMs + minuteMs, dayMs, 7 * dayMs, whole(40) * dayMs + hourMs]);
    moments.unshift(t);
  }
  return moments;
}

function shuffled<T>(values: readonly T[], { whole }: Random): T[] {
  return values
    .map((value) => ({ value, place: whole(2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/** The groups alone: what is left after all functions are taken away. */
const groupsOf = ({ all, capabilities, agents, vendors, buyers }: TaskGroups) => ({
  all,
  capabilities,
  agents,
  vendors,
  buyers,
});

const sumsIn = (groups: TaskGroups): Sums[] => {
  const own = ({ day, month }: TaskGroup) => [day, month];
  return [
    ...own(groups.all),
    ...[groups.agents, groups.vendors, groups.buyers].flatMap((one) => [...one.values()].flatMap(own)),
    ...[...groups.capabilities.values()].flatMap((one) => [
      ...own(one),
      one.before,
      one.week,
      ...one.days.values(),
      ...[...one.agents.values(), ...one.vendors.values()].flatMap(own),
    ]),
  ];
};

const isNegative = ({ latencies, ...counts }: Sums): boolean =>
  [...Object.values(counts), ...latencies.values()].some((count) => count < 0);

/** Members of sums that add up. */
const added = (all: Iterable<Sums>) => {
  const total = { tasks: 0, successes: 0, failures: 0, refusals: 0, violated: 0, quantity: 0, notional: 0n };
  for (const sums of all) {
    total.tasks += sums.tasks;
    total.successes += sums.successes;
    total.failures += sums.failures;
    total.refusals += sums.refusals;
    total.violated += sums.violated;
    total.quantity += sums.quantity;
    total.notional += sums.notional;
  }
  return total;
};

describe('the groups of tasks in random timelines', () => {
  const timelines = Array.from({ length: repeats('TIMELINES') }, (_, seed) => {
    const values = random(seed + 1);
    return { seed, values, receipts: randomReceipts(values, 120) };
  });
  const recordedByNoon = (receipts: readonly PublicReceipt[]) =>
    receipts.filter(({ task }) => task.recorded_ms <= noon);

  // @covers MARKET-WINDOWS MARKET-ORDER
  it('are the same from the start and by any way in time, in any order of arrival, and never count below 0', () => {
    for (const { values, receipts } of timelines) {
      const fresh = marketAt(receipts, [noon]);
      const look = ({ tasks }: Market) => expect(sumsIn(tasks).some(isNegative)).toBe(false);
      const moved = marketAt(shuffled(receipts, values), randomMoments(values), look);
      expect(groupsOf(moved.tasks)).toEqual(groupsOf(fresh.tasks));
      expect(terminalText(moved)).toBe(terminalText(fresh));
    }
  });

  // @covers MARKET-NEWEST
  it('have the handle and the vendor of the newest task of an agent: by its end, then in recorded order', () => {
    const of = (handle: string, ended_ms: number, recorded_ms: number, hash: string) =>
      receipt({ agent: 'agn_a', handle, vendor: `of ${handle}`, ended_ms, recorded_ms, hash });
    const receipts = [
      of('@last', noon - 1, noon - 1, 'a'),
      of('@early', noon - 1, noon - 2, 'c'),
      of('@old', noon - 2, noon, 'd'),
      of('@first', noon - 1, noon - 1, '9'),
      of('@future', noon + 1, noon, 'e'),
    ];
    for (const arrived of [receipts, receipts.toReversed()]) {
      const group = marketAt(arrived, [noon]).tasks.agents.get('agn_a');
      expect(group).toMatchObject({ handle: '@last', vendor: 'of @last', tag: null, lastMs: noon - 1 });
    }
  });

  // @covers MARKET-TOTALS
  it('add up to all tasks, by sector, agent and vendor, in each window', () => {
    for (const { receipts } of timelines) {
      const { tasks: groups } = marketAt(receipts, [noon]);
      const ended = (after: number) =>
        recordedByNoon(receipts).filter(({ task }) => task.ended_ms > noon - after && task.ended_ms <= noon);
      for (const [window, ms] of [
        ['day', dayMs],
        ['month', 30 * dayMs],
      ] as const) {
        const total = added([groups.all[window]]);
        expect(total.tasks).toBe(ended(ms).length);
        expect(total.notional).toBe(ended(ms).reduce((sum, { task }) => sum + BigInt(task.cost_micros ?? 0), 0n));
        expect(added([...groups.agents.values()].map((one) => one[window]))).toEqual(total);
        expect(added([...groups.vendors.values()].map((one) => one[window]))).toEqual(total);
        const others = ended(ms).filter(({ task }) => task.capability === null).length;
        const sectors = ['build', 'know', 'serve', 'transact'].map((sector) =>
          added(
            [...groups.capabilities].filter(([name]) => groups.sectorOf(name) === sector).map(([, one]) => one[window]),
          ),
        );
        expect(sectors.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(total.tasks - others);
      }
      for (const group of groups.capabilities.values()) {
        expect(added([...group.agents.values()].map(({ day }) => day))).toEqual(added([group.day]));
        expect(added([...group.vendors.values()].map(({ month }) => month))).toEqual(added([group.month]));
        expect([...group.workspaces.values()].reduce((sum, count) => sum + count, 0)).toBe(group.day.tasks);
      }
    }
  });
});

describe('the memory of the groups', () => {
  setFlagsFromString('--expose_gc');
  const collect: () => void = runInNewContext('gc');
  const megabytes = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };

  // @covers MARKET-MEMORY
  it('is free again when all tasks have left their windows', () => {
    const tasks = Array.from(
      { length: 5000 },
      (_, n) =>
        receipt({
          capability: `c${n}`,
          handle: `@h${n}`,
          vendor: `v${n}`,
          counterparty: `b${n}`,
          ended_ms: noon - n * minuteMs,
        }).task,
    );
    const groups = createTasks();
    groups.arrive(noon);
    const before = megabytes();
    const move = (by: 1 | -1) => {
      for (const task of tasks) {
        for (const window of windowsOf(task.ended_ms, noon)) {
          // No task ever leaves the past.
          if (by === 1 || window !== 'past') groups.move(task, window, by);
        }
      }
    };
    move(1);
    const most = megabytes() - before;
    expect([groups.capabilities.size, groups.agents.size, groups.vendors.size, groups.buyers.size]).toEqual([
      5000, 5000, 5000, 5000,
    ]);
    move(-1);
    groups.arrive(noon + 60 * dayMs);
    const left = megabytes() - before;
    expect(left).toBeLessThan(most / 10);
    expect(groupsOf(groups)).toEqual(groupsOf(createTasks()));
  });
});
