import { samples } from '../samples.js';

const anchoring = { anchor_state: 'submitted', anchor_tx: null, ots_proof: null, erc8004_emitted_at: null } as const;
const person = { user_id: null, agent_id: null, app_id: 'travel desk', run_id: null };

export const exampleReceipt = {
  id: samples.receipt,
  receipt_id: samples.receipt,
  kind: 'memory.write',
  seq: 42,
  hash: samples.hash,
  prev_hash: samples.otherHash,
  v: 1,
  workspace_id: samples.workspace,
  recorded_at: samples.at,
  actor: { type: 'key', id: samples.key, ...person, agent_id: 'concierge' },
  body: {
    memory_id: samples.memory,
    namespace_id: samples.namespace,
    content_bytes: 71,
    content_commitment: samples.contentHash,
  },
  ...anchoring,
};

/** The entry of that receipt, as it was hashed. */
export const exampleEntry = {
  v: 1 as const,
  workspace_id: samples.workspace,
  seq: 42,
  receipt_id: samples.receipt,
  kind: 'memory.write',
  recorded_at: samples.at,
  actor: exampleReceipt.actor,
  body: exampleReceipt.body,
  prev_hash: samples.otherHash,
};

export const exampleTask = {
  id: samples.receipt,
  receipt_id: 'run-2026-000417',
  kind: 'task',
  seq: 43,
  hash: samples.otherHash,
  prev_hash: samples.hash,
  recorded_at: samples.at,
  actor: { type: 'key', id: samples.key, ...person },
  task: {
    receipt_id: 'run-2026-000417',
    agent_handle: '@triage-bot',
    platform: 'gateway',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: '00f067aa0ba902b7',
    started_at: '2026-03-14T09:26:49Z',
    ended_at: '2026-03-14T09:26:53.250Z',
    status: 'success',
    tool_calls: [{ tool: 'mail.send', ok: true }],
    cost_usd: 0.0125,
    declared_scope: ['tickets.*'],
    task_summary: 'Sorted 12 tickets.',
    queue: 'returns',
  },
  private_erased: false,
  scope_violations: ['mail.send'],
  attestations: [],
  ...anchoring,
};

export const exampleDecision = {
  ...exampleReceipt,
  id: samples.otherReceipt,
  receipt_id: samples.otherReceipt,
  kind: 'decision',
  seq: 44,
  actor: { type: 'agent_key', id: samples.key, ...person, via: 'mcp' },
  body: {
    namespace_id: samples.namespace,
    refs: ['https://tickets.example.org/417'],
    content_commitment: samples.contentHash,
  },
  private_erased: false,
  decision: {
    summary: 'Refund the second night.',
    options: ['refund', 'voucher'],
    chosen: 'refund',
    reason: 'The guest had asked for the quiet side.',
    refs: ['https://tickets.example.org/417'],
  },
};
