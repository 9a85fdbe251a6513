import type { Entry } from '../../contracts/entries/entry.js';
import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows, type Projection } from '../projection.js';
import { changeErc8004, erc8004Tables } from './erc8004-fold.js';

/**
 * The agents that are linked to workspaces, their keys, and their links to agents of ERC-8004. The hashes of tokens and keys come from the
 * vault. With a proof, the task receipts of the handle count as those of the identity, whose vendor is here too.
 */
export const agentsProjection: Projection = {
  name: 'agents',
  version: 4,
  tables: ['agents', 'agent_keys', 'agent_registrations'],
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
    create table agent_keys (
      id uuid primary key,
      workspace_id uuid not null,
      link_id uuid not null,
      agent_id text collate "C" not null,
      name text not null,
      scopes text[] not null,
      namespace_ids uuid[] not null,
      secret_hash text collate "C" not null unique,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on agent_keys (workspace_id, link_id, id);
    ${erc8004Tables}
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
    await insertRows(tx, 'agent_keys', recorded.flatMap(keyRow));
    for (const { entry } of recorded) {
      await changeKeys(tx, entry);
      await changeErc8004(tx, entry);
    }
  },
};

async function changeKeys(tx: Transaction, entry: Entry): Promise<void> {
  switch (entry.kind) {
    case 'agent_key.bound':
      await tx.query('update agent_keys set namespace_ids = $2::uuid[] where id = $1', [
        entry.body.key_id,
        entry.body.namespace_ids,
      ]);
      return;
    case 'agent_key.revoked':
      await tx.query('delete from agent_keys where id = $1', [entry.body.key_id]);
      return;
    case 'namespace.deleted':
      await tx.query(
        `update agent_keys set namespace_ids = array_remove(namespace_ids, $2::uuid)
          where workspace_id = $1 and $2::uuid = any(namespace_ids)`,
        [entry.workspace_id, entry.body.namespace_id],
      );
      return;
    default:
      return;
  }
}

function keyRow({ entry, deposit }: Recorded): object[] {
  if (entry.kind !== 'agent_key.created' || deposit === null) return [];
  const { key_id: id, secret_commitment: _, ...rest } = entry.body;
  return [
    {
      ...rest,
      id,
      workspace_id: entry.workspace_id,
      secret_hash: deposit.texts.content,
      receipt_id: entry.receipt_id,
      created_at: entry.recorded_at,
    },
  ];
}

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
