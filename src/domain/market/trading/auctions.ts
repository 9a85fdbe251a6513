import { timeText } from '../feeds/head.js';
import { figureAsStated, statedFigure } from '../numbers/stated.js';
import type { Auction } from '../state/desk.js';
import type { OwnedObject } from '../state/owned.js';
import { symbolOf } from '../symbol.js';

export function auctionRow({ id, owner: { newest } }: OwnedObject<Auction>) {
  const { capability, type, quantity, reserve_usd, atMs, status, bids, clearing_price_usd } = newest.said;
  return {
    auction_id: id,
    symbol: symbolOf(capability),
    type,
    quantity: figureAsStated(quantity),
    reserve_usd: statedFigure(reserve_usd),
    closes_at: timeText(atMs),
    status,
    bids: bids ?? null,
    clearing_price_usd: statedFigure(clearing_price_usd),
    receipt_hash: newest.hash,
  };
}
