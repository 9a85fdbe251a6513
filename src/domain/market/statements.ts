import { z } from 'zod';
import {
  auction,
  dispute,
  fill,
  forward,
  type Market,
  quote,
  rfq,
  shownSettlement,
  sla,
} from '../../../contracts/market.js';
import type { NamedTask } from '../../../contracts/task-receipt.js';
import { canonical } from '../../verifier/canonical.js';

/** A statement of a public task receipt about an object of the market. */
export interface PublicStatement {
  readonly type: StatementType;
  /** Null for an invoice, whose id is private. */
  readonly object_id: string | null;
  /** The statement in canonical JSON, without the id of an invoice. */
  readonly statement: string;
  /** The request that a quote answers. */
  readonly rfq_id: string | null;
  /** The party that a dispute is against. */
  readonly respondent: string | null;
}

/** A statement about an object with what it says. A settlement does not show its invoice. */
export const statement = z.discriminatedUnion('type', [
  z.object({ type: z.literal('settlement'), said: shownSettlement }),
  z.object({ type: z.literal('rfq'), said: rfq }),
  z.object({ type: z.literal('quote'), said: quote }),
  z.object({ type: z.literal('fill'), said: fill }),
  z.object({ type: z.literal('auction'), said: auction }),
  z.object({ type: z.literal('forward'), said: forward }),
  z.object({ type: z.literal('sla'), said: sla }),
  z.object({ type: z.literal('dispute'), said: dispute }),
]);
export type Statement = Readonly<z.output<typeof statement>>;

/** The statement with its members. */
export const readStatement = ({ type, statement: text }: Pick<PublicStatement, 'type' | 'statement'>): Statement =>
  statement.parse({ type, said: JSON.parse(text) });

type StatementType = 'settlement' | 'rfq' | 'quote' | 'fill' | 'auction' | 'forward' | 'sla' | 'dispute';

/** At most one of each type. */
export function publicStatements(market: Market | undefined): readonly PublicStatement[] {
  if (market === undefined) return [];
  const { settlement, rfq, quote, fill, auction, forward, sla, dispute } = market;
  const found: PublicStatement[] = [];
  const add = (type: StatementType, object_id: string | null, statement: object, more: Partial<PublicStatement> = {}) =>
    found.push({ type, object_id, statement: canonical(statement), rfq_id: null, respondent: null, ...more });
  if (settlement) {
    const { invoice_id: _, ...shown } = settlement;
    add('settlement', null, shown);
  }
  if (rfq) add('rfq', rfq.rfq_id, rfq);
  if (quote) add('quote', quote.quote_id, quote, { rfq_id: quote.rfq_id });
  if (fill) add('fill', fill.fill_id, fill);
  if (auction) add('auction', auction.auction_id, auction);
  if (forward) add('forward', forward.forward_id, forward);
  if (sla) add('sla', sla.sla_id, sla);
  if (dispute) add('dispute', dispute.case_id, dispute, { respondent: dispute.respondent });
  return found;
}

/** The ids of a public task receipt that only its workspace may see, and by which figures group receipts. */
export interface PrivateIds {
  readonly invoice_id: string | null;
  /** One run of a workflow. */
  readonly run_id: string | null;
}

/** Null for a receipt that has none. */
export function privateIds({ market }: NamedTask): PrivateIds | null {
  const invoice_id = market?.settlement?.invoice_id ?? null;
  const run_id = market?.workflow?.id ?? null;
  return invoice_id === null && run_id === null ? null : { invoice_id, run_id };
}
