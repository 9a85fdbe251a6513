import type { Row, Transaction } from '../../src/database/database.js';

interface DecisionRow extends Row {
  receipt_id: string;
  namespace_id: string;
  /** The receipt of the erasure of the text; null where it was not erased. */
  erasure_receipt_id: string | null;
}

/** The decisions and handoffs of a workspace with these receipts. */
export function decisionsByReceipt(
  tx: Transaction,
  workspaceId: string,
  receiptIds: readonly string[],
): Promise<DecisionRow[]> {
  return tx.query<DecisionRow>(
    `select receipt_id, namespace_id::text, erasure_receipt_id from decisions
      where workspace_id = $1 and receipt_id = any($2::text[])`,
    [workspaceId, receiptIds],
  );
}
