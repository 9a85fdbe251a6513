import type { Market } from '../../contracts/market.js';
import { taskReceipt } from '../http/task-receipt.js';
import type { LinkRequest, MarketService, Participant } from './served.js';

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const iso = (ms: number): string => new Date(ms).toISOString();

export type Members = Omit<Market, 'schema'>;
export type Feeds = Readonly<Record<string, string>>;

/** The names and ids that the honest workspaces use. An attacker reads most of them in the feeds. */
export const ids = {
  rfq: 'request-1',
  quote: 'quote-1',
  fill: 'fill-1',
  auction: 'auction-1',
  forward: 'forward-1',
  sla: 'level-1',
  invoice: 'invoice-1',
  case: 'case-1',
  ownCase: 'case-2',
  run: 'run-1',
  workflow: 'Weekly report',
} as const;
export const capabilities = { review: 'code-review', search: 'web-search' } as const;
export const names = { vendors: ['Acme', 'Byte'], buyers: ['Bank', 'Shop'], segment: 'retail' } as const;

/** Two workspaces that trade with each other. Each has an identity, which was linked with proof, and another handle. */
export interface Honest {
  readonly ann: Participant;
  readonly ben: Participant;
  readonly links: Readonly<Record<'ann' | 'ben', LinkRequest>>;
  readonly tags: readonly [string, string];
  /** As the feeds name them. */
  readonly agents: readonly string[];
  readonly hashes: ReadonlySet<string>;
  /** The day that has closed. */
  readonly closedDay: string;
  /** The first moment at which all of this is in the feeds. */
  readonly t: number;
}

/** A receipt of a task that ended now and took a second. */
export function receiptAt(ms: number, market: Members, more: object = {}) {
  const extension = { schema: 'counterfoil-market/1', ...market };
  const times = { started_at: iso(ms - 1000), ended_at: iso(ms) };
  return taskReceipt({ agent_handle: '@ann', ...times, cost_usd: 0.5, market: extension, ...more });
}

