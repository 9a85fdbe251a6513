import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { gather, inOrder, into, type Projection } from '../projection.js';

/** The public keys that admins have added, with which attestations of task receipts may be signed. */
export const attestationKeysProjection: Projection = {
  name: 'attestations',
  version: 1,
  tables: ['attestation_keys'],
  reveals: {},
  ddl: `
    create table attestation_keys (
      id uuid primary key,
      workspace_id uuid not null,
      public_key text collate "C" not null,
      name text,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on attestation_keys (workspace_id, id);
  `,
  fold: inOrder(
    gather({ 'attestation_key.added': (one) => [rowOf(one)] }, into('attestation_keys')),
    gather({ 'attestation_key.removed': ({ entry }) => [entry.body.key_id] }, (tx, removed) =>
      tx.query('delete from attestation_keys where id = any($1::uuid[])', [removed]),
    ),
  ),
};

function rowOf({ entry }: RecordedOf<'attestation_key.added'>): object {
  const { key_id: id, public_key, name } = entry.body;
  const { workspace_id, receipt_id, recorded_at: created_at } = entry;
  return { id, workspace_id, public_key, name, receipt_id, created_at };
}
