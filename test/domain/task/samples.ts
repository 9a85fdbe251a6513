import { expect } from 'vitest';
import { defaultVendorPlatforms } from '../../../contracts/task-receipt.js';
import { createTaskReader } from '../../../src/domain/task/read.js';
import type { RefusedTasks } from '../../../src/domain/task/refused.js';
import type { SubmittedTask } from '../../../src/domain/task/submitted.js';

/** The clock of the reader in these tests. */
export const now = Date.parse('2026-11-22T10:00:00Z');

/** The least that a receipt must have. */
export const least = {
  receipt_id: 'run-1',
  agent_handle: '@triage-bot',
  platform: 'gateway',
  started_at: '2026-11-22T09:00:00Z',
  ended_at: '2026-11-22T09:00:04.25Z',
  status: 'success',
};

const capability = 'code-review';
const [quantity, unit_price_usd] = [3, 0.25];

/** A right value of each statement of the extension `market`. */
export const statements = {
  capability,
  sector: 'build',
  vendor: 'Acme',
  counterparty: 'Example Ltd',
  workflow: { id: 'run-7', name: 'Invoices', step: 'check' },
  segment: 'enterprise',
  outcome: { value_usd: 12.5, baseline_cost_usd: 3, accepted: true },
  settlement: {
    invoice_id: 'inv-1',
    direction: 'payable',
    rail: 'sepa',
    currency: 'EUR',
    amount: 99.99,
    usd_rate: 0.982345678901,
    status: 'settled',
    due_at: '2026-12-01T00:00:00Z',
    settled_at: '2026-11-22T08:00:00Z',
    counterparty: 'Example Ltd',
  },
  rfq: {
    rfq_id: 'rfq-1',
    capability,
    quantity,
    max_unit_price_usd: 0.3,
    expires_at: '2026-12-01T00:00:00Z',
    status: 'open',
  },
  quote: { quote_id: 'q-1', rfq_id: 'rfq-1', unit_price_usd, quantity, valid_until: '2026-11-30T00:00:00Z' },
  fill: {
    fill_id: 'f-1',
    rfq_id: 'rfq-1',
    quote_id: 'q-1',
    capability,
    quantity,
    unit_price_usd,
    side: 'buy',
    counterparty: 'Example Ltd',
  },
  auction: {
    auction_id: 'a-1',
    capability,
    type: 'second_price',
    quantity,
    reserve_usd: 0.1,
    closes_at: '2026-12-01T00:00:00Z',
    status: 'cleared',
    bids: 4,
    clearing_price_usd: 0.2,
  },
  forward: {
    forward_id: 'w-1',
    capability,
    quantity,
    unit_price_usd,
    delivery_at: '2027-01-01T00:00:00Z',
    status: 'open',
  },
  sla: {
    sla_id: 's-1',
    capability,
    metric: 'success_rate',
    target: 0.95,
    penalty_usd: 100,
    period_start: '2026-11-01T00:00:00Z',
    period_end: '2026-12-01T00:00:00Z',
  },
  dispute: {
    case_id: 'c-1',
    tier: 'panel',
    claim_type: 'late',
    claimant: 'Example Ltd',
    respondent: '@triage-bot',
    status: 'resolved',
    opened_at: '2026-11-01T00:00:00Z',
    resolved_at: '2026-11-20T00:00:00Z',
    ruling: 'split',
    award_usd: 20,
    cites: ['c-0'],
  },
} as const;

/** A receipt with every member that the schema names, without `market`. */
export const full = {
  ...least,
  account_id: '01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01',
  model: 'reader-2',
  session_id: 's-17',
  parent_session_id: 's-16',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  parent_span_id: '00f067aa0ba902b6',
  task_summary: 'Answered a question about an invoice.',
  tool_calls: [
    { tool: 'tickets.read', ok: true, input_hash: '0'.repeat(64), output_hash: 'f'.repeat(64), latency_ms: 40 },
    { tool: 'mail.send', ok: false },
  ],
  tokens: { input: 1200, output: 80, cache_read: 0, cache_write: 1 },
  cost_usd: 0.0125,
  declared_scope: ['tickets.*'],
  attestations: [{ type: 'jws', jws: 'e30..e30' }],
};

/** The extension with these statements. */
export const marketOf = (members: object) => ({ schema: 'counterfoil-market/1', ...members });

export const readTasks = createTaskReader(defaultVendorPlatforms);

const isRefused = (read: ReturnType<typeof readTasks>): read is RefusedTasks => 'code' in read;

/** Reads one receipt that is expected to be right. @param sent a JSON text, or a value that is written as JSON */
export function accepted(sent: unknown): SubmittedTask {
  const [task, ...others] = acceptedBatch(sent);
  if (!task || others.length > 0) throw new Error('not one receipt was read');
  return task;
}

export function acceptedBatch(sent: unknown): readonly SubmittedTask[] {
  const read = readTasks(jsonOf(sent), now);
  if (isRefused(read)) throw new Error(`${read.code}: ${read.message} ${JSON.stringify(read.details)}`);
  return read;
}

/** Expects that a receipt is accepted with each of these values of a member, and refused with each of the other ones. */
export function expectEdges(member: string, right: readonly unknown[], wrong: readonly unknown[]): void {
  for (const value of right) expect(accepted(withMember(member, value)).task).toMatchObject({ [member]: value });
  for (const value of wrong) expectIssue(withMember(member, value), member);
}

/** The same for a member of a statement of the extension `market`: `settlement.amount`, or for a statement itself. */
export function expectMarketEdges(path: string, right: readonly unknown[], wrong: readonly unknown[]): void {
  const [name = '', member] = path.split('.');
  const sent = (value: unknown) => {
    const statement: unknown = Reflect.get(statements, name);
    const changed = member === undefined ? value : Object.assign({}, statement, { [member]: value });
    return { ...least, market: marketOf({ [name]: changed }) };
  };
  for (const value of right) expect(accepted(sent(value)).task).toEqual(JSON.parse(JSON.stringify(sent(value))));
  for (const value of wrong) expectIssue(sent(value), `market.${path}`);
}

const withMember = (member: string, value: unknown) => ({ ...least, [member]: value });

export function expectIssue(sent: unknown, path: string): void {
  const { code, details } = refused(sent);
  expect([sent, code, details]).toMatchObject([sent, 'invalid_receipt', { issues: [{ path }] }]);
}

export function refused(sent: unknown): RefusedTasks {
  const read = readTasks(jsonOf(sent), now);
  if (!isRefused(read)) throw new Error(`accepted: ${jsonOf(sent).slice(0, 200)}`);
  return read;
}

const jsonOf = (sent: unknown): string => (typeof sent === 'string' ? sent : JSON.stringify(sent));
