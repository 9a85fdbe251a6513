import type { ApprovalUse } from '../../contracts/entries/entry.js';
import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/adapters/database/database.js';
import { insertRows, type Projection } from '../projection.js';

/** Requests that wait for a decision, and their decisions. Whether a request has expired depends on the time at which it is read. */
export const approvalsProjection: Projection = {
  name: 'approvals',
  version: 1,
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
      receipt_id text collate "C"
    );
    create index on approvals (workspace_id, id);
    create index on approvals (workspace_id, requester_id, id) where status = 'pending';
    create index on approvals (receipt_id);
  `,
  async apply(tx, recorded) {
    await insertRows(tx, 'approvals', recorded.flatMap(requestRow));
    for (const one of recorded) await decide(tx, one);
    const used = recorded.flatMap(({ entry }) =>
      entry.kind === 'memory.write' || entry.kind === 'memory.promoted' || entry.kind === 'memory.delete'
        ? usedBy(entry.body.approval)
        : [],
    );
    if (used.length === 0) return;
    await tx.query(`update approvals set status = 'used' where id = any($1::text[])`, [[...new Set(used)]]);
  },
};

const usedBy = (approval: ApprovalUse | undefined): string[] => (approval ? [approval.approval_id] : []);

async function decide(tx: Transaction, { entry }: Recorded): Promise<void> {
  if (entry.kind !== 'approval') return;
  await tx.query('update approvals set status = $2, decided_by = $3, decided_at = $4, receipt_id = $5 where id = $1', [
    entry.body.approval_id,
    entry.body.decision,
    entry.actor.id,
    entry.recorded_at,
    entry.receipt_id,
  ]);
}

function requestRow({ entry }: Recorded): object[] {
  if (entry.kind !== 'approval.requested') return [];
  const { approval_id: id, approval_kind: kind, request_commitment: commitment, ...rest } = entry.body;
  const { type: requester_type, id: requester_id, user_id, agent_id, app_id } = entry.actor;
  return [
    {
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
    },
  ];
}
