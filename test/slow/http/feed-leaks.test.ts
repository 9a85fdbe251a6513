import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { found, hidden } from '../../http/leaks.js';
import { all, market as leakyMarket, receipt, values } from '../../http/leaky-receipt.js';
import { publicPlaces } from '../../http/public-places.js';
import { closingWorld, type MarketService, openMarketService, type Participant } from '../../market/served.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const workspaceName = 'Workspace of the numbat';
const symbol = 'LEAK.HUNTING';

/** All that a receipt can state about the market. */
function statements(now: number, agentId: string): readonly object[] {
  const { capability } = leakyMarket;
  const [soon, ago] = [new Date(now + hour).toISOString(), new Date(now - hour).toISOString()];
  const work = { capability, quantity: 2, unit_price_usd: 3 };
  const dispute = { tier: 'panel', claim_type: 'quality', claimant: 'Bank', respondent: agentId, opened_at: ago };
  return [
    { rfq: { rfq_id: 'request', capability, quantity: 2, expires_at: soon, status: 'open' } },
    { quote: { quote_id: 'quote', rfq_id: 'request', unit_price_usd: 3, quantity: 2, valid_until: soon } },
    { fill: { fill_id: 'fill', ...work, side: 'buy', counterparty: 'Byte' } },
    { auction: { auction_id: 'auction', capability, type: 'dutch', quantity: 2, closes_at: soon, status: 'open' } },
    { forward: { forward_id: 'forward', ...work, delivery_at: soon, status: 'open' } },
    {
      sla: {
        sla_id: 'level',
        capability,
        metric: 'success_rate',
        target: 1,
        penalty_usd: 1,
        period_start: ago,
        period_end: soon,
      },
    },
    { dispute: { case_id: 'case', ...dispute, status: 'resolved', ruling: 'upheld' } },
    { sector: 'serve', segment: 'retail', outcome: { value_usd: 5, baseline_cost_usd: 3 } },
  ];
}

