import type { ApprovalUse } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { each, gather, inOrder, into, type Projection } from '../projection.js';

/** Requests that wait for a decision, and their decisions. Whether a request has expired depends on the time at which it is read. */
export const approvalsProjection: Projection = {
  name: 'approvals',
  version: 5,
  tables: ['approvals'],
  reveals: {},
  ddl: `
    create table approvals (
      id text collate "C" primary key,
      workspace_id uuid not null,
      kind text not null,
      status text not null,
      summary text not null,
      requester_type text not null,
      requester_id text collate "C",
      user_id text,
      agent_id text,
      app_id text,
      namespace_ids uuid[] not null,
      commitment text not null,
      requested_receipt_id text collate "C" not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      decided_by uuid,
      decided_at timestamptz,
      receipt_id text collate "C",
      selected integer,
      by_filter boolean not null,
      done integer not null,
      ended boolean not null,
      excerpt_receipt_id text collate "C",
      held_bytes integer,
      held_excerpt text,
      held_source text,
      held_metadata_keys text
    );
    create index on approvals (workspace_id, id);
    create index on approvals (workspace_id, requester_id, id) where status = 'pending';
    create index on approvals (receipt_id);
    create index on approvals (expires_at) where status = 'pending';
    create index on approvals (expires_at)
      where (selected is not null or excerpt_receipt_id is not null) and not ended and status in ('pending', 'approved');
  `,
  fold: inOrder(
    gather({ 'approval.requested': (one) => [requestRow(one)] }, into('approvals')),
    each({ approval: decide, 'approval.ended': end }),
    gather({ 'memory.write': usesOf, 'memory.promoted': usesOf, 'memory.delete': usesOf }, use),
  ),
};

function usesOf({ entry }: RecordedOf<'memory.write' | 'memory.promoted' | 'memory.delete'>): ApprovalUse[] {
  return entry.body.approval ? [entry.body.approval] : [];
}

/** An approval that is used in parts counts what was dealt with, and is used with the last of them. */
async function use(tx: Transaction, uses: readonly ApprovalUse[]): Promise<void> {
  const used = uses.filter(({ done }) => done === undefined).map(({ approval_id: id }) => id);
  const done = new Map(uses.flatMap((one) => (one.done === undefined ? [] : [[one.approval_id, one.done] as const])));
  if (done.size > 0) {
    await tx.query(
      'update approvals a set done = d.done from unnest($1::text[], $2::int[]) d(id, done) where a.id = d.id',
      [[...done.keys()], [...done.values()]],
    );
  }
  if (used.length > 0) {
    await tx.query(`update approvals set status = 'used' where id = any($1::text[])`, [[...new Set(used)]]);
  }
}

async function decide(tx: Transaction, { entry }: RecordedOf<'approval'>): Promise<void> {
  const { approval_id, decision } = entry.body;
  await tx.query(
    `update approvals set status = $2, decided_by = $3, decided_at = $4, receipt_id = $5, excerpt_receipt_id = null
      where id = $1`,
    [approval_id, decision, entry.actor.id, entry.recorded_at, entry.receipt_id],
  );
}

async function end(tx: Transaction, { entry }: RecordedOf<'approval.ended'>): Promise<void> {
  const change = entry.body.reason === 'expired' ? 'ended = true, excerpt_receipt_id = null' : `status = 'used'`;
  await tx.query(`update approvals set ${change} where id = $1`, [entry.body.approval_id]);
}

function requestRow({ entry }: RecordedOf<'approval.requested'>): object {
  const { approval_id: id, approval_kind: kind, request_commitment: commitment, selected, held, ...rest } = entry.body;
  const { type: requester_type, id: requester_id, user_id, agent_id, app_id } = entry.actor;
  return {
    id,
    workspace_id: entry.workspace_id,
    kind,
    status: 'pending',
    commitment,
    ...rest,
    requester_type,
    requester_id,
    user_id,
    agent_id,
    app_id,
    requested_receipt_id: entry.receipt_id,
    created_at: entry.recorded_at,
    selected: selected?.count ?? null,
    by_filter: selected?.filter_commitment !== undefined,
    done: 0,
    ended: false,
    excerpt_receipt_id: held?.excerpt_receipt_id ?? null,
    held_bytes: held?.bytes ?? null,
    held_excerpt: held?.excerpt_commitment ?? null,
    held_source: held?.source_commitment ?? null,
    held_metadata_keys: held?.metadata_keys_commitment ?? null,
  };
}
