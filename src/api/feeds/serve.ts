import { Refusal } from '../../../contracts/errors.js';
import type { FeedName } from '../../domain/market/feeds/all.js';
import type { Filtered } from '../../domain/market/feeds/served.js';
import { Representations } from '../answer.js';
import type { MarketView } from './view.js';

/** The newest bytes of a feed. @throws Refusal not_ready before there are any */
export function newestFeed({ newest }: MarketView, name: FeedName) {
  if (newest === null) throw new Refusal('not_ready', 'The public figures are being computed. Retry shortly.');
  const encoded = newest.feeds[name];
  return { status: 200, body: new Representations((coding) => encoded[coding]) } as const;
}

/** A part of a feed, or the ready-made bytes where no filter is given. */
export function filteredFeed(view: MarketView, request: Filtered) {
  const isWhole = Object.values(request.filters).every((filter) => filter === undefined);
  if (isWhole || view.newest === null) return newestFeed(view, request.feed);
  return { status: 200, body: new Representations((coding) => view.filtered(request, coding)) } as const;
}
