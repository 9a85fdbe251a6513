import type { Row, Transaction } from '../../src/database/database.js';

export interface LostRow extends Row {
  id: string;
  namespace_id: string;
  receipt_id: string;
  receipt_hash: string;
  invalidation_receipt_id: string | null;
}

/** Those of these memories of a workspace whose texts are lost. */
export function lostAmong(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<LostRow[]> {
  return tx.query<LostRow>(
    `select id::text, namespace_id::text, receipt_id, receipt_hash, invalidation_receipt_id
       from lost_memories where workspace_id = $1 and id = any($2::uuid[])`,
    [workspaceId, ids],
  );
}
