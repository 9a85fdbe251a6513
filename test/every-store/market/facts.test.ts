import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../../contracts/entries/entry.js';
import { factsProjection } from '../../../projections/facts/projection.js';
import { readEntry } from '../../../src/ledger/chain.js';
import { rebuild } from '../../../src/maintenance/rebuild.js';
import { faultsOf } from '../../maintenance/faults-of.js';
import { model, newStore, type Store } from '../../maintenance/store.js';
import { identities, recordEconomy, secrets } from '../../market/entries.js';
import { roundedOnPaper } from '../../market/on-paper.js';

type TaskEntry = Extract<Entry, { kind: 'task' }>;

interface Stored {
  readonly entry: TaskEntry;
  readonly hash: string;
}

/** The tables of facts as a function of entries and of nothing else. */
describe('the facts of public task receipts', () => {
  let store: Store;
  let all: Stored[];
  let shown: Stored[];
  beforeAll(async () => {
    store = await newStore();
    await recordEconomy(store, 7, 60);
    const rows = await store.sql<{ bytes: Uint8Array; hash: string }>(
      "select bytes, encode(hash, 'hex') as hash from entries",
    );
    all = rows.flatMap(({ bytes, hash }) => {
      const entry = readEntry(Buffer.from(bytes).toString('utf8'));
      return entry.kind === 'task' ? [{ entry, hash }] : [];
    });
    shown = all.filter(({ entry }) => entry.body.publication !== null);
  });
  afterAll(() => store.close());

  const text = (table: string) => store.sql<{ row: string }>(`select t::text as row from ${table} t order by 1`);
  const agentOf = ({ body: { publication, task } }: TaskEntry) =>
    publication?.agent_id ?? `${task.agent_handle}~${publication?.workspace}`;
  const market = ({ body }: TaskEntry) => body.task.market;
  const ms = (time: string) => Date.parse(time.replace(/(\.\d{3})\d*/, '$1'));

  // @covers FACT-ROWS FACT-PUBLIC-ONLY
  it('are one row for each public receipt, computed from its entry alone', async () => {
    expect(shown.length).toBeGreaterThan(200);
    expect(all.length - shown.length).toBeGreaterThan(50);
    const rows = await store.sql('select * from facts');
    const expected = shown.map(({ entry, hash }) => {
      const { task, publication, scope_violations, attestation_checks } = entry.body;
      const { outcome, workflow } = task.market ?? {};
      const { cost_usd: cost } = task;
      return {
        recorded_ms: Date.parse(entry.recorded_at),
        hash,
        workspace: publication?.workspace,
        seq: entry.seq,
        agent: agentOf(entry),
        handle: task.agent_handle,
        vendor: 'Acme',
        platform: task.platform,
        capability: task.market?.capability ?? null,
        sector: task.market?.sector ?? null,
        counterparty: task.market?.counterparty ? 'Caf\u00e9' : null,
        segment: null,
        workflow: workflow?.name ?? null,
        status: task.status,
        started_ms: ms(task.started_at),
        ended_ms: ms(task.ended_at),
        latency_ms: ms(task.ended_at) - ms(task.started_at),
        latency_bucket: expect.any(Number),
        cost_micros: cost === undefined || cost > 1e6 ? null : Number(roundedOnPaper(String(cost))),
        scope_violated: (scope_violations ?? []).length > 0,
        verified_attestations: attestation_checks.filter(({ state }) => state === 'verified').length,
        outcome_value_micros: outcome ? Math.round(outcome.value_usd * 1e6) : null,
        outcome_baseline_micros: null,
        outcome_accepted: outcome?.accepted ?? null,
      };
    });
    const byHash = (a: { hash?: unknown }, b: { hash?: unknown }) => (String(a.hash) < String(b.hash) ? -1 : 1);
    expect([...rows].sort(byHash)).toEqual(expected.sort(byHash));
  });

  // @covers FACT-STATEMENTS
  it('hold every statement, with its owner as the first in recorded order', async () => {
    const types = ['settlement', 'rfq', 'quote', 'fill', 'dispute'] as const;
    const expected = shown.flatMap(({ entry, hash }) =>
      types.flatMap((type) => (market(entry)?.[type] ? [`${hash} ${type}`] : [])),
    );
    const rows = await store.sql<{ hash: string; type: string }>('select hash, type from fact_statements');
    expect(rows.map(({ hash, type }) => `${hash} ${type}`).sort()).toEqual(expected.sort());
    const [first] = await store.sql<{ hash: string; statement: string }>(
      `select hash, statement from fact_statements where type = 'rfq' and object_id = 'rfq-3'
        order by recorded_ms, hash limit 1`,
    );
    const stated = shown
      .filter(({ entry }) => market(entry)?.rfq?.rfq_id === 'rfq-3')
      .sort((a, b) => (a.entry.recorded_at + a.hash < b.entry.recorded_at + b.hash ? -1 : 1));
    expect(first?.hash).toBe(stated[0]?.hash);
    expect(JSON.parse(first?.statement ?? '')).toEqual(stated[0] && market(stated[0].entry)?.rfq);
  });

  // @covers FACT-PRIVATE
  it('hold nothing private outside the table of private ids, and no id of a workspace', async () => {
    const ids = [...new Set(all.map(({ entry }) => entry.workspace_id))];
    for (const table of factsProjection.tables.filter((name) => name !== 'fact_private_ids')) {
      const rows = JSON.stringify(await text(table));
      expect([table, [...secrets, ...ids, '0199a5c7'].filter((one) => rows.includes(one))]).toEqual([table, []]);
    }
    const [row] = await store.sql<{ n: number }>(
      'select count(*) as n from fact_private_ids where invoice_id is not null',
    );
    expect(row?.n).toBe(shown.filter(({ entry }) => market(entry)?.settlement).length);
  });

  it('have sums for identities that are those of their facts', async () => {
    const [sum] = await store.sql<{ same: boolean }>(
      `select (select array_agg(x::text order by x::text) from (
                 select agent, to_char(to_timestamp(ended_ms / 1000) at time zone 'UTC', 'YYYY-MM') as month,
                        count(*), min(ended_ms), max(ended_ms), count(*) filter (where status = 'success'),
                        count(*) filter (where status in ('partial', 'error')), count(*) filter (where scope_violated)
                   from facts where agent like 'agn_%' group by 1, 2) x)
              = (select array_agg(m::text order by m::text) from fact_months m)
          and (select array_agg(x::text order by x::text) from (
                 select agent, capability, count(*), min(ended_ms), max(ended_ms)
                   from facts where agent like 'agn_%' and capability is not null group by 1, 2) x)
              = (select array_agg(c::text order by c::text) from fact_capabilities c)
          and (select array_agg(x::text order by x::text) from (
                 select workspace, handle, seq, agent from (
                   select *, lag(agent) over (partition by workspace, handle order by seq) as before from facts) f
                  where agent is distinct from before) x)
              = (select array_agg(h::text order by h::text) from fact_handles h) as same`,
    );
    expect(sum?.same).toBe(true);
    expect((await store.sql('select distinct agent from fact_months order by 1')).map(({ agent }) => agent)).toEqual(
      identities,
    );
  });

  // @covers FACT-REPLAY
  it('are the same after a replay, byte for byte', async () => {
    expect(await faultsOf(model('facts'), store.database)).toBeNull();
    const before = await Promise.all(factsProjection.tables.map(text));
    await rebuild(store.database, model('facts'), { onProgress: () => undefined });
    expect(await Promise.all(factsProjection.tables.map(text))).toEqual(before);
    expect(before.every((rows) => rows.length > 0)).toBe(true);
  });
});
