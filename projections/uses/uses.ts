import type { EntryKind } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { keyRows } from '../account/rows.js';
import { agentKeyRows } from '../agents/rows.js';
import { grantRows } from '../grants/rows.js';
import { gather } from '../projection.js';

/** Notes that a credential was used. One that is gone leaves no row. */
export async function noteUse(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(
    `insert into credential_uses (id, workspace_id, used_at)
     select c.id, c.workspace_id, $2 from (${credentials}) c where c.id = $1
     on conflict (id) do update set used_at = greatest(credential_uses.used_at, excluded.used_at)`,
    [id, at.toISOString()],
  );
}

const workspaceOf = ({ entry }: RecordedOf<EntryKind>): string[] => [entry.workspace_id];

/**
 * Forgets the uses of credentials that are gone, in the transaction of the append, after the read models. Expired grants go when
 * another one is made.
 */
export const forgottenUses = gather(
  {
    'key.revoked': workspaceOf,
    'agent_key.revoked': workspaceOf,
    'agent.unlinked': workspaceOf,
    'grant.created': workspaceOf,
    'grant.revoked': workspaceOf,
    'member.removed': workspaceOf,
  },
  (tx, workspaces) =>
    tx.query(
      `delete from credential_uses u where u.workspace_id = any($1::uuid[])
          and not exists (select 1 from (${credentials}) c where c.id = u.id)`,
      [[...new Set(workspaces)]],
    ),
);

const credentials = `select id::text as id, workspace_id from ${agentKeyRows} k
  union all select id::text, workspace_id from ${keyRows} a
  union all select id, workspace_id from ${grantRows} g`;
