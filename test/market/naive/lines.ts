import type { Market } from '../../../contracts/market.js';
import { economyTags, type TaskLink } from '../economy.js';
import { exact, type Ratio, rounded } from './numbers.js';

/** A public task receipt as the page reads it, straight from its entry. */
export interface Line {
  readonly recorded: number;
  readonly hash: string;
  readonly seq: number;
  readonly workspace: string;
  readonly agent: string;
  readonly vendor: string;
  readonly counterparty: string | null;
  readonly ended: number;
  readonly latency: number;
  readonly status: string;
  readonly cost: Ratio | null;
  readonly market: Omit<Market, 'schema'>;
  readonly invoice: string | null;
}

/** Finer digits are cut. */
export const ms = (time: string): number => Date.parse(time.replace(/(\.\d{3})\d+/, '$1'));
export const iso = (time: string): string => new Date(ms(time)).toISOString();
export const named = (name: string | undefined): string | null => name?.normalize('NFC').trim() || null;
export const symbol = (capability: string): string => capability.toUpperCase().split('-').join('.');

/** By code point. */
export function byText(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let at = 0; at < Math.min(x.length, y.length); at += 1) {
    const difference = (x[at]?.codePointAt(0) ?? 0) - (y[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

/** All that were recorded by t, in recorded order. */
export function linesAt(entries: readonly TaskLink[], t: number): Line[] {
  return entries
    .flatMap((link) => lineOf(link) ?? [])
    .filter(({ recorded }) => recorded <= t)
    .sort((a, b) => a.recorded - b.recorded || (a.hash < b.hash ? -1 : 1));
}

function lineOf({ entry, hash }: TaskLink): Line | null {
  const { task, publication } = entry.body;
  if (publication === null) return null;
  const { market } = task;
  return {
    recorded: ms(entry.recorded_at),
    hash,
    seq: entry.seq,
    workspace: publication.workspace,
    agent: publication.agent_id ?? `${task.agent_handle}~${publication.workspace}`,
    vendor: publication.vendor,
    counterparty: named(market?.counterparty),
    ended: ms(task.ended_at),
    latency: ms(task.ended_at) - ms(task.started_at),
    status: task.status,
    cost: task.cost_usd === undefined || task.cost_usd > 1_000_000 ? null : rounded(exact(task.cost_usd)),
    market: market ?? {},
    invoice: market?.settlement ? economyTags.invoice(entry.workspace_id, market.settlement.invoice_id) : null,
  };
}

export const isRefusal = ({ status }: Line): boolean => status === 'tool_denied' || status === 'policy_blocked';
export const successesOf = (lines: readonly Line[]): number =>
  lines.filter(({ status }) => status === 'success').length;
export const evaluated = (lines: readonly Line[]): Line[] => lines.filter((line) => !isRefusal(line));
export const newest = <L extends Line>(lines: readonly L[]): L => lines.reduce((a, b) => (b.seq > a.seq ? b : a));
export const hours = (count: number): number => count * 3_600_000;
export const within = (time: number, t: number, count: number): boolean => time > t - hours(count) && time <= t;

export function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
