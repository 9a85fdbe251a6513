import type { Market } from '../../../contracts/market.js';

/** The objects of the market that have a state. */
export type StatedType = 'settlement' | 'rfq' | 'auction' | 'forward' | 'dispute';

/** An object of the market, by its type and its id. */
export interface StatedObject {
  readonly type: StatedType;
  readonly id: string;
}

export const keyOfStated = ({ type, id }: StatedObject): string => `${type} ${id}`;

/** The state of such an object as a task receipt states it. */
export interface Statement extends StatedObject {
  readonly status: string;
  /** Only of a dispute. */
  readonly tier: string | null;
}

/** The statements of a task receipt about the states of objects, at most one for each type. */
export function statementsOf(market: Market | undefined): readonly Statement[] {
  if (market === undefined) return [];
  const { settlement, rfq, auction, forward, dispute } = market;
  return [
    ...(settlement ? [statement('settlement', settlement.invoice_id, settlement.status)] : []),
    ...(rfq ? [statement('rfq', rfq.rfq_id, rfq.status)] : []),
    ...(auction ? [statement('auction', auction.auction_id, auction.status)] : []),
    ...(forward ? [statement('forward', forward.forward_id, forward.status)] : []),
    ...(dispute ? [statement('dispute', dispute.case_id, dispute.status, dispute.tier)] : []),
  ];
}

function statement(type: StatedType, id: string, status: string, tier: string | null = null): Statement {
  return { type, id, status, tier };
}
