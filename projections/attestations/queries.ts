import type { Row, Transaction } from '../../src/database/database.js';

interface AttestationKeyRow extends Row {
  id: string;
  name: string | null;
  public_key: string;
  created_at: string;
  receipt_id: string;
}

const columns = 'id::text, name, public_key, created_at, receipt_id';

/** The attestation keys of a workspace that were added before `before`, newest first. */
export function attestationKeysOf(
  tx: Transaction,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<AttestationKeyRow[]> {
  return tx.query<AttestationKeyRow>(
    `select ${columns} from attestation_keys
      where workspace_id = $1 and ($2::uuid is null or id < $2::uuid) order by id desc limit $3`,
    [workspaceId, before, limit],
  );
}

/** Those of these ids that are attestation keys of the workspace. */
export async function existingAttestationKeys(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'select id::text from attestation_keys where workspace_id = $1 and id = any($2::uuid[])',
    [workspaceId, ids],
  );
  return rows.map(({ id }) => id);
}
