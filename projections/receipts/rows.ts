import { hashIn } from '../workspace-hash.js';

/** Rows that the SQL of other folders may read and join: one for each receipt, found by `(workspace_id, seq)` and by `isOfKind`. */
export const receiptRows = 'receipts';

/**
 * SQL of the condition that a column of a receipt has this value, for the indexes of hashes, which end with the position.
 * @param receipts the rows, as they are called in the statement
 * @param workspace SQL of the workspace of the receipts
 */
export const hasText = (receipts: string, column: string, workspace: string, value: string): string =>
  `${hashIn(`${receipts}.workspace_id`, `${receipts}.${column}`)} = ${hashIn(workspace, value)} and ${receipts}.${column} = ${value}`;

/** The same of the kind, without the condition that the receipts are of the workspace. */
export const isOfKind = (receipts: string, workspace: string, kind: string): string =>
  `${receipts}.workspace_id = ${workspace} and ${hasText(receipts, 'kind', workspace, `'${kind}'`)}`;

/** SQL of the namespace that most receipts have alone; null for a receipt without one. */
export const firstNamespace = 'namespace_ids[1]';
