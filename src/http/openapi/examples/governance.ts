import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const approvalId = 'apr_01919f3d4b167d2fa0c1b2d3e4f50677';
const waiting = {
  id: approvalId,
  kind: 'write',
  status: 'pending',
  summary: 'Write a memory of 20 bytes to the namespace letters. Held by rule 1.',
  requested_by: { type: 'key', id: samples.key, user_id: null, agent_id: null, app_id: 'archivist' },
  created_at: samples.at,
  expires_at: '2026-03-21T09:26:53.589Z',
  decided_by: null,
  decided_at: null,
  receipt_id: null,
};
const decided = { decided_by: samples.person, decided_at: samples.later, receipt_id: samples.receipt };

export const governance: Book = {
  'GET /v1/approvals': {
    id: 'listApprovals',
    query: { status: 'As of now: one that was neither decided nor used in time is expired.' },
    answers: { 200: { says: 'A page of approvals.', body: { data: [waiting], next_cursor: null } } },
  },
  'GET /v1/approvals/{approval_id}': { id: 'getApproval', answers: { 200: { body: waiting } } },
  'POST /v1/approvals/{approval_id}/approve': {
    id: 'approve',
    description: 'The decision has a receipt. It does not carry out the request: the requester sends it again.',
    answers: { 200: { says: 'The approval as it is now.', body: { ...waiting, status: 'approved', ...decided } } },
  },
  'POST /v1/approvals/{approval_id}/reject': {
    id: 'reject',
    answers: { 200: { says: 'The approval as it is now.', body: { ...waiting, status: 'rejected', ...decided } } },
  },
  'POST /v1/memories/bulk-delete': {
    id: 'bulkDelete',
    body: 'BulkDeleteIn',
    description:
      'The first call is refused with approval_required and requests an approval. After the approval, repeat the call ' +
      'with exactly the same ids and the receipt of the decision.',
    request: { ids: [samples.memory, samples.otherMemory], approval_receipt_id: samples.receipt },
    answers: {
      200: {
        says: 'The deleted memories, with the receipts of their deletion.',
        body: {
          deleted: [{ id: samples.memory, deleted: true, receipt_id: samples.otherReceipt }],
          not_found: [samples.otherMemory],
        },
      },
    },
  },
  'GET /v1/usage': {
    id: 'getUsage',
    description: 'Actions are the receipts of writes, deletes and decisions. Reads, searches and checks do not count.',
    answers: {
      200: {
        body: {
          plan: 'free',
          month: '2026-03',
          actions: { used: 4211, limit: 10_000 },
          memories: { used: 3980, limit: 10_000 },
          people: { used: 2, limit: 2 },
          resets_at: '2026-04-01T00:00:00.000Z',
        },
      },
    },
  },
};
