import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { each, inOrder, insertRows, type Projection, together } from '../projection.js';
import { endErc8004Link, erc8004Tables, replaceErc8004Link } from './erc8004-fold.js';

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
  fold: inOrder(
    together({
      begin: (): Changes => ({ unlinked: [], agents: [], keys: [] }),
      on: {
        'agent.unlinked': ({ unlinked }, { entry }) => unlinked.push(entry.body.link_id),
        'agent.linked': ({ agents }, one) => agents.push(...agentRows(one)),
        'agent_key.created': ({ keys }, one) => keys.push(...keyRows(one)),
      },
      async write(tx, { unlinked, agents, keys }) {
        // Unlinked agents are removed first, because a batch may unlink an agent and link it again.
        if (unlinked.length > 0) await tx.query('delete from agents where id = any($1::uuid[])', [unlinked]);
        const gone = new Set(unlinked);
        await insertRows(
          tx,
          'agents',
          agents.filter(({ id }) => !gone.has(id)),
        );
        await insertRows(tx, 'agent_keys', keys);
      },
    }),
    each({
      'agent_key.bound': (tx, { entry }) =>
        tx.query('update agent_keys set namespace_ids = $2::uuid[] where id = $1', [
          entry.body.key_id,
          entry.body.namespace_ids,
        ]),
      'agent_key.revoked': (tx, { entry }) => tx.query('delete from agent_keys where id = $1', [entry.body.key_id]),
      'namespace.deleted': (tx, { entry }) =>
        tx.query(
          `update agent_keys set namespace_ids = array_remove(namespace_ids, $2::uuid)
            where workspace_id = $1 and $2::uuid = any(namespace_ids)`,
          [entry.workspace_id, entry.body.namespace_id],
        ),
      'agent.erc8004_linked': replaceErc8004Link,
      'agent.erc8004_unlinked': endErc8004Link,
    }),
  ),
};

interface Changes {
  readonly unlinked: string[];
  readonly agents: ReturnType<typeof agentRows>;
  readonly keys: object[];
}

function keyRows({ entry, deposit }: RecordedOf<'agent_key.created'>): object[] {
  if (deposit === null) return [];
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

function agentRows({ entry, deposit }: RecordedOf<'agent.linked'>) {
  if (deposit === null) return [];
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
