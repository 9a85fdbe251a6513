import type { RecordedOf } from '../../contracts/entries/recorded.js';
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
export async function replaceErc8004Link(tx: Transaction, one: RecordedOf<'agent.erc8004_linked'>): Promise<void> {
  await endErc8004Link(tx, one);
  const { workspace_id, seq: linked_seq, receipt_id, recorded_at: linked_at, body } = one.entry;
  await insertRows(tx, 'agent_registrations', [{ ...body, workspace_id, linked_seq, receipt_id, linked_at }]);
}

export async function endErc8004Link(
  tx: Transaction,
  { entry }: RecordedOf<'agent.erc8004_linked' | 'agent.erc8004_unlinked'>,
): Promise<void> {
  await tx.query('update agent_registrations set unlinked_seq = $2 where link_id = $1 and unlinked_seq is null', [
    entry.body.link_id,
    entry.seq,
  ]);
}
