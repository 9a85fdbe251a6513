import type { Entry } from '../../contracts/entries/entry.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows } from '../projection.js';

/**
 * A row for each link to an agent of ERC-8004. It was in force from the entry `linked_seq` to the entry `unlinked_seq` of its workspace;
 * null while it is in force. Rows of ended links stay, because feedback counts receipts of the time before.
 */
export const erc8004Tables = `
    create table agent_registrations (
      workspace_id uuid not null,
      linked_seq bigint not null,
      unlinked_seq bigint,
      link_id uuid not null,
      agn_id text collate "C" not null,
      chain_id bigint not null,
      registry text collate "C" not null,
      agent_id text collate "C" not null,
      proof text collate "C" not null,
      account text collate "C",
      receipt_id text collate "C" not null,
      linked_at timestamptz not null,
      primary key (workspace_id, linked_seq)
    );
    create unique index on agent_registrations (link_id) where unlinked_seq is null;
    create index on agent_registrations (workspace_id, agent_id) where unlinked_seq is null;
    create index on agent_registrations (agn_id, linked_at);`;

/** A new link replaces the one that the agent has. */
export async function changeErc8004(tx: Transaction, entry: Entry): Promise<void> {
  if (entry.kind !== 'agent.erc8004_linked' && entry.kind !== 'agent.erc8004_unlinked') return;
  const { workspace_id, seq, receipt_id, recorded_at } = entry;
  await tx.query('update agent_registrations set unlinked_seq = $2 where link_id = $1 and unlinked_seq is null', [
    entry.body.link_id,
    seq,
  ]);
  if (entry.kind === 'agent.erc8004_unlinked') return;
  const row = {
    ...entry.body,
    workspace_id,
    linked_seq: seq,
    receipt_id,
    linked_at: recorded_at,
  };
  await insertRows(tx, 'agent_registrations', [row]);
}