/** Public receipts that count in every feed and in a close, and that have all private fields. */
describe('no private field of a public receipt leaks', () => {
  const count = statements(0, '').length;
  let market: MarketService;
  let participant: Participant;
  let secrets: ReturnType<typeof hidden>;
  let ids: { readonly agentId: string; readonly receipt: string };
  let feeds: Readonly<Record<string, string>>;
  let firstDay = 0;
  let t = 0;

  beforeAll(async () => {
    market = await openMarketService({ ANCHOR_INTERVAL: '168h' }, closingWorld);
    firstDay = (Math.floor(market.now() / day) + 1) * day;
    market.setClock(firstDay + 22 * hour);
    participant = await market.participant();
    secrets = [...all, ...hidden({ 'workspace id': participant.workspaceId, 'workspace name': workspaceName })];
    const named = await (await participant.owner()).call('PATCH', '/v1/workspace', { name: workspaceName });
    expect(named.status).toBe(200);
    await participant.publish(true);
    const { agent_id: agentId } = await participant.link('@leaky');
    const now = market.now();
    const times = { started_at: new Date(now - 1000).toISOString(), ended_at: new Date(now).toISOString() };
    const { status, json } = await participant.submit(
      ...statements(now, agentId).map((members, at) =>
        receipt({
          receipt_id: `${values.receipt_id} ${at}`,
          ...times,
          cost_usd: 0.5,
          market: { ...leakyMarket, ...members },
        }),
      ),
    );
    expect([status, json.error]).toEqual([201, undefined]);
    ids = { agentId, receipt: json.data[0]?.id ?? '' };
    market.setClock(firstDay + day + hour + 10_000);
    const { json: own } = await (await participant.owner()).call('GET', `/v1/receipts/${ids.receipt}`);
    // The search finds each private text where it is shown.
    expect(found(all, JSON.stringify(own))).toEqual(Object.keys(values));
    for (let tries = 0; !(await market.read('/v1/terminal/closes')).includes('facts_hash'); tries += 1) {
      if (tries === 400) throw new Error('the day does not close');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    t = Math.floor(market.now() / minute) * minute + minute;
    feeds = await market.feedsAt(t);
  });
  afterAll(() => market.stop());

  const feed = (name: string) => JSON.parse(feeds[name] ?? '');
  const address = () => market.service.app.server.listeningOrigin;

  it('from receipts that count in every feed and in the close of their day', async () => {
    expect(feed('terminal').tickers).toMatchObject([{ symbol, volume_24h: count }]);
    expect(feed('terminal').counterparties).toHaveLength(2);
    expect(feed('discovery').tape).toHaveLength(count);
    expect(feed('standards/disputes').cases).toMatchObject([{ respondent: ids.agentId, ruling: 'upheld' }]);
    for (const list of ['rfqs', 'fills', 'auctions', 'forwards', 'sla_instruments', 'routing']) {
      expect([list, feed('trading')[list].length]).toEqual([list, 1]);
    }
    expect(feed('trading').rfqs).toMatchObject([{ quotes: 1 }]);
    expect(feed('treasury').reconciliation).toHaveLength(1);
    expect(feed('attribution')).toMatchObject({ workflows: [{ runs: 1 }], segments: [{ segment: 'retail' }] });
    const closed = await market.read(`/v1/terminal/closes/${new Date(firstDay).toISOString().slice(0, 10)}`);
    expect(JSON.parse(closed).receipts).toBe(count);
  });

  // @covers FEEDS-LEAKS TASK-LEAKS-PUBLIC
  it('in any public answer or header: feeds with and without filters, closes and widgets', async () => {
    const close = `/v1/terminal/closes/${new Date(firstDay).toISOString().slice(0, 10)}`;
    const [{ receipt_id: closing }] = JSON.parse(await market.read('/v1/terminal/closes')).data;
    const paths = [
      ...Object.keys(feeds).map((name) => `/v1/${name}`),
      '/v1/terminal/closes',
      close,
      `/v1/registry/receipts/${closing}`,
      `/v1/registry/receipts/${closing}/proof`,
      ...['q=leak', 'q=sdk', 'sector=serve', 'capability=leak-hunting', 'verified=false', 'verified=true'].map(
        (query) => `/v1/discovery?${query}`,
      ),
      ...['claim_type=quality', 'tier=panel', 'ruling=upheld', `respondent=${ids.agentId}`].map(
        (query) => `/v1/standards/disputes?${query}`,
      ),
      ...['dark', 'light'].flatMap((theme) => [
        `/v1/embed/ticker.svg?symbol=${symbol}&theme=${theme}`,
        `/v1/embed/composite.svg?theme=${theme}`,
      ]),
    ];
    for (const path of [...paths, ...publicPlaces(ids.agentId, [ids.receipt, closing], firstDay)]) {
      const response = await fetch(`${address()}${path}`, { redirect: 'manual' });
      const whole = `${await response.text()}\n${JSON.stringify([...response.headers])}`;
      expect([path, found(secrets, whole)]).toEqual([path, []]);
      if (paths.includes(path)) expect([path, response.status]).toEqual([path, 200]);
    }
  });

  // @covers FEEDS-LEAKS
  it('by a search of the directory or a filter of cases, which find no private text', async () => {
    for (const text of [...Object.values(values), participant.workspaceId, workspaceName]) {
      const query = new URLSearchParams({ q: text.slice(0, 200) });
      const { agents, vendors } = JSON.parse(await market.read(`/v1/discovery?${query}`));
      expect([text, agents, vendors]).toEqual([text, [], []]);
      const respondent = new URLSearchParams({ respondent: text.slice(0, 128) });
      const { cases } = JSON.parse(await market.read(`/v1/standards/disputes?${respondent}`));
      expect([text, cases]).toEqual([text, []]);
    }
  });

  // @covers FEEDS-LEAKS
  it('in the stream, also with an alert on the ticker of these receipts', async () => {
    const owner = await participant.owner();
    const alert = { scope: 'ticker', target: symbol, metric: 'volume_24h', op: '>', value: 0 };
    expect((await owner.call('POST', '/v1/terminal/alerts', alert)).status).toBe(201);
    const streams = [await listen({ cookie: owner.cookie() }), await listen({})];
    await market.feedsAt(t + minute);
    const isThere = () =>
      streams.every(({ text }) => text().includes('event: terminal')) && streams[0]?.text().includes('event: alert');
    for (let tries = 0; tries < 4800 && !isThere(); tries += 1) await new Promise((next) => setTimeout(next, 25));
    expect(isThere()).toBe(true);
    for (const { text, close } of streams) {
      close();
      expect(found(secrets, text())).toEqual([]);
    }
  });

  async function listen(headers: Record<string, string>) {
    const aborting = new AbortController();
    const response = await fetch(`${address()}/v1/terminal/stream`, { headers, signal: aborting.signal });
    let all = JSON.stringify([...response.headers]);
    const reading = async () => {
      const decoder = new TextDecoder();
      for await (const part of response.body ?? []) all += decoder.decode(part, { stream: true });
    };
    reading().catch(() => undefined);
    return { text: () => all, close: () => aborting.abort() };
  }
});
