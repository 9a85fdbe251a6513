import { createHash } from 'node:crypto';
import { type Market, marketSchema } from '../../contracts/market.js';
import { namedTask } from '../../contracts/task-receipt.js';
import { type PublicReceipt, publicReceiptOf } from '../../src/domain/market/state/receipt.js';
import { publicationOf } from '../../src/domain/task/publication.js';
import { economyTags, type TaskLink } from './economy.js';
import { type Random, random } from './random.js';
import { names } from './stated.js';

export interface DeskEconomy {
  readonly entries: readonly TaskLink[];
  readonly receipts: readonly PublicReceipt[];
  readonly untilMs: number;
}

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
export const startMs = Date.UTC(2026, 5, 1, 22, 30);
const capabilities = ['code-review', 'search'];
const workspaces = ['0', '1', '2', '3'].map((digit) => `0199a5c7-0000-7000-8000-00000000000${digit}`);
const identities = ['a', 'b'].map((letter) => `agn_${letter.repeat(32)}`);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A receipt as it is in the chain of one of a few workspaces. */
export function deskLink(at: {
  readonly workspace: number;
  readonly seq: number;
  readonly recorded: number;
  readonly ended: number | string;
  readonly market: Omit<Market, 'schema'>;
  readonly task?: object;
  readonly identity?: string;
}): TaskLink {
  const workspace_id = workspaces[at.workspace] ?? '';
  const ended_at = typeof at.ended === 'string' ? at.ended : new Date(at.ended).toISOString();
  const task = namedTask.parse({
    receipt_id: `${at.workspace}-${at.seq}`,
    agent_handle: '@ann',
    platform: 'sdk',
    started_at: ended_at,
    ended_at,
    status: 'success',
    market: { schema: marketSchema, ...at.market },
    ...at.task,
  });
  const identity = at.identity === undefined ? undefined : { agentId: at.identity, vendor: null };
  const hash = hashOf(`${at.workspace} ${at.seq}`);
  const entry: TaskLink['entry'] = {
    v: 1,
    workspace_id,
    seq: at.seq,
    receipt_id: `rcp_${at.seq.toString(16).padStart(32, '0')}`,
    kind: 'task',
    recorded_at: new Date(at.recorded).toISOString(),
    actor: { type: 'key', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
    body: {
      task,
      scope_violations: null,
      content_commitment: null,
      sent_digest: '0'.repeat(64),
      attestation_checks: [],
      publication: publicationOf(economyTags.workspace(workspace_id), task, identity),
    },
    prev_hash: '0'.repeat(64),
  };
  return { entry, hash };
}

export const receiptsOf = (links: readonly TaskLink[]): PublicReceipt[] =>
  links.flatMap(({ entry, hash }) => publicReceiptOf(entry, hash, economyTags) ?? []);

/** Three days in which four workspaces state much about few objects, and re-use each other's ids. */
export function deskEconomy(seed: number, count: number): DeskEconomy {
  const values = random(seed);
  const seqs = workspaces.map(() => 0);
  let now = startMs;
  const entries = Array.from({ length: count }, () => {
    now += values.chance(0.1) ? 0 : values.whole((6 * day) / count);
    const workspace = values.whole(workspaces.length);
    const seq = (seqs[workspace] ?? 0) + 1;
    seqs[workspace] = seq;
    const ended = endOf(values, now);
    return deskLink({
      workspace,
      seq,
      recorded: now,
      ended: written(values, ended),
      market: marketOf(values, ended),
      task: taskOf(values, ended),
      ...(values.chance(0.3) ? { identity: values.pick(identities) } : {}),
    });
  });
  return { entries, receipts: receiptsOf(entries), untilMs: now };
}

/** Sometimes after the clock, sometimes weeks before it, and often on the edge of a minute. */
function endOf({ chance, whole, pick }: Random, now: number): number {
  if (chance(0.05)) return now + whole(5 * minute);
  if (chance(0.05)) return now - whole(40 * day);
  const ended = now - whole(20 * hour);
  return chance(0.3) ? ended - (ended % pick([minute, day])) : ended;
}

/** A time with any offset and with finer digits, which are cut. */
function written({ pick }: Random, ms: number): string {
  const utc = (shown: number) => new Date(shown).toISOString().slice(0, -1);
  return pick([`${utc(ms)}Z`, `${utc(ms)}9999Z`, `${utc(ms + 5.5 * hour)}01+05:30`, `${utc(ms - 9 * hour)}-09:00`]);
}

const taskOf = ({ pick, whole, chance }: Random, ended: number) => ({
  agent_handle: pick(['@ann', '@bob', '@cyd']),
  started_at: new Date(ended - whole(10 ** (1 + whole(6)))).toISOString(),
  status: pick(['success', 'success', 'partial', 'error', 'tool_denied']),
  ...(chance(0.7) ? { cost_usd: pick([0, 0.1, 0.0000015, 2.5, whole(1e8) / 1e8]) } : {}),
});

const money = ({ pick, whole }: Random): number => pick([0, 0.000001, 2.5, whole(1e9) / 1e6]);

function marketOf(values: Random, ended: number): Omit<Market, 'schema'> {
  const { pick, whole, chance } = values;
  const later = (most: number) => written(values, ended + whole(most));
  const capability = pick(capabilities);
  const quantity = pick([1, 2.5, 0.000001]);
  const statements: readonly (() => Omit<Market, 'schema'>)[] = [
    () => ({}),
    () => ({
      rfq: {
        rfq_id: `r${whole(8)}`,
        capability,
        quantity,
        ...(chance(0.5) ? { max_unit_price_usd: money(values) } : {}),
        expires_at: later(4 * day),
        status: pick(['open', 'open', 'open', 'filled']),
      },
    }),
    () => ({
      quote: {
        quote_id: `q${whole(20)}`,
        rfq_id: `r${whole(8)}`,
        unit_price_usd: money(values),
        quantity,
        valid_until: later(3 * day),
      },
    }),
    () => ({
      fill: {
        fill_id: `f${whole(12)}`,
        ...pick([{}, { rfq_id: 'r1' }, { auction_id: 'a1' }, { forward_id: 'w1', quote_id: 'q1' }]),
        capability,
        quantity: pick([1, 2.5]),
        unit_price_usd: 12.345678,
        side: pick(['buy', 'sell']),
        counterparty: pick([...names, '  ']),
      },
    }),
    () => ({
      auction: {
        auction_id: `a${whole(5)}`,
        capability,
        type: 'dutch',
        quantity,
        closes_at: later(day),
        status: pick(['open', 'cleared']),
        ...(chance(0.5) ? { bids: whole(9), reserve_usd: money(values), clearing_price_usd: money(values) } : {}),
      },
    }),
    () => ({
      forward: {
        forward_id: `w${whole(5)}`,
        capability,
        quantity,
        unit_price_usd: money(values),
        delivery_at: later(30 * day),
        status: pick(['open', 'delivered']),
      },
    }),
    () => ({ sla: slaOf(values, ended, capability) }),
    () => ({ settlement: settlementOf(values, ended) }),
  ];
  const counterparty = chance(0.5) ? { counterparty: pick(names) } : {};
  return { capability, ...counterparty, ...pick(statements)(), ...pick(statements)() };
}

function slaOf(values: Random, ended: number, capability: string): NonNullable<Market['sla']> {
  const { pick, whole } = values;
  const start = ended - whole(2 * day);
  return {
    sla_id: `s${whole(4)}`,
    capability,
    ...pick([
      { metric: 'latency_p95_ms' as const, target: whole(100_000) },
      { metric: 'success_rate' as const, target: pick([0.25, 0.333333, 0.5, 0.6666666667]) },
    ]),
    penalty_usd: money(values),
    period_start: written(values, start),
    period_end: written(values, start + hour + whole(3 * day)),
  };
}

function settlementOf(values: Random, ended: number): NonNullable<Market['settlement']> {
  const { pick, whole, chance } = values;
  return {
    invoice_id: `i${whole(10)}`,
    ...(chance(0.6) ? { direction: pick(['receivable', 'payable'] as const) } : {}),
    rail: pick(['card', 'ach', 'sepa']),
    amount: money(values),
    ...pick([{ currency: 'USD' }, { currency: 'USD', usd_rate: 3 }, { currency: 'EUR', usd_rate: 1.080000000001 }]),
    status: pick(['initiated', 'settled', 'failed', 'refunded']),
    ...(chance(0.6) ? { due_at: written(values, ended + whole(3 * day) - day) } : {}),
    ...(chance(0.4) ? { settled_at: written(values, ended + whole(3 * day) - 2 * day) } : {}),
    ...(chance(0.5) ? { counterparty: pick([...names, '  ']) } : {}),
  };
}
