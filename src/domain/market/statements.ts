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
interface PublicStatement {
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
const statement = z.discriminatedUnion('type', [
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
export const readStatement = ({ type, statement: text }: Readonly<Record<'type' | 'statement', string>>): Statement =>
  statement.parse({ type, said: JSON.parse(text) });

type StatementType = 'settlement' | 'rfq' | 'quote' | 'fill' | 'auction' | 'forward' | 'sla' | 'dispute';

/** The statements of a receipt about objects of the market: at most one of each type. */
export function statementsOf(market: Market | undefined): readonly Statement[] {
  if (market === undefined) return [];
  const { settlement, rfq, quote, fill, auction, forward, sla, dispute } = market;
  const found: Statement[] = [];
  if (settlement) {
    const { invoice_id: _, ...said } = settlement;
    found.push({ type: 'settlement', said });
  }
  if (rfq) found.push({ type: 'rfq', said: rfq });
  if (quote) found.push({ type: 'quote', said: quote });
  if (fill) found.push({ type: 'fill', said: fill });
  if (auction) found.push({ type: 'auction', said: auction });
  if (forward) found.push({ type: 'forward', said: forward });
  if (sla) found.push({ type: 'sla', said: sla });
  if (dispute) found.push({ type: 'dispute', said: dispute });
  return found;
}

/** The same as rows of a table. */
export const publicStatements = (market: Market | undefined): readonly PublicStatement[] =>
  statementsOf(market).map((one) => ({
    type: one.type,
    object_id: objectId(one),
    statement: canonical(one.said),
    rfq_id: one.type === 'quote' ? one.said.rfq_id : null,
    respondent: one.type === 'dispute' ? one.said.respondent : null,
  }));

function objectId({ type, said }: Statement): string | null {
  switch (type) {
    case 'settlement':
      return null;
    case 'rfq':
      return said.rfq_id;
    case 'quote':
      return said.quote_id;
    case 'fill':
      return said.fill_id;
    case 'auction':
      return said.auction_id;
    case 'forward':
      return said.forward_id;
    case 'sla':
      return said.sla_id;
    case 'dispute':
      return said.case_id;
  }
}

/** The ids of a public task receipt that only its workspace may see, and by which figures group receipts. */
interface PrivateIds {
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
