import type { Recorded } from '../../contracts/entries/recorded.js';
import { insertRows, type Projection } from '../projection.js';

/**
 * The agents that are linked to workspaces. The hashes of their tokens come from the vault. With a proof, the task receipts of
 * the handle count as those of the identity, whose vendor is here too.
 */
export const agentsProjection: Projection = {
  name: 'agents',
  version: 2,
  tables: ['agents'],
  reveals: {},
  ddl: `
    create table agents (
      id uuid primary key,
      workspace_id uuid not null,
      agent_id text collate "C" not null,
      name text,
      handle text collate "C",
      proved boolean not null,
      vendor text,
      token_hash text collate "C" not null,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create unique index on agents (workspace_id, agent_id);
    create unique index on agents (token_hash);
    create index on agents (workspace_id, id);
    create index on agents (workspace_id, handle) where handle is not null;
  `,
  async apply(tx, recorded) {
    // Unlinked agents are removed first, because a batch may unlink an agent and link it again.
    const gone = recorded.flatMap(({ entry }) => (entry.kind === 'agent.unlinked' ? entry.body.link_id : []));
    if (gone.length > 0) await tx.query('delete from agents where id = any($1::uuid[])', [gone]);
    const unlinked = new Set(gone);
    await insertRows(
      tx,
      'agents',
      recorded.flatMap(agentRow).filter(({ id }) => !unlinked.has(id)),
    );
  },
};

function agentRow({ entry, deposit }: Recorded) {
  if (entry.kind !== 'agent.linked' || deposit === null) return [];
  return [
    {
      id: entry.body.link_id,
      workspace_id: entry.workspace_id,
      agent_id: entry.body.agent_id,
      name: entry.body.name,
      handle: entry.body.handle ?? null,
      proved: entry.body.proof !== undefined,
      vendor: entry.body.vendor ?? null,
      token_hash: deposit.texts.content ?? '',
      receipt_id: entry.receipt_id,
      created_at: entry.recorded_at,
    },
  ];
}
