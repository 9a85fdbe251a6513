import fc from 'fast-check';
import { fixedPlatforms, taskStatuses } from '../../../contracts/task-receipt.js';

/** Generated receipts that follow the schema, as values. */

const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const printable = fc.string({ unit: fc.constantFrom(...'aZ0 ._-~é€漢😀', '\u200d'), minLength: 1, maxLength: 20 });
const anyText = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
const count = fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const slug = fc.constantFrom('code-review', 'a', '7', 'x1-y2-z3', 'a'.repeat(40));

/** Moments of one hour, so that the end of a task is after its start when the two are sorted. */
const moment = fc.integer({ min: 0, max: 3_599_999 }).map((ms) => Date.parse('2026-11-22T08:00:00Z') + ms);
const instant = fc.tuple(moment, fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-23:59')).map(written);

function written([ms, offset]: readonly [number, string]): string {
  const [hours = 0, minutes = 0] = offset.length === 1 ? [] : offset.slice(1).split(':').map(Number);
  const minutesAhead = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  return new Date(ms + minutesAhead * 60_000).toISOString().replace('Z', offset);
}

const times = fc
  .tuple(moment, moment, fc.constantFrom('Z', '+05:30'))
  .map(([a, b, offset]) => [written([Math.min(a, b), offset]), written([Math.max(a, b), offset])] as const);

const money = fc.constantFrom(0, 1, 12.5, 0.000001, 999_999_999.999999, 1_000_000_000, 1e-6);
const quantity = fc.constantFrom(1, 0.5, 0.000001, 1_000_000_000);

const optional = <T extends Record<string, unknown>, R extends keyof T>(
  model: { [K in keyof T]: fc.Arbitrary<T[K]> },
  requiredKeys: R[],
) => fc.record(model, { requiredKeys });

const settlement = fc.oneof(
  fc.record({ currency: fc.constant('USD') }),
  fc.record({
    currency: fc.constantFrom('EUR', 'ABCDEFGHIJ'),
    usd_rate: fc.constantFrom(0.9876, 0.000000000001, 1),
  }),
);

const dispute = fc.oneof(
  fc.record({ status: fc.constant('open') }),
  fc.record({
    status: fc.constant('resolved'),
    ruling: fc.constantFrom('upheld', 'rejected', 'split', 'withdrawn'),
    resolved_at: instant,
  }),
);

const sla = fc.oneof(
  fc.record({ metric: fc.constant('success_rate'), target: fc.constantFrom(0, 0.95, 1) }),
  fc.record({ metric: fc.constant('latency_p95_ms'), target: count }),
);

const merged = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((objects) => Object.assign({}, ...objects));

/** The extension `market` with each of its statements. */
export const market = optional(
  {
    schema: fc.constant('counterfoil-market/1'),
    capability: slug,
    sector: fc.constantFrom('build', 'know', 'serve', 'transact'),
    vendor: printable,
    counterparty: printable,
    segment: printable,
    workflow: optional({ id: printable, name: printable, step: printable }, ['id', 'name']),
    outcome: optional({ value_usd: money, baseline_cost_usd: money, accepted: fc.boolean() }, ['value_usd']),
    settlement: merged(
      optional(
        {
          invoice_id: printable,
          direction: fc.constantFrom('receivable', 'payable'),
          rail: fc.constantFrom('card', 'ach', 'sepa', 'wire', 'stablecoin', 'onchain', 'internal'),
          amount: money,
          status: fc.constantFrom('initiated', 'settled', 'failed', 'refunded'),
          due_at: instant,
          settled_at: instant,
          counterparty: printable,
        },
        ['invoice_id', 'rail', 'amount', 'status'],
      ),
      settlement,
    ),
    rfq: optional(
      {
        rfq_id: printable,
        capability: slug,
        quantity,
        max_unit_price_usd: money,
        expires_at: instant,
        status: fc.constantFrom('open', 'filled', 'expired', 'cancelled'),
      },
      ['rfq_id', 'capability', 'quantity', 'expires_at', 'status'],
    ),
    quote: fc.record({
      quote_id: printable,
      rfq_id: printable,
      unit_price_usd: money,
      quantity,
      valid_until: instant,
    }),
    fill: merged(
      fc.record({
        fill_id: printable,
        capability: slug,
        quantity,
        unit_price_usd: money,
        side: fc.constantFrom('buy', 'sell'),
        counterparty: printable,
      }),
      fc.constantFrom({}, { rfq_id: 'r', quote_id: 'q' }, { auction_id: 'a' }, { forward_id: 'f' }),
    ),
    auction: optional(
      {
        auction_id: printable,
        capability: slug,
        type: fc.constantFrom('english', 'dutch', 'first_price', 'second_price'),
        quantity,
        reserve_usd: money,
        closes_at: instant,
        status: fc.constantFrom('open', 'cleared', 'failed'),
        bids: count,
        clearing_price_usd: money,
      },
      ['auction_id', 'capability', 'type', 'quantity', 'closes_at', 'status'],
    ),
    forward: fc.record({
      forward_id: printable,
      capability: slug,
      quantity,
      unit_price_usd: money,
      delivery_at: instant,
      status: fc.constantFrom('open', 'delivered', 'defaulted', 'cancelled'),
    }),
    sla: merged(
      fc.record({
        sla_id: printable,
        capability: slug,
        penalty_usd: money,
        period_start: fc.constant('2026-11-01T00:00:00Z'),
        period_end: fc.constant('2026-12-01T00:00:00Z'),
      }),
      sla,
    ),
    dispute: merged(
      optional(
        {
          case_id: printable,
          tier: fc.constantFrom('automated', 'panel', 'appeal'),
          claim_type: fc.constantFrom('non_delivery', 'quality', 'late', 'overcharge', 'scope', 'fraud', 'other'),
          claimant: printable,
          respondent: printable,
          opened_at: instant,
          award_usd: money,
          cites: fc.array(printable, { maxLength: 20 }),
        },
        ['case_id', 'tier', 'claim_type', 'claimant', 'respondent', 'opened_at'],
      ),
      dispute,
    ),
  },
  ['schema'],
);

const toolCall = optional(
  {
    tool: anyText,
    ok: fc.boolean(),
    input_hash: hexDigits(64),
    output_hash: hexDigits(64),
    latency_ms: count,
  },
  ['tool', 'ok'],
);

const attestation = fc
  .tuple(fc.constantFrom('jws', 'dsse', ''), fc.jsonValue({ maxDepth: 3 }))
  .filter(([, value]) => !JSON.stringify(value).includes('\\u'))
  .map(([type, value]) => ({ type, value }));

/** A receipt that follows the schema: its named members. */
export const receipt = fc
  .tuple(
    times,
    optional(
      {
        receipt_id: printable,
        account_id: fc.uuid(),
        agent_handle: fc.constantFrom('@ab', '@triage-bot', `@${'0'.repeat(32)}`),
        platform: fc.constantFrom(...fixedPlatforms, 'vendor_platform_1', 'vendor_platform_6'),
        model: anyText,
        session_id: anyText,
        parent_session_id: anyText,
        trace_id: hexDigits(32),
        span_id: hexDigits(16),
        parent_span_id: hexDigits(16),
        status: fc.constantFrom(...taskStatuses),
        task_summary: anyText,
        tool_calls: fc.array(toolCall, { maxLength: 4 }),
        tokens: optional({ input: count, output: count, cache_read: count, cache_write: count }, []),
        cost_usd: fc.constantFrom(0, 0.0125, 1e-7, 1_000_000, 1e21),
        declared_scope: fc.array(anyText, { maxLength: 4 }),
        attestations: fc.array(attestation, { maxLength: 3 }),
        market,
      },
      ['receipt_id', 'agent_handle', 'platform', 'status'],
    ),
  )
  .map(([[started_at, ended_at], members]) => ({ ...members, started_at, ended_at }));
