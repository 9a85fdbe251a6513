import type { bounds } from '../../../../contracts/feeds/bounds.js';
import type { Closes } from '../indices/closes.js';
import type { BoundedList } from '../numbers/lists.js';
import type { FeedValue } from './feed-text.js';

/** The facts of a moment that feeds show besides the state of the market. All of them are those of entries recorded by t. */
export interface Moment {
  /** Milliseconds since 1970, a whole minute: the t of the feeds. */
  readonly t: number;
  /** The number of all public receipts that were recorded by t. */
  readonly receipts: number;
  /** The root (RFC 6962) over their hashes in recorded order, in hex. */
  readonly root: string;
  /** The size of the last checkpoint that was signed by t; 0 without one. */
  readonly logSize: number;
  /** The days whose closes were recorded by t. */
  readonly closes: Closes;
}

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
