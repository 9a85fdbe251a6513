import { toMicros } from '../exact.js';
import { timeText } from '../feeds/head.js';
import { figureOf, ratio } from '../numbers/ratio.js';
import { figureAsStated, statedFigure } from '../numbers/stated.js';
import type { Forward } from '../state/desk.js';
import type { Market } from '../state/market.js';
import type { OwnedObject } from '../state/owned.js';
import { symbolOf } from '../symbol.js';

/** A forward is marked at the price of the newest confirmed fill of its capability. */
export function forwardRow({ fills, t }: Market, { id, owner: { newest } }: OwnedObject<Forward>) {
  const { capability, quantity, unit_price_usd, atMs, status } = newest.said;
  const mark = fills.newestConfirmed(capability, t)?.later.said.unit_price_usd;
  return {
    forward_id: id,
    symbol: symbolOf(capability),
    quantity: figureAsStated(quantity),
    unit_price_usd: figureAsStated(unit_price_usd),
    delivery_at: timeText(atMs),
    status,
    mark_usd: statedFigure(mark),
    unrealised_usd: mark === undefined || status !== 'open' ? null : difference(mark, unit_price_usd, quantity),
    receipt_hash: newest.hash,
  };
}

/** (mark − price) × quantity. */
const difference = (mark: number, price: number, quantity: number) =>
  figureOf(ratio(BigInt(toMicros(mark) - toMicros(price)) * BigInt(toMicros(quantity)), 10n ** 12n));
