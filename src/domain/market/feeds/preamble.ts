import type { FeedValue } from '../numbers/feed-text.js';
import type { Moment } from '../state/moment.js';

/** How many rows of a list a feed shows at most, and how many there are. */
export interface ListSize {
  readonly bound: number;
  readonly total: number;
}

/** The members that the first object of every feed has (`summary` or `stats`), to be spread into it before its figures. */
export function preamble(
  { t, receipts, root, logSize }: Moment,
  lists: Readonly<Record<string, ListSize>>,
): Readonly<Record<'as_of' | 'evidence' | 'lists', FeedValue>> {
  const sizes = Object.entries(lists).map(([name, { bound, total }]) => [name, { bound, total }]);
  return {
    as_of: new Date(t).toISOString(),
    evidence: { receipts, root, log_size: logSize },
    lists: Object.fromEntries(sizes),
  };
}
