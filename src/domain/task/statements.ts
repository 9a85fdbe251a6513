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

/** The states that an object of the market may have after each state, besides the same state again. */
const after: { readonly [T in StatedType]: Readonly<Record<string, readonly string[]>> } = {
  settlement: { initiated: ['settled', 'failed'], settled: ['refunded'], failed: ['initiated'] },
  rfq: { open: ['filled', 'expired', 'cancelled'] },
  auction: { open: ['cleared', 'failed'] },
  forward: { open: ['delivered', 'defaulted', 'cancelled'] },
  dispute: { open: ['resolved'], resolved: ['open'] },
};

/** The tiers of a dispute, from the lowest to the highest. */
const tiers = ['automated', 'panel', 'appeal'];

/** The reason why a workspace may not make a statement after its own earlier one, or null. */
export function transitionFault(before: Statement | undefined, stated: Statement): string | null {
  if (before === undefined || before.status === stated.status) return null;
  if (!(after[stated.type][before.status] ?? []).includes(stated.status)) {
    return `must not be ${stated.status} after ${before.status}`;
  }
  const isReopened = stated.type === 'dispute' && stated.status === 'open';
  return isReopened && rank(stated) <= rank(before) ? 'must not be open after resolved without a higher tier' : null;
}

const rank = ({ tier }: Statement): number => tiers.indexOf(tier ?? '');
