import type { bounds } from '../../../../contracts/feeds/bounds.js';
import type { FeedValue } from '../numbers/feed-text.js';
import type { BoundedList } from '../numbers/list.js';
import type { Moment } from '../state/moment.js';

/** The lists of a feed that have a bound, by their names. */
type Lists = { readonly [N in keyof typeof bounds]?: Pick<BoundedList<unknown>, 'bound' | 'total'> };

/** The members with which the first object of a feed begins: its moment, the receipts that it comes from, and its lists. */
export function feedHead({ t, receipts, root, logSize }: Moment, lists: Lists) {
  const sizes = Object.entries(lists).map(([name, { bound, total }]) => [name, { bound, total }] as const);
  return {
    as_of: timeText(t),
    evidence: { receipts, root, log_size: logSize },
    lists: Object.fromEntries(sizes),
  } satisfies FeedValue;
}

/** A moment as feeds print it: UTC with milliseconds. */
export const timeText = (ms: number): string => new Date(ms).toISOString();
