import { Refusal } from '../../../contracts/errors.js';
import { orLate } from '../../base/deadline.js';
import type { FeedName } from '../../domain/market/feeds/all.js';
import type { Filtered } from '../../domain/market/feeds/served.js';
import { Representations } from '../answer.js';
import type { Client } from '../operation.js';
import { clientOf } from '../rate-limits.js';
import type { MarketView } from './view.js';

/** How long a request waits at most for the first feeds after a start. */
const firstMs = 2000;

/** The newest bytes of a feed. @throws Refusal not_ready before there are any */
export async function newestFeed(view: MarketView, name: FeedName) {
  const newest = view.newest ?? (await firstFeeds(view));
  if (newest === null) throw new Refusal('not_ready', 'The public figures are being computed. Retry shortly.');
  const encoded = newest.feeds[name];
  return { status: 200, body: new Representations((coding) => encoded[coding]) } as const;
}

async function firstFeeds(view: MarketView): Promise<MarketView['newest']> {
  await orLate(firstMs, view.begun, undefined);
  return view.newest;
}

/** A part of a feed, or the ready-made bytes where no filter is given. */
export async function filteredFeed(view: MarketView, { address }: Pick<Client, 'address'>, request: Filtered) {
  const isWhole = Object.values(request.filters).every((filter) => filter === undefined);
  if (isWhole || view.newest === null) return newestFeed(view, request.feed);
  return {
    status: 200,
    body: new Representations((coding) => view.filtered(clientOf(address), request, coding)),
  } as const;
}
