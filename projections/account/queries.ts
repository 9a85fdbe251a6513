import type { Row, Transaction } from '../../src/adapters/database/database.js';

export interface KeyView extends Row {
  id: string;
  workspace_id: string;
  name: string;
  scopes: string[];
  namespace_ids: string[];
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
}

/** The live API key whose secret has this SHA-256. */
export async function keyBySecretHash(tx: Transaction, secretHash: string): Promise<KeyView | undefined> {
  const [row] = await tx.query<KeyView>(
    `select id::text, workspace_id::text, name, scopes, namespace_ids::text[], user_id, agent_id, app_id
       from keys where secret_hash = $1`,
    [secretHash],
  );
  return row;
}
