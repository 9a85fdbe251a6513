import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkProof } from '../../../src/domain/identity/proof.js';
import { newHolder } from '../../domain/identity/holder.js';
import {
  capabilities,
  day,
  type Feeds,
  type Honest,
  honestEconomy,
  hour,
  ids,
  minute,
  names,
  receiptAt,
} from '../../market/honest.js';
import { hostileStatements } from '../../market/hostile.js';
import { type Rows, rowsOf } from '../../market/owned-rows.js';
import { closingWorld, type MarketService, openMarketService, type Participant } from '../../market/served.js';

/**
 * Hostile workspaces publish what could harm others, over HTTP. After each attack the rows that belong to the honest workspaces
 * are those of before. Sums over all workspaces, such as the volume of a capability in which anyone may work, or the figures of
 * a vendor whose name anyone may write, are compared only where the attack does not name the capability or the vendor.
 * The attacks add up: each test compares with the economy before the first attack.
 */
describe('a hostile workspace', () => {
  let market: MarketService;
  let honest: Honest;
  let mallory: Participant;
  let find: (feeds: Feeds) => Rows;
  let before: Feeds;
  let records: readonly unknown[];
  let t = 0;

  beforeAll(async () => {
    market = await openMarketService({ ANCHOR_INTERVAL: '168h' }, closingWorld);
    honest = await honestEconomy(market);
    mallory = await market.participant();
    await mallory.publish(true);
    t = honest.t;
    before = await market.feedsAt(t);
    find = rowsOf(honest, before);
    records = await readRecords();
  });
  afterAll(() => market.stop());

  const receipt = (members: Parameters<typeof receiptAt>[1], more: object = {}) =>
    receiptAt(market.now(), members, more);
  const receiptsIn = (feeds: Feeds): number => JSON.parse(feeds.terminal ?? '').summary.evidence.receipts;
  const nextMinute = () => {
    t += minute;
    return market.feedsAt(t);
  };
  let last: Feeds | undefined;

  /** Publishes receipts. @returns the first feeds of which they are a part */
  async function attack(...receipts: readonly object[]): Promise<Feeds> {
    const { status, json } = await mallory.submit(...receipts);
    expect([status, json.error]).toEqual([201, undefined]);
    const after = await nextMinute();
    expect(receiptsIn(after)).toBe(receiptsIn(last ?? before) + receipts.length);
    last = after;
    return after;
  }

  /** The records of the identities, without the checkpoint that covers their issuance. */
  const readRecords = () =>
    Promise.all(
      Object.values(honest.links).map(async ({ agent_id }) => {
        const { ledger_anchor, ...record } = JSON.parse(await market.read(`/v1/agent-id?id=${agent_id}`));
        return record;
      }),
    );

  async function expectSame(after: Feeds): Promise<void> {
    expect(find(after).own).toEqual(find(before).own);
    expect(await readRecords()).toEqual(records);
  }
  const expectSameWithSums = async (after: Feeds) => {
    await expectSame(after);
    expect(find(after).shared).toEqual(find(before).shared);
  };

  it('finds honest workspaces that have rows in each list', () => {
    const { own, shared } = find(before);
    const empty = Object.entries({ ...own, ...shared }).filter(([, rows]) => rows.length === 0);
    expect(empty).toEqual([]);
    expect(own['trading fills']).toMatchObject([{ state: 'confirmed' }]);
    expect(own['terminal agents']).toHaveLength(4);
    expect(own['standards/disputes cases']).toMatchObject([{ trust_impact: -3.705835 }, { trust_impact: -0.750195 }]);
    expect(own['terminal indices']?.[0]).toMatchObject({ history: [{ day: honest.closedDay, value: 1000 }] });
    expect(records).toMatchObject([{ handle: '@ann' }, { operating_history: { disputes: { lost: 1 } } }]);
  });

  // @covers ATTACK-IDS
  it('changes no object by stating its id again: requests, quotes, auctions and forwards', async () => {
    const { objects } = hostileStatements(market.now());
    await expectSameWithSums(await attack(...objects.map((one) => receipt(one))));
  });

  // @covers ATTACK-IDS
  it('is no side of a fill that two others have confirmed', async () => {
    const fees = (feeds: Feeds) => JSON.parse(feeds.trading ?? '').summary.fees_24h;
    // Of each workspace the newest statement counts, so each is tried alone.
    for (const one of hostileStatements(market.now()).fills) {
      const after = await attack(receipt(one));
      await expectSameWithSums(after);
      expect(fees(after)).toBe(fees(before));
    }
  });

  // @covers ATTACK-IDS
  it('has invoices, service levels and workflows of its own under the ids and names of others', async () => {
    const { ofWorkspace } = hostileStatements(market.now());
    const after = await attack(...ofWorkspace.map((one) => receipt(one)));
    await expectSameWithSums(after);
    const { workflows, summary } = JSON.parse(after.attribution ?? '');
    expect([workflows.length, summary.workflows]).toEqual([3, 3]);
    expect(JSON.parse(after.treasury ?? '').reconciliation).toHaveLength(3);
    expect(JSON.parse(after.trading ?? '').sla_instruments).toHaveLength(3);
  });

  // @covers ATTACK-CASES
  it('does not change a case by stating it again, and may cite it', async () => {
    const { cases } = hostileStatements(market.now());
    const after = await attack(...cases.map((one) => receipt(one)));
    await expectSameWithSums(after);
    // That a case is cited is the only thing that others write into its row.
    const [cited] = JSON.parse(after['standards/disputes'] ?? '').cases.filter(
      ({ case_id }: { case_id: string }) => case_id === ids.case,
    );
    expect(cited.cited_by).toEqual(['hostile-citing']);
  });

  // @covers ATTACK-CASES
  it('accuses agents of others without effect, by handle, by identity and by the name in the feeds, twice', async () => {
    const accused = ['@ann', '@amy', '@ben', '@bob', ...honest.agents];
    const { accusations } = hostileStatements(market.now());
    const stated = accusations(accused);
    // Another handle of the same workspace does not make the case count.
    const after = await attack(
      ...stated.map((one) => receipt(one)),
      ...stated.map((one) => receipt(one, { agent_handle: '@mal' })),
    );
    await expectSameWithSums(after);
    const { cases } = JSON.parse(after['standards/disputes'] ?? '');
    const against = new Set(cases.map(({ respondent }: { respondent: string }) => respondent));
    expect(accused.filter((one) => !against.has(one))).toEqual([]);
  });

  // @covers ATTACK-IDENTITY
  it('adds nothing to an identity that it links without a proof, with a wrong one or with the proof of another', async () => {
    const owner = await mallory.owner();
    const own = newHolder('Ed25519');
    for (const { agent_id, handle, proof } of Object.values(honest.links)) {
      const { challenge } = (await market.service.call('GET', '/v1/agent-id/challenge')).json;
      const signature = own.sign(linkProof(agent_id, challenge, mallory.workspaceId, handle));
      const wrong = await owner.call('POST', '/v1/agents', { agent_id, handle, proof: { challenge, signature } });
      expect([wrong.status, wrong.json.error.code]).toEqual([400, 'invalid_proof']);
      const replayed = await owner.call('POST', '/v1/agents', { agent_id, handle, proof });
      expect([replayed.status, ['invalid_proof', 'challenge_expired']]).toEqual([
        400,
        expect.arrayContaining([replayed.json.error.code]),
      ]);
      const unproved = await owner.call('POST', '/v1/agents', { agent_id, handle });
      expect([unproved.status, unproved.json.proved]).toEqual([201, false]);
    }
    const after = await attack(
      ...['@ann', '@ben'].map((agent_handle) => receipt({ capability: 'noise' }, { agent_handle, status: 'error' })),
    );
    await expectSameWithSums(after);
  });

  // @covers ATTACK-HANDLES
  it('has agents of its own under the handles of others, with failures, refusals and calls out of scope', async () => {
    const bad = { declared_scope: [], tool_calls: [{ tool: 'shell', ok: false }] };
    const statuses = ['error', 'tool_denied', 'partial'] as const;
    const after = await attack(
      ...['@ann', '@amy', '@ben', '@bob'].flatMap((agent_handle) =>
        statuses.map((status) => receipt({ capability: 'noise' }, { agent_handle, status, ...bad })),
      ),
    );
    await expectSameWithSums(after);
    const { agents } = JSON.parse(after.terminal ?? '');
    expect(agents.filter(({ handle }: { handle: string }) => handle === '@amy')).toHaveLength(2);
  });

  // @covers ATTACK-NAMES
  it('works under the names of vendors and buyers of others, which changes the rows of these names only', async () => {
    const [vendor = '', counterparty = ''] = [names.vendors[0], names.buyers[0]];
    const after = await attack(
      receipt({ capability: 'noise', vendor, counterparty, segment: names.segment }, { status: 'error', cost_usd: 9 }),
      receipt({ vendor: ` ${vendor} `, ...hostileStatements(market.now()).unpaid(counterparty) }),
    );
    await expectSame(after);
    const { shared } = find(after);
    for (const list of ['terminal tickers', 'trading routing', 'attribution segments', 'attribution benchmark']) {
      expect([list, shared[list]]).toEqual([list, find(before).shared[list]]);
    }
    const changed = [...names.vendors, ...names.buyers].filter((name) => {
      const rowOf = (rows: Rows) => rows.shared['terminal counterparties']?.find((row) => row.name === name);
      return JSON.stringify(rowOf(find(after))) !== JSON.stringify(rowOf(find(before)));
    });
    expect(changed).toEqual([vendor, counterparty]);
  });

  // @covers ATTACK-BACKDATED
  it('changes no closed level and no sector by tasks of an earlier day', async () => {
    const file = `/v1/terminal/closes/${honest.closedDay}`;
    const closed = await market.read(file);
    const after = await attack(
      ...[hour, 14 * hour, 3 * day, 29 * day].map((back) =>
        receiptAt(market.now() - back, { capability: capabilities.review, sector: 'transact' }, { cost_usd: 1000 }),
      ),
    );
    await expectSame(after);
    expect(await market.read(file)).toBe(closed);
    const { tickers } = JSON.parse(after.terminal ?? '');
    const [review] = tickers.filter(({ capability }: { capability: string }) => capability === capabilities.review);
    expect(review).toMatchObject({ sector: 'build', agents: 3 });
  });

  // @covers ATTACK-COSTS
  it('states costs above 1,000,000, which count as not stated', async () => {
    const money = (feeds: Feeds) => {
      const [terminal, discovery] = [JSON.parse(feeds.terminal ?? ''), JSON.parse(feeds.discovery ?? '')];
      return {
        notional: terminal.summary.notional_24h,
        prices: terminal.tickers.map((row: Record<string, unknown>) => [
          row.symbol,
          row.price_usd,
          row.notional_24h,
          row.hhi,
        ]),
        vendors: discovery.vendors.map((row: Record<string, unknown>) => [row.vendor, row.notional_30d]),
      };
    };
    const known = money(last ?? before);
    const after = await attack(
      ...[1_000_000.01, 1e12, 1e300].map((cost_usd) => receipt({ capability: capabilities.search }, { cost_usd })),
    );
    await expectSame(after);
    expect(money(after)).toEqual(known);
  });

  // @covers ATTACK-UNPUBLISHED
  it('leaves no trace in any feed while it does not publish', async () => {
    const known = await nextMinute();
    await mallory.publish(false);
    const { objects, fills, ofWorkspace, cases, accusations } = hostileStatements(market.now(), 'unpublished');
    const { status } = await mallory.submit(
      ...[...objects, ...fills, ...ofWorkspace, ...cases, ...accusations(honest.agents)].map((one) => receipt(one)),
      receipt({ capability: 'unpublished', vendor: 'unpublished' }, { agent_handle: '@unpublished' }),
    );
    expect(status).toBe(201);
    const after = await nextMinute();
    for (const [name, text] of Object.entries(after)) {
      expect(text).not.toContain('unpublished');
      expect([name, timeless(text)]).toEqual([name, timeless(known[name] ?? '')]);
    }
    await expectSame(after);
    await mallory.publish(true);
    expect(timeless((await nextMinute()).discovery ?? '')).toEqual(timeless(known.discovery ?? ''));
  });

  // This is the limit that docs/methodology.md states: nothing in the receipts shows that two workspaces are one person.
  // @covers ATTACK-LIMIT
  it('needs a second workspace to make a case count against an agent of others', async () => {
    const ben = honest.links.ben.agent_id;
    const nina = await market.participant();
    await nina.publish(true);
    const rowOf = (feeds: Feeds) => find(feeds).own['terminal agents']?.find(({ agent_id }) => agent_id === ben);
    const stated = hostileStatements(market.now(), 'colluding')
      .accusations([ben])
      .map((one) => receipt(one));
    await expectSame(await attack(...stated));
    const { status } = await nina.submit(...stated);
    expect(status).toBe(201);
    const after = await nextMinute();
    expect(rowOf(before)).toMatchObject({ disputes: { lost: 1 }, trust: 70.410868 });
    // The case is fraud and an appeal, so trust is multiplied by 1 − 0.16.
    expect(rowOf(after)).toMatchObject({ disputes: { lost: 2 }, trust: 59.145129 });
  });
});

/** A feed without the figures that depend on the moment alone: the length of the open day of indices, and the log. */
function timeless(text: string): unknown {
  const timed = ['as_of', 'log_size', 'composite_index', 'composite_change_pct', 'indices'];
  return JSON.parse(text, (key, value) => {
    if (timed.includes(key)) return null;
    // The rows of sectors show the change of their sub-index.
    return value?.sector !== undefined && value.symbol === undefined ? { ...value, change_pct: null } : value;
  });
}
