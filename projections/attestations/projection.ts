import type { Recorded } from '../../contracts/entries/recorded.js';
import { insertRows, type Projection } from '../projection.js';

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
  async apply(tx, recorded) {
    await insertRows(tx, 'attestation_keys', recorded.flatMap(rowOf));
    const removed = recorded.flatMap(({ entry }) =>
      entry.kind === 'attestation_key.removed' ? entry.body.key_id : [],
    );
    if (removed.length > 0) await tx.query('delete from attestation_keys where id = any($1::uuid[])', [removed]);
  },
};

function rowOf({ entry }: Recorded): object[] {
  if (entry.kind !== 'attestation_key.added') return [];
  const { key_id: id, public_key, name } = entry.body;
  const { workspace_id, receipt_id, recorded_at: created_at } = entry;
  return [{ id, workspace_id, public_key, name, receipt_id, created_at }];
}
