import type { EntryOf } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { gather, inOrder, into, type Projection } from '../projection.js';

/** One row for each decision and each handoff. What it says is in the bytes of its entry and in the vault. */
export const decisionsProjection: Projection = {
  name: 'decisions',
  version: 1,
  tables: ['decisions'],
  reveals: {},
  ddl: `
    create table decisions (
      receipt_id text collate "C" primary key,
      workspace_id uuid not null,
      namespace_id uuid not null,
      erasure_receipt_id text collate "C"
    );
  `,
  fold: inOrder(
    gather({ decision: (one) => [rowOf(one)], handoff: (one) => [rowOf(one)] }, into('decisions')),
    gather({ 'receipt.private_erased': ({ entry }) => [entry] }, erase),
  ),
};

function rowOf({ entry }: RecordedOf<'decision' | 'handoff'>): object {
  const { receipt_id, workspace_id, body } = entry;
  return { receipt_id, workspace_id, namespace_id: body.namespace_id, erasure_receipt_id: null };
}

/** Notes by which entry the text of a decision was erased. The rows of task receipts are in a table of their own. */
async function erase(tx: Transaction, erasures: readonly EntryOf<'receipt.private_erased'>[]): Promise<void> {
  await tx.query(
    `update decisions d set erasure_receipt_id = e.erasure from unnest($1::text[], $2::text[]) e(receipt_id, erasure)
      where d.receipt_id = e.receipt_id`,
    [erasures.map(({ body }) => body.erased_receipt_id), erasures.map((entry) => entry.receipt_id)],
  );
}
