/** Rows that the SQL of other folders may read and join: one for each receipt, found by `(workspace_id, seq)` and by `(workspace_id, kind, seq)`. */
export const receiptRows = 'receipts';
