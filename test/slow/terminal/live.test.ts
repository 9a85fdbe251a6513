import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../../http/person.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { cutToMinute } from '../../market/live.js';
import { type MarketService, openMarketService, type Participant } from '../../market/served.js';

/** The account of the terminal and the widgets beside the feeds of a whole service. */

const [minute, day] = [60_000, 86_400_000];
let market: MarketService;
let workspace: Participant;

beforeAll(async () => {
  market = await openMarketService();
  workspace = await market.participant();
  await workspace.publish(true);
});
afterAll(() => market.stop());

const task = (cost_usd: number) => {
  const ended = new Date(market.now() - minute);
  const times = { started_at: new Date(ended.getTime() - 1500).toISOString(), ended_at: ended.toISOString() };
  const own = { schema: 'counterfoil-market/1', capability: 'code-review', vendor: 'Acme' };
  return taskReceipt({ ...times, cost_usd, market: own });
};
const setAlert = async (person: Person, condition: object) => {
  const { status, json } = await person.call('POST', '/v1/terminal/alerts', condition);
  expect(status).toBe(201);
  return json;
};
const terminalAt = async (t: number) => JSON.parse((await market.feedsAt(t)).terminal ?? '');
/** The alerts of a person, once all of them were checked with figures. */
async function checked(person: Person) {
  for (let tries = 0; tries < 2400; tries += 1) {
    const { json } = await person.call('GET', '/v1/terminal/alerts');
    if (json.every(({ last_checked_at: at }: { last_checked_at: string | null }) => at !== null)) return json;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error('the alerts are not checked');
}

// @covers TERM-ALERT-CHECKED TERM-ALERT-FIRES TERM-WIDGET-CONTENT
it('compares alerts with the figures of the feed, and draws them', async () => {
  const { status, json } = await workspace.submit(task(0.25), task(0.5), task(0.123457));
  expect([status, json.error]).toEqual([201, undefined]);
  const terminal = await terminalAt(cutToMinute(market.now()) + minute);
  const [ticker] = terminal.tickers;
  const owner = await workspace.owner();
  await setAlert(owner, { scope: 'ticker', target: 'CODE.REVIEW', metric: 'price_usd', op: '>', value: 0.2 });
  await setAlert(owner, { scope: 'vendor', target: 'Acme', metric: 'tasks_24h', op: '<', value: 0 });
  const { handle, tag } = terminal.agents[0];
  await setAlert(owner, { scope: 'agent', target: `${handle}~${tag}`, metric: 'trust', op: '>', value: 0 });
  await setAlert(owner, { scope: 'index', target: 'CFX', metric: 'value', op: '>', value: 0 });
  const [price, tasks, trust, index] = await checked(owner);
  expect(price).toMatchObject({ state: 'fired', last_value: ticker.price_usd });
  expect(tasks).toMatchObject({ state: 'waiting', last_value: 3 });
  expect(trust).toMatchObject({ state: 'fired', last_value: terminal.agents[0].trust });
  expect(index).toMatchObject({ state: 'no_data', last_value: null, last_fired_at: null });
  const svg = await market.read('/v1/embed/ticker.svg?symbol=CODE.REVIEW');
  expect(svg).toContain(`price ${ticker.price_usd} US dollars, change unknown, tasks in 24 hours 3, as of `);
  expect(svg).toContain(terminal.summary.as_of);
  expect(await market.read('/v1/embed/ticker.svg?symbol=NEVER.TRADED')).toContain('not traded in 30 days');
  expect(await market.read('/v1/embed/composite.svg')).toContain('no data yet');
});

// @covers TERM-ALERT-ONCE TERM-WIDGET-CONTENT
it('has the index after its first close, and fires its alert then', async () => {
  const tomorrow = (Math.floor(market.now() / day) + 1) * day;
  market.setClock(tomorrow + 3_600_000 + 10_000);
  let closes: readonly unknown[] = [];
  for (let tries = 0; tries < 2400 && closes.length === 0; tries += 1) {
    closes = JSON.parse(await market.read('/v1/terminal/closes')).data;
    await new Promise((next) => setTimeout(next, 50));
  }
  const terminal = await terminalAt(cutToMinute(market.now()) + minute);
  const [composite] = terminal.indices;
  expect(composite).toMatchObject({ id: 'CFX', value: expect.any(Number), change_pct: expect.any(Number) });
  const owner = await workspace.owner();
  let index: { state?: string } = {};
  for (let tries = 0; tries < 2400 && index.state !== 'fired'; tries += 1) {
    index = (await owner.call('GET', '/v1/terminal/alerts')).json[3];
    await new Promise((next) => setTimeout(next, 50));
  }
  expect(index).toMatchObject({ state: 'fired', last_value: expect.any(Number) });
  const svg = await market.read('/v1/embed/composite.svg');
  expect(svg).toContain(
    `Composite index ${composite.value}, change of the day ${composite.change_pct} percent, as of ${terminal.summary.as_of}.`,
  );
  expect(svg).not.toContain('<path');
  const fired = await market.service.app.database.read((tx) =>
    tx.query<{ alerts: number; firings: number }>(
      'select count(distinct alert_id)::int as alerts, count(*)::int as firings from firings',
    ),
  );
  expect(fired).toEqual([{ alerts: 3, firings: 3 }]);
});
