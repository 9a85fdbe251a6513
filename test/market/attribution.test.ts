import Fraction from 'fraction.js';
import { describe, expect, it } from 'vitest';
import { settle, type Workflow } from '../../src/domain/market/attribution/runs.js';
import { attributionOf } from '../../src/domain/market/attribution/totals.js';
import type { Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { windowsOf } from '../../src/domain/market/state/windows.js';
import { repeats } from '../support/repeats.js';
import { economy } from './economy.js';
import { cutToMinute, follow, marketAt, shuffled } from './live.js';
import { random } from './random.js';

/** The runs of a workflow, as the receipts of 30 days say it, without the code under test. */
function runsOnPaper(receipts: readonly PublicReceipt[], t: number): ReadonlyMap<string, readonly PublicReceipt[]> {
  const inMonth = receipts.filter(({ task }) => task.recorded_ms <= t && windowsOf(task.ended_ms, t).includes('month'));
  const named = inMonth.filter(({ task }) => task.workflow !== null && task.run !== null);
  const workflowOf = ({ task }: PublicReceipt) => `${task.workspace} ${task.workflow}`;
  const stated = new Set(named.filter(({ task }) => task.outcome_value_micros !== null).map(workflowOf));
  const runs = new Map<string, PublicReceipt[]>();
  for (const one of named.filter((receipt) => stated.has(workflowOf(receipt)))) {
    const key = `${workflowOf(one)} ${one.task.run}`;
    runs.set(key, [...(runs.get(key) ?? []), one]);
  }
  return runs;
}

const valueOfRun = (run: readonly PublicReceipt[]): number =>
  run.reduce((sum, { task }) => sum + (task.outcome_accepted === false ? 0 : (task.outcome_value_micros ?? 0)), 0);

const succeeded = (run: readonly PublicReceipt[]): ReadonlySet<string> =>
  new Set(run.filter(({ task }) => task.status === 'success').map(({ task }) => task.agent));

interface Game {
  readonly value: number;
  readonly succeeded: ReadonlySet<string>;
}

/** The definition with all 2^n coalitions. v(S) is the value of the runs in which every agent that succeeded is in S. */
function shapley(players: readonly string[], games: readonly Game[]): ReadonlyMap<string, Fraction> {
  const worth = Array.from({ length: 2 ** players.length }, (_, coalition) =>
    games.reduce((sum, { value, succeeded: needed }) => {
      const isMember = (agent: string) => (coalition >> players.indexOf(agent)) % 2 === 1;
      return needed.size > 0 && [...needed].every(isMember) ? sum + value : sum;
    }, 0),
  );
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  return new Map(
    players.map((player, at) => {
      let sum = new Fraction(0);
      for (let coalition = 0; coalition < worth.length; coalition += 1) {
        if ((coalition >> at) % 2 === 1) continue;
        const size = coalition.toString(2).replaceAll('0', '').length;
        const weight = new Fraction(factorial(size) * factorial(players.length - size - 1), factorial(players.length));
        sum = sum.add(weight.mul((worth[coalition | (1 << at)] ?? 0) - (worth[coalition] ?? 0)));
      }
      return [player, sum];
    }),
  );
}

/** The state of all runs, in an order of their own. */
function stateOf(market: Market): unknown {
  const rowOf = ({ tag, name, outcomes, runs }: Workflow) => {
    for (const run of runs.values()) settle(run);
    return { tag, name, outcomes, runs: new Map([...runs].sort()) };
  };
  return new Map([...market.runs.workflows()].map((one) => [`${one.tag} ${one.name}`, rowOf(one)]));
}

describe('attribution', () => {
  const { receipts, untilMs } = economy({ seed: 11, receipts: repeats('ECONOMIES') * 100 });
  const t = cutToMinute(untilMs);
  const found = attributionOf(marketAt(t, receipts).runs.workflows());
  const runs = [...runsOnPaper(receipts, t).values()];

  // @covers ATTR-WORKFLOWS ATTR-VALUE ATTR-COST
  it('adds up the runs of all workflows with an outcome', () => {
    expect(runs.length).toBeGreaterThan(20);
    expect(found.all.value).toBe(BigInt(runs.reduce((sum, run) => sum + valueOfRun(run), 0)));
    const costs = runs.flat().reduce((sum, { task }) => sum + (task.cost_micros ?? 0), 0);
    expect(found.all.cost).toBe(BigInt(costs));
    expect(found.costOfSuccesses + found.costOfOthers).toBe(found.all.cost);
    for (const list of [found.workflows, found.agents.map(([, worth]) => worth)]) {
      expect(list.reduce((sum, { cost }) => sum + cost, 0n)).toBe(found.all.cost);
    }
    expect(found.workflows.reduce((sum, { value }) => sum + value, 0n)).toBe(found.all.value);
    expect(found.workflows.reduce((sum, one) => sum + one.runs, 0)).toBe(runs.length);
  });

  // @covers ATTR-SHAPLEY ATTR-NO-SUCCESS
  it('shares the value of the runs in which an agent succeeded, and no other value', () => {
    const games = runs.map((run) => ({ value: valueOfRun(run), succeeded: succeeded(run) }));
    const shared = found.agents.reduce((sum, [, { value }]) => sum + value, 0n);
    expect(shared).toBe(BigInt(games.reduce((sum, one) => sum + (one.succeeded.size > 0 ? one.value : 0), 0)));
    expect(games.some((one) => one.succeeded.size === 0 && one.value > 0)).toBe(true);
    const winners = new Set(games.flatMap((one) => [...one.succeeded]));
    for (const [agent, { value }] of found.agents) if (!winners.has(agent)) expect([agent, value]).toEqual([agent, 0n]);
  });

  // @covers ATTR-SHAPLEY
  it('is the Shapley value of the definition with all coalitions, to a micro-dollar for each run', () => {
    const values = random(3);
    for (let round = 0; round < repeats('ECONOMIES'); round += 1) {
      const players = Array.from({ length: 2 + values.whole(7) }, (_, at) => `@${'abcdefgh'[at]}`);
      const games = Array.from({ length: 1 + values.whole(12) }, (_, id) => {
        const members = players.filter(() => values.chance(0.5));
        const [value, isEven] = [values.whole(1e9), values.chance(0.5)];
        return { id, value: isEven ? value * 840 : value, succeeded: new Set(members.slice(1)), failed: members[0] };
      });
      const shares = attributionOf([workflowOf(games)]).agents;
      const exact = shapley(players, games);
      for (const [agent, { value }] of shares) {
        const difference = (exact.get(agent) ?? new Fraction(0)).sub(value).abs();
        const uneven = games.filter((one) => one.succeeded.has(agent) && one.value % one.succeeded.size !== 0).length;
        expect([agent, difference.compare(uneven) <= 0]).toEqual([agent, true]);
      }
      const efficient = games.reduce((sum, one) => sum + (one.succeeded.size > 0 ? one.value : 0), 0);
      expect(shares.reduce((sum, [, { value }]) => sum + value, 0n)).toBe(BigInt(efficient));
    }
  });

  // @covers ATTR-REMAINDER
  it('gives what does not divide to the first agents by code point, one micro-dollar each', () => {
    const agents = ['@\u{1F600}', '@\uFF5E', '@a', '@B'];
    const [only] = [workflowOf([{ id: 1, value: 1_000_003, succeeded: new Set(agents), failed: '@A' }])];
    expect(attributionOf([only]).agents.map(([agent, { value }]) => [agent, value])).toEqual([
      ['@B', 250_001n],
      ['@a', 250_001n],
      ['@\uFF5E', 250_001n],
      ['@\u{1F600}', 250_000n],
      ['@A', 0n],
    ]);
  });

  // @covers ATTR-SEGMENT
  it('takes the segment that the receipt with the lowest place in the chain names, in any order of arrival', () => {
    const values = random(5);
    const segments = new Map<string, number>();
    for (const run of runs) {
      const first = [...run].sort((a, b) => a.task.seq - b.task.seq).find(({ task }) => task.segment !== null);
      const name = first?.task.segment ?? null;
      if (name !== null) segments.set(name, (segments.get(name) ?? 0) + 1);
    }
    const mixed = attributionOf(marketAt(t, shuffled(receipts, values)).runs.workflows());
    expect(new Map(mixed.segments.map(({ name, runs: count }) => [name, count]))).toEqual(segments);
    expect(mixed).toEqual(found);
  });

  // @covers ATTR-WINDOW
  it('moves runs in and out of 30 days as if they had never been there', () => {
    const values = random(7);
    const followed = follow(receipts, cutToMinute(receipts[0]?.task.recorded_ms ?? 0));
    for (let step = 0; step < 12; step += 1) {
      const next = followed.market.t + cutToMinute(values.whole(8 * 86_400_000));
      followed.advance(next, values);
      expect(stateOf(followed.market)).toEqual(stateOf(marketAt(next, receipts)));
    }
    followed.advance(t + 400 * 86_400_000, values);
    expect([...followed.market.runs.workflows()]).toEqual([]);
  });
});

interface NamedGame extends Game {
  readonly id: number;
  readonly failed: string | undefined;
}

/** A workflow with these runs, of which the outcomes are stated by an agent that fails. */
function workflowOf(games: readonly NamedGame[]): Workflow {
  const { receipts, untilMs } = economy({ seed: 1, receipts: 1, workspaces: 1 });
  const [model] = receipts;
  if (model === undefined) throw new Error('the economy has no receipt');
  const tasks = games.flatMap(({ id, value, succeeded: agents, failed = '@nil' }, at) => {
    const common = { workflow: 'Filing', run: `${id}`, segment: null, outcome_value_micros: null };
    const done = [...agents].map((agent) => ({ ...common, agent, status: 'success' }));
    const stated = { outcome_value_micros: value, outcome_accepted: null, outcome_baseline_micros: null };
    return [...done, { ...common, ...stated, agent: failed, status: 'error', seq: at }];
  });
  const market = marketAt(
    cutToMinute(untilMs) + 60_000,
    tasks.map((task) => ({ ...model, task: { ...model.task, ...task } })),
  );
  const [workflow] = market.runs.workflows();
  if (workflow === undefined) throw new Error('the market has no workflow');
  return workflow;
}
