import { divideHalfEven, toMicros } from '../numbers/exact.js';
import { byCodePoint, type Compare } from '../numbers/lists.js';
import type { Statement } from '../statements.js';
import type { Fold } from './fold.js';
import { isRecordedBefore, type Stated, statedIn } from './receipt.js';
import { dayMs } from './windows.js';

export type FillStatement = Extract<Statement, { type: 'fill' }>['said'];

/** A purchase that one workspace reports, or that a buyer and a seller in two workspaces confirm. Money is in millionths. */
export interface Fill {
  readonly id: string;
  /** At least one of the two sides is there. */
  readonly buy: Stated<FillStatement> | null;
  readonly sell: Stated<FillStatement> | null;
  /** The side that was recorded later. */
  readonly later: Stated<FillStatement>;
  /** The later end of its tasks. */
  readonly atMs: number;
  readonly notional: bigint;
  /** Null for a fill that is reported only. */
  readonly fee: bigint | null;
}

export interface Fills extends Fold {
  /** The fills of a window (after, until], newest days first. */
  between(after: number, until: number): Iterable<readonly Fill[]>;
  /** The newest confirmed fill of a capability that is not after t. */
  newestConfirmed(capability: string, t: number): Fill | null;
}

/** The newest first, then by id, then by hash. */
export const byNewestFill: Compare<Fill> = (a, b) =>
  b.atMs - a.atMs || byCodePoint(a.id, b.id) || byCodePoint(a.later.hash, b.later.hash);

export function createFills(): Fills {
  const newest = new Map<string, Map<string, Stated<FillStatement>>>();
  const known = new Map<string, readonly Fill[]>();
  const all = createByTime<Fill>(({ atMs }) => atMs);
  const confirmed = new Map<string, ReturnType<typeof createByTime<Fill>>>();
  const confirmedOf = (capability: string) => {
    const found = confirmed.get(capability) ?? createByTime<Fill>(({ atMs }) => atMs);
    confirmed.set(capability, found);
    return found;
  };
  const replace = (id: string, fills: readonly Fill[]) => {
    for (const fill of known.get(id) ?? []) {
      all.delete(fill);
      if (fill.fee !== null) confirmedOf(fill.later.said.capability).delete(fill);
    }
    for (const fill of fills) {
      all.add(fill);
      if (fill.fee !== null) confirmedOf(fill.later.said.capability).add(fill);
    }
    known.set(id, fills);
  };
  return {
    between: all.between,
    newestConfirmed(capability, t) {
      for (const fills of confirmed.get(capability)?.between(Number.NEGATIVE_INFINITY, t) ?? []) {
        const [first] = fills.toSorted(byNewestFill);
        if (first !== undefined) return first;
      }
      return null;
    },
    add({ task, statements }) {
      for (const { type, said } of statements) {
        if (type !== 'fill') continue;
        const sides = newest.get(said.fill_id) ?? new Map<string, Stated<FillStatement>>();
        newest.set(said.fill_id, sides);
        const before = sides.get(task.workspace);
        if (before !== undefined && before.seq > task.seq) continue;
        sides.set(task.workspace, statedIn(task, said));
        replace(said.fill_id, fillsOf(said.fill_id, [...sides.values()]));
      }
    },
  };
}

/** @param statements the newest of each workspace under one id */
function fillsOf(id: string, statements: readonly Stated<FillStatement>[]): Fill[] {
  const inOrder = statements.toSorted((a, b) => (isRecordedBefore(a, b) ? -1 : 1));
  const agreeing = new Map<string, Stated<FillStatement>[]>();
  for (const one of inOrder) {
    const key = `${one.said.capability} ${one.said.quantity} ${one.said.unit_price_usd}`;
    agreeing.set(key, [...(agreeing.get(key) ?? []), one]);
  }
  return [...agreeing.values()].flatMap((group) => {
    const buy = group.find(({ said }) => said.side === 'buy');
    const sell = group.find(({ said }) => said.side === 'sell');
    if (buy === undefined || sell === undefined) return group.map((one) => reported(id, one));
    const others = group.filter((one) => one !== buy && one !== sell);
    return [confirmedFill(id, buy, sell), ...others.map((one) => reported(id, one))];
  });
}

function reported(id: string, stated: Stated<FillStatement>): Fill {
  const isBuy = stated.said.side === 'buy';
  return {
    id,
    buy: isBuy ? stated : null,
    sell: isBuy ? null : stated,
    later: stated,
    atMs: stated.ended_ms,
    notional: notionalOf(stated.said),
    fee: null,
  };
}

function confirmedFill(id: string, buy: Stated<FillStatement>, sell: Stated<FillStatement>): Fill {
  return {
    id,
    buy,
    sell,
    later: isRecordedBefore(buy, sell) ? sell : buy,
    atMs: Math.max(buy.ended_ms, sell.ended_ms),
    notional: notionalOf(buy.said),
    fee: feeOf(buy.said),
  };
}

/** Quantity × price, both in millionths, so the product is in units of 10⁻¹². */
const productOf = ({ quantity, unit_price_usd }: FillStatement): bigint =>
  BigInt(toMicros(quantity)) * BigInt(toMicros(unit_price_usd));

const notionalOf = (fill: FillStatement): bigint => divideHalfEven(productOf(fill), 1_000_000n);

/** The fee for routing, 0.75 percent, in parts of ten thousand. */
export const feeParts = { part: 75n, whole: 10_000n };

/** The fee is rounded once: it is a part of the exact product, and not of the rounded notional. */
const feeOf = (fill: FillStatement): bigint =>
  divideHalfEven(productOf(fill) * feeParts.part, 1_000_000n * feeParts.whole);

/** Values by a moment of theirs, in groups by day, so that a window costs what is in its days. */
interface ByTime<T> {
  add(value: T): void;
  delete(value: T): void;
  /** The days of UTC that overlap (after, until], newest first, each with its values of that window. */
  between(after: number, until: number): Iterable<readonly T[]>;
}

const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** @param timeOf the moment of a value */
function createByTime<T>(timeOf: (value: T) => number): ByTime<T> {
  const days = new Map<number, Set<T>>();
  return {
    add(value) {
      const day = dayOf(timeOf(value));
      const values = days.get(day) ?? new Set();
      days.set(day, values.add(value));
    },
    delete(value) {
      const day = dayOf(timeOf(value));
      const values = days.get(day);
      values?.delete(value);
      if (values?.size === 0) days.delete(day);
    },
    *between(after, until) {
      const found = [...days.keys()].filter((day) => day >= dayOf(after) && day <= dayOf(until));
      for (const day of found.sort((a, b) => b - a)) {
        yield [...(days.get(day) ?? [])].filter((value) => timeOf(value) > after && timeOf(value) <= until);
      }
    },
  };
}
