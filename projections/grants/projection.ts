import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { each, insertRows, type Projection } from '../projection.js';

/**
 * The grants of OAuth that have not ended. One ends when it is revoked, with the membership and the password of its
 * person, with the link of its agent, and with another grant to the same client in the name of the same agent. Those that had expired are removed when the workspace makes another one.
 */
export const grantsProjection: Projection = {
  name: 'grants',
  version: 2,
  tables: ['grants'],
  reveals: {},
  ddl: `
    create table grants (
      id text collate "C" primary key,
      workspace_id uuid not null,
      member_id uuid not null,
      client_id text collate "C" not null,
      client_name text,
      redirect_host text not null,
      agent_id text collate "C",
      scopes text[] not null,
      namespace_ids uuid[] not null,
      expires_at timestamptz not null,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on grants (workspace_id, receipt_id);
    create index on grants (member_id);
  `,
  fold: each({
    'grant.created': insertGrant,
    'grant.revoked': (tx, { entry }) => tx.query('delete from grants where id = $1', [entry.body.grant_id]),
    'member.removed': (tx, { entry }) => tx.query('delete from grants where member_id = $1', [entry.body.member_id]),
    // An entry of each workspace of the person, when the password is changed or that is completed.
    'member.password_changed': (tx, { entry }) =>
      tx.query('delete from grants where member_id = $1', [entry.body.member_id]),
    'agent.unlinked': (tx, { entry }) =>
      tx.query('delete from grants where workspace_id = $1 and agent_id = $2', [
        entry.workspace_id,
        entry.body.agent_id,
      ]),
    'namespace.deleted': (tx, { entry }) =>
      tx.query(
        `update grants set namespace_ids = array_remove(namespace_ids, $2::uuid)
          where workspace_id = $1 and $2::uuid = any(namespace_ids)`,
        [entry.workspace_id, entry.body.namespace_id],
      ),
  }),
};

async function insertGrant(tx: Transaction, { entry }: RecordedOf<'grant.created'>): Promise<void> {
  const { workspace_id, receipt_id, recorded_at: created_at } = entry;
  const { grant_id: id, ...rest } = entry.body;
  await tx.query('delete from grants where workspace_id = $1 and expires_at <= $2', [workspace_id, created_at]);
  await tx.query(
    'delete from grants where member_id = $1 and client_id = $2 and agent_id is not distinct from $3::text and id <> $4',
    [rest.member_id, rest.client_id, rest.agent_id, id],
  );
  await insertRows(tx, 'grants', [{ ...rest, id, workspace_id, receipt_id, created_at }]);
}
