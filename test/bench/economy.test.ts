import { describe, expect, it } from 'vitest';
import { marketSchema } from '../../contracts/market.js';
import type { NamedTask } from '../../contracts/task-receipt.js';
import { history } from '../../ops/bench/economy/history.js';
import { createTaskReader } from '../../src/domain/task/read.js';
import { keyOfStated, type Statement, statementsOf, transitionFault } from '../../src/domain/task/statements.js';

const untilMs = Date.UTC(2026, 10, 22);
const options = { seed: 7, receipts: 6000, workspaces: 3, days: 20, untilMs };
const read = createTaskReader([]);

function tasksOf(receipts: readonly unknown[]): NamedTask[] {
  const found: NamedTask[] = [];
  for (let from = 0; from < receipts.length; from += 100) {
    const batch = read(JSON.stringify({ receipts: receipts.slice(from, from + 100) }), untilMs);
    if ('code' in batch) throw new Error(`${batch.message} ${JSON.stringify(batch.details)}`);
    found.push(...batch.map(({ task }) => task));
  }
  return found;
}

describe('the history of an economy', () => {
  const days = [...history(options)];
  const tasks = days.map(({ workspace, receipts }) => ({ workspace, tasks: tasksOf(receipts) }));
  const all = tasks.flatMap((day) => day.tasks);

  it('has as many receipts as requested, all of them valid, with ids and times of their own', () => {
    expect(all).toHaveLength(options.receipts);
    expect(new Set(all.map(({ receipt_id }) => receipt_id)).size).toBe(options.receipts);
    const ends = all.map(({ ended_at }) => Date.parse(ended_at));
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(untilMs - 20 * 86_400_000);
    expect(Math.max(...ends)).toBeLessThan(untilMs);
  });

  it('is the same for the same seed, and another one for another seed', () => {
    expect(JSON.stringify([...history(options)])).toBe(JSON.stringify(days));
    expect(JSON.stringify([...history({ ...options, seed: 8 })])).not.toBe(JSON.stringify(days));
  });

  it('has statements of every kind, and each object goes through states that follow each other', () => {
    const kinds = new Set(all.flatMap(({ market }) => Object.keys(market ?? {})));
    const expected = 'settlement rfq quote fill auction forward sla dispute workflow outcome segment counterparty';
    expect(expected.split(' ').filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(all.every(({ market }) => market?.schema === marketSchema)).toBe(true);
    const faults: string[] = [];
    const last = new Map<string, Statement>();
    for (const { workspace, tasks: ofDay } of tasks) {
      for (const stated of ofDay.flatMap(({ market }) => statementsOf(market))) {
        const key = `${workspace} ${keyOfStated(stated)}`;
        const fault = transitionFault(last.get(key), stated);
        if (fault !== null) faults.push(`${key} ${fault}`);
        last.set(key, stated);
      }
    }
    expect(faults).toEqual([]);
    expect(last.size).toBeGreaterThan(100);
  });

  it('has failures, refusals, costs, traces of nested spans, and capabilities that come and go', () => {
    const statuses = new Set(all.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['success', 'partial', 'error', 'tool_denied', 'policy_blocked']));
    expect(all.some(({ cost_usd }) => cost_usd === undefined)).toBe(true);
    const spans = new Set(all.map(({ span_id }) => span_id));
    const nested = all.filter(({ parent_span_id: parent }) => parent !== undefined);
    expect(nested.length).toBeGreaterThan(100);
    expect(nested.every(({ parent_span_id: parent }) => spans.has(parent))).toBe(true);
    const capabilities = (part: typeof tasks) =>
      new Set(part.flatMap((day) => day.tasks.map(({ market }) => market?.capability)));
    const [early, late] = [capabilities(tasks.slice(0, 15)), capabilities(tasks.slice(-15))];
    expect([...late].some((one) => !early.has(one))).toBe(true);
    expect([...early].some((one) => !late.has(one))).toBe(true);
  });
});
