import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import { decisionsByReceipt } from '../../../projections/decisions/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** A decision or a handoff that was recorded. */
interface DecisionState {
  readonly namespaceId: string;
  /** The receipt of the erasure of its text; null where it was not erased. */
  readonly erasureReceiptId: string | null;
}

/** By receipt. */
type Decisions = ReadonlyMap<string, DecisionState>;

/** The decisions and handoffs with these receipts. */
export const decisions: Slice<readonly string[], Decisions> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await decisionsByReceipt(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map((row) => [row.receipt_id, { namespaceId: row.namespace_id, erasureReceiptId: row.erasure_receipt_id }]),
    );
  },
  evolve: stepwise({
    decision: withDecision,
    handoff: withDecision,
    'receipt.private_erased': (before, { entry }) => {
      const decision = before.get(entry.body.erased_receipt_id);
      if (!decision) return before;
      return new Map(before).set(entry.body.erased_receipt_id, { ...decision, erasureReceiptId: entry.receipt_id });
    },
  }),
};

function withDecision(before: Decisions, { entry }: RecordedOf<'decision' | 'handoff'>): Decisions {
  return new Map(before).set(entry.receipt_id, { namespaceId: entry.body.namespace_id, erasureReceiptId: null });
}
