import {
  approval,
  approvalList,
  approvalListQuery,
  approvalQuery,
  namedApproval,
} from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { type ApprovalView, approvalById, approvalsOfWorkspace } from '../../../projections/approvals/queries.js';
import { decideApproval } from '../../commands/approvals.js';
import { answering, once as onlyOnce, type RequestKey } from '../../commands/once.js';
import type { Caller } from '../../domain/caller.js';
import type { Documentation } from '../documentation.js';
import { lastOf } from '../input.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading, Services } from '../services.js';
import { type HeldShape, heldTexts } from './held.js';

const exampleApprovalId = 'apr_01919f3d4b167d2fa0c1b2d3e4f50677';

const exampleWaiting = {
  id: exampleApprovalId,
  kind: 'write',
  status: 'pending',
  summary:
    'Write a memory of 20 bytes to the namespace letters. Asked by the app desk. Held by rule 1, for its namespace.',
  requested_by: { type: 'key', id: samples.key, user_id: null, agent_id: null, app_id: 'archivist' },
  created_at: samples.at,
  expires_at: '2026-03-21T09:26:53.589Z',
  decided_by: null,
  decided_at: null,
  receipt_id: null,
};

const exampleDecided = { decided_by: samples.person, decided_at: samples.later, receipt_id: samples.receipt };

export const approvalListOperation = operation({
  method: 'GET',
  path: '/v1/approvals',
  summary: 'Approvals, pending and decided, newest first; a key or a person who is no admin sees their own',
  access: 'memory.read',
  query: approvalListQuery,
  answers: { 200: approvalList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listApprovals',
    query: { status: 'As of now: one that was neither decided nor used in time is expired.' },
    answers: { 200: { description: 'A page of approvals.', body: { data: [exampleWaiting], next_cursor: null } } },
  },
  async handle({ caller, query: { status, include, limit, cursor } }, { reading }) {
    const { read, cursors, now: clock } = reading;
    const { workspaceId } = caller;
    const now = clock();
    const requesterId = sees(caller);
    const bound = [workspaceId, requesterId, status];
    const before = cursor === undefined ? null : cursors.open('approvals', bound, cursor);
    const filter = { requesterId, status, now };
    const rows = await read((tx) => approvalsOfWorkspace(tx, workspaceId, filter, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('approvals', bound, last.id) : null;
    const held = await heldTexts(reading, caller, page);
    const data = page.map((row) => shapeOf(row, now, held.get(row.id)));
    const names = namesFor(caller, include === 'names');
    for (const one of data) names.note(partsWithIds(one));
    return { status: 200, body: { data, next_cursor, ...(await names.read(read)) } };
  },
});

export const approvalGetOperation = operation({
  method: 'GET',
  path: '/v1/approvals/:approval_id',
  summary: 'One approval',
  access: 'memory.read',
  query: approvalQuery,
  answers: { 200: namedApproval },
  refusals: ['approval_not_found', 'invalid_request'],
  documentation: { id: 'getApproval', answers: { 200: { body: exampleWaiting } } },
  async handle({ caller, params, query }, { reading }) {
    const { read, now } = reading;
    const seen = await seenApproval(read, caller, params.approval_id ?? '');
    const held = await heldTexts(reading, caller, [seen]);
    const shape = shapeOf(seen, now(), held.get(seen.id));
    const names = namesFor(caller, query.include === 'names');
    names.note(partsWithIds(shape));
    return { status: 200, body: { ...shape, ...(await names.read(read)) } };
  },
});

export const approveOperation = decisionOperation(
  'approve',
  'approved',
  'Approve a request, once and exactly as it was made',
  {
    id: 'approve',
    description: 'The decision has a receipt. It does not carry out the request: the requester sends it again.',
    answers: {
      200: {
        description: 'The approval as it is now.',
        body: { ...exampleWaiting, status: 'approved', ...exampleDecided },
      },
    },
  },
);

export const rejectOperation = decisionOperation('reject', 'rejected', 'Reject a request', {
  id: 'reject',
  answers: {
    200: {
      description: 'The approval as it is now.',
      body: { ...exampleWaiting, status: 'rejected', ...exampleDecided },
    },
  },
});

function decisionOperation(
  verb: string,
  decision: 'approved' | 'rejected',
  summary: string,
  documentation: Documentation,
) {
  return operation({
    method: 'POST',
    path: `/v1/approvals/:approval_id/${verb}`,
    summary,
    access: 'decide approvals',
    counted: 'write',
    answers: { 200: approval },
    refusals: ['approval_not_found', 'approval_decided', 'receipt_unavailable'],
    documentation,
    handle: ({ caller, params, once }, services) => decided(services, caller, params.approval_id ?? '', decision, once),
  });
}

async function decided(
  { reading: { read }, writing: { run, world } }: Services,
  caller: Caller,
  id: string,
  decision: 'approved' | 'rejected',
  request: RequestKey,
) {
  const before = isApprovalId(id) ? await read((tx) => approvalById(tx, caller.workspaceId, id)) : undefined;
  if (!before) throw new Refusal('approval_not_found');
  const command = answering(decideApproval(world, caller, id, decision), ({ receipt_id, decided_at }) => ({
    status: 200,
    body: shapeOf({ ...before, status: decision, decided_by: caller.actor.id, decided_at, receipt_id }, world.now()),
  }));
  return run(caller.workspaceId, onlyOnce(command, request));
}

/** @throws Refusal approval_not_found */
export async function seenApproval(read: ForReading['read'], caller: Caller, id: string): Promise<ApprovalView> {
  const row = isApprovalId(id) ? await read((tx) => approvalById(tx, caller.workspaceId, id)) : undefined;
  const only = sees(caller);
  if (!row || (only !== null && !isOf(row, only))) throw new Refusal('approval_not_found');
  return row;
}

/** Whether a key or a person made the request, or a client with a grant of that person. */
function isOf({ requester_type, requester_id, user_id }: ApprovalView, id: string): boolean {
  return requester_id === id || (requester_type === 'grant' && user_id === id);
}

const isApprovalId = (id: string): boolean => /^apr_[0-9a-f]{32}$/.test(id);

/** The requester whose requests the caller sees; null for all requests. */
function sees({ role, actor }: Caller): string | null {
  return role === 'owner' || role === 'admin' ? null : (actor.id ?? '');
}

const partsWithIds = ({ requested_by, decided_by }: ReturnType<typeof shapeOf>) => ({ requested_by, decided_by });

function shapeOf(
  { requester_type, requester_id, user_id, agent_id, app_id, selected, done, ended: _, ...row }: ApprovalView,
  now: Date,
  held?: HeldShape,
) {
  const over = (row.status === 'pending' || row.status === 'approved') && row.expires_at <= now.toISOString();
  return {
    ...row,
    status: over ? ('expired' as const) : row.status,
    requested_by: { type: requester_type, id: requester_id, user_id, agent_id, app_id },
    ...(selected !== null && { selected: { count: selected, left: row.status === 'used' ? 0 : selected - done } }),
    ...(held && !over && { held }),
  };
}