/** Builds an economy of two days, of which the first has closed. Moves the clock by two days. */
export async function honestEconomy(market: MarketService): Promise<Honest> {
  const firstDay = (Math.floor(market.now() / day) + 1) * day;
  const hashes = new Set<string>();
  market.setClock(firstDay + 12 * hour);
  const [ann, ben] = [await market.participant(), await market.participant()];
  await Promise.all([ann.publish(true), ben.publish(true)]);
  const links = { ann: await ann.link('@ann'), ben: await ben.link('@ben') };
  const submit = async (who: Participant, ...receipts: readonly object[]) => {
    const { status, json } = await who.submit(...receipts);
    if (status !== 201) throw new Error(JSON.stringify(json));
    for (const { receipt_hash } of json.data) hashes.add(receipt_hash);
  };
  for (const who of [ann, ben]) await submit(who, ...tasksOf(who === ann, market.now()));

  const secondDay = firstDay + day;
  market.setClock(secondDay + hour + 10_000);
  const closedDay = iso(firstDay).slice(0, 10);
  for (let tries = 0; !(await market.read('/v1/terminal/closes')).includes(closedDay); tries += 1) {
    if (tries === 400) throw new Error('the first day does not close');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  market.setClock(secondDay + 2 * hour);
  const now = market.now();
  await submit(ann, ...tasksOf(true, now), ...statementsOfAnn(now, links.ben.agent_id));
  await submit(ben, ...tasksOf(false, now), ...statementsOfBen(now, links.ben.agent_id));
  const tags = [await tagOf(ann), await tagOf(ben)] as const;
  const agents = [links.ann.agent_id, links.ben.agent_id, `@amy~${tags[0]}`, `@bob~${tags[1]}`];
  const t = Math.floor(market.now() / minute) * minute + minute;
  return { ann, ben, links, tags, agents, hashes, closedDay, t };
}

async function tagOf(who: Participant): Promise<string> {
  return (await (await who.owner()).call('GET', '/v1/workspace')).json.public_tag;
}

/** Four tasks of two agents. One of them fails. */
function tasksOf(isAnn: boolean, now: number) {
  const at = isAnn ? 0 : 1;
  const work: Members = {
    capability: isAnn ? capabilities.review : capabilities.search,
    sector: isAnn ? 'build' : 'know',
    vendor: names.vendors[at] ?? '',
    counterparty: names.buyers[at] ?? '',
  };
  const [linked, other] = isAnn ? ['@ann', '@amy'] : ['@ben', '@bob'];
  return [
    receiptAt(now, work, { agent_handle: linked }),
    receiptAt(now, work, { agent_handle: linked, cost_usd: 0.25 }),
    receiptAt(now, work, { agent_handle: other }),
    receiptAt(now, work, { agent_handle: other, status: 'error' }),
  ];
}

/** Everything that both say of their workflow, service level and invoice. The ids of these belong to each workspace. */
function ownStatements(now: number, capability: string): readonly Members[] {
  const period = { period_start: iso(now - 2 * day), period_end: iso(now - 30 * minute) };
  const workflow = { id: ids.run, name: ids.workflow };
  return [
    { workflow, segment: names.segment },
    { workflow, outcome: { value_usd: 10, baseline_cost_usd: 20 } },
    { sla: { sla_id: ids.sla, capability, metric: 'success_rate', target: 0.9, penalty_usd: 2, ...period } },
  ];
}

const invoice = { invoice_id: ids.invoice, rail: 'ach', currency: 'USD', amount: 100 } as const;
const traded = { fill_id: ids.fill, capability: capabilities.review, quantity: 2, unit_price_usd: 3 } as const;

const caseAgainst = (respondent: string, case_id: string, now: number): NonNullable<Members['dispute']> => ({
  case_id,
  tier: 'panel',
  claim_type: 'quality',
  claimant: 'Bank',
  respondent,
  status: 'resolved',
  opened_at: iso(now - hour),
  ruling: 'upheld',
  award_usd: 5,
});

function statementsOfAnn(now: number, ben: string) {
  const capability = capabilities.review;
  const soon = iso(now + 10 * day);
  const statements: readonly Members[] = [
    ...ownStatements(now, capability),
    { settlement: { ...invoice, status: 'initiated', due_at: iso(now - hour), counterparty: 'Bank' } },
    { rfq: { rfq_id: ids.rfq, capability, quantity: 5, expires_at: soon, status: 'open' } },
    { auction: { auction_id: ids.auction, capability, type: 'english', quantity: 3, closes_at: soon, status: 'open' } },
    {
      forward: {
        forward_id: ids.forward,
        capability,
        quantity: 4,
        unit_price_usd: 2,
        delivery_at: soon,
        status: 'open',
      },
    },
    { fill: { ...traded, rfq_id: ids.rfq, quote_id: ids.quote, side: 'buy', counterparty: 'Byte' } },
    { dispute: caseAgainst(ben, ids.case, now) },
    { dispute: caseAgainst('@amy', ids.ownCase, now) },
  ];
  return statements.map((one) => receiptAt(now, one));
}

function statementsOfBen(now: number, ben: string) {
  const valid_until = iso(now + 9 * day);
  const statements: readonly Members[] = [
    ...ownStatements(now, capabilities.search),
    { settlement: { ...invoice, status: 'settled', settled_at: iso(now - hour), due_at: iso(now - hour) } },
    { quote: { quote_id: ids.quote, rfq_id: ids.rfq, unit_price_usd: 3, quantity: 5, valid_until } },
    { fill: { ...traded, side: 'sell', counterparty: 'Acme' } },
    { dispute: caseAgainst(ben, ids.case, now) },
  ];
  return statements.map((one) => receiptAt(now, one, { agent_handle: '@ben' }));
}
