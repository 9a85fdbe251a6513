import { approval, approvalList, approvalListQuery } from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { type ApprovalView, approvalById, approvalsOfWorkspace } from '../../../projections/approvals/queries.js';
import { decideApproval } from '../../commands/approvals.js';
import { answering, once as onlyOnce, type RequestKey } from '../../commands/once.js';
import type { Caller } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { endpoint, type Services } from '../operation.js';

export const approvalListEndpoint = endpoint({
  method: 'GET',
  path: '/v1/approvals',
  summary: 'Approvals, pending and decided, newest first; a key sees those that it requested',
  access: 'memory.read',
  query: approvalListQuery,
  body: {},
  answers: { 200: approvalList },
  refusals: ['invalid_cursor', 'invalid_request'],
  async handle({ caller, query: { status, limit, cursor } }, { read, cursors, world }) {
    const { workspaceId } = caller;
    const now = world.now();
    const requesterId = sees(caller);
    const bound = [workspaceId, requesterId, status];
    const before = cursor === undefined ? null : cursors.open('approvals', bound, cursor);
    const filter = { requesterId, status, now };
    const rows = await read((tx) => approvalsOfWorkspace(tx, workspaceId, filter, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('approvals', bound, last.id) : null;
    return { status: 200, body: { data: page.map((row) => shapeOf(row, now)), next_cursor } };
  },
});

export const approvalGetEndpoint = endpoint({
  method: 'GET',
  path: '/v1/approvals/:approval_id',
  summary: 'One approval',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: approval },
  refusals: ['approval_not_found'],
  async handle({ caller, params }, services) {
    return { status: 200, body: await shown(services, caller, params.approval_id ?? '') };
  },
});

export const approveEndpoint = decisionEndpoint(
  'approve',
  'approved',
  'Approve a request, once and exactly as it was made',
);
export const rejectEndpoint = decisionEndpoint('reject', 'rejected', 'Reject a request');

function decisionEndpoint(verb: string, decision: 'approved' | 'rejected', summary: string) {
  return endpoint({
    method: 'POST',
    path: `/v1/approvals/:approval_id/${verb}`,
    summary,
    access: 'decide approvals',
    counted: 'write',
    query: {},
    body: {},
    answers: { 200: approval },
    refusals: ['approval_not_found', 'approval_decided', 'receipt_unavailable'],
    handle: ({ caller, params, once }, services) => decided(services, caller, params.approval_id ?? '', decision, once),
  });
}

async function decided(
  services: Services,
  caller: Caller,
  id: string,
  decision: 'approved' | 'rejected',
  request: RequestKey,
) {
  const { run, read, world } = services;
  const before = isApprovalId(id) ? await read((tx) => approvalById(tx, caller.workspaceId, id)) : undefined;
  if (!before) throw new Refusal('approval_not_found');
  const command = answering(decideApproval(world, caller, id, decision), ({ receipt_id, decided_at }) => ({
    status: 200,
    body: shapeOf({ ...before, status: decision, decided_by: caller.actor.id, decided_at, receipt_id }, world.now()),
  }));
  return run(caller.workspaceId, onlyOnce(command, request));
}

async function shown({ read, world }: Services, caller: Caller, id: string) {
  const row = isApprovalId(id) ? await read((tx) => approvalById(tx, caller.workspaceId, id)) : undefined;
  const only = sees(caller);
  if (!row || (only !== null && row.requester_id !== only)) throw new Refusal('approval_not_found');
  return shapeOf(row, world.now());
}

const isApprovalId = (id: string): boolean => /^apr_[0-9a-f]{32}$/.test(id);

/** Whose requests the caller sees; null for everybody's. */
function sees({ role, actor }: Caller): string | null {
  return role === 'owner' || role === 'admin' ? null : (actor.id ?? '');
}

function shapeOf({ requester_type, requester_id, user_id, agent_id, app_id, ...row }: ApprovalView, now: Date) {
  const over = (row.status === 'pending' || row.status === 'approved') && row.expires_at <= now.toISOString();
  return {
    ...row,
    status: over ? 'expired' : row.status,
    requested_by: { type: requester_type, id: requester_id, user_id, agent_id, app_id },
  };
}
