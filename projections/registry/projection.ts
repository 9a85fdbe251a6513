import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { each, gather, inOrder, insertRows, type Projection } from '../projection.js';

/** The identities of agents. They are numbered from 1 in the order of their issuance, so that a page is a range of numbers. */
export const registryProjection: Projection = {
  name: 'registry',
  version: 2,
  tables: ['identities'],
  reveals: {},
  ddl: `
    create table identities (
      agent_id text collate "C" primary key,
      number bigint not null unique,
      public_key text collate "C" not null,
      vendor text,
      agent_name text,
      seq bigint not null,
      receipt_id text collate "C" not null,
      receipt_hash text collate "C" not null,
      issued_at timestamptz not null,
      verified_hash text collate "C",
      verified_at timestamptz
    );
  `,
  indexes: 'create index on identities (verified_at) where verified_at is not null;',
  fold: inOrder(
    gather({ 'identity.issued': (one) => [one] }, issue),
    each({
      'identity.verified': (tx, { entry, hash }) =>
        tx.query('update identities set verified_hash = $2, verified_at = $3 where agent_id = $1', [
          entry.body.agn_id,
          hash,
          entry.recorded_at,
        ]),
    }),
  ),
};

async function issue(tx: Transaction, issued: readonly RecordedOf<'identity.issued'>[]): Promise<void> {
  const [{ last } = { last: 0 }] = await tx.query<{ last: number }>(
    'select coalesce(max(number), 0) as last from identities',
  );
  const rows = issued.map(({ entry, hash }, at) => ({
    agent_id: entry.body.agn_id,
    number: last + at + 1,
    public_key: entry.body.binding.public_key,
    vendor: entry.body.binding.vendor,
    agent_name: entry.body.binding.agent_name,
    seq: entry.seq,
    receipt_id: entry.receipt_id,
    receipt_hash: hash,
    issued_at: entry.recorded_at,
    verified_hash: null,
    verified_at: null,
  }));
  await insertRows(tx, 'identities', rows);
}
