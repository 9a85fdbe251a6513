import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../../../contracts/entries/entry.js';
import type { IdentityHistory } from '../../../../contracts/identities.js';
import { historiesOf } from '../../../../src/api/identities/history.js';
import { disputeCounts } from '../../../../src/domain/market/feeds/agents.js';
import { createMarket } from '../../../../src/domain/market/state/market.js';
import { publicReceiptOf } from '../../../../src/domain/market/state/receipt.js';
import { readEntry } from '../../../../src/ledger/chain.js';
import { newStore, type Store } from '../../../maintenance/store.js';
import { identities, recordDisputes, recordEconomy } from '../../../market/entries.js';

type TaskEntry = Extract<Entry, { kind: 'task' }>;

interface Shown {
  readonly entry: TaskEntry;
  readonly hash: string;
  readonly ended: number;
}

const cut = (time: string) => Date.parse(time.replace(/(\.\d{3})\d*/, '$1'));
const iso = (ms: number) => new Date(ms).toISOString();
const agentOf = ({ entry: { body } }: Shown) =>
  body.publication?.agent_id ?? `${body.task.agent_handle}~${body.publication?.workspace}`;
const inOrder = (a: Shown, b: Shown) =>
  a.entry.recorded_at + a.hash < b.entry.recorded_at + b.hash ? -1 : a.hash === b.hash ? 0 : 1;

/** A fraction with six decimals, from the digits of a division by hand. */
function sixDecimals(part: number, whole: number): number | null {
  if (whole === 0) return null;
  const scaled = part * 1_000_000;
  const [low, rest] = [Math.floor(scaled / whole), scaled % whole];
  const up = 2 * rest > whole || (2 * rest === whole && low % 2 === 1);
  return (up ? low + 1 : low) / 1_000_000;
}

const statusOf = ({ entry }: Shown) => entry.body.task.status;
const succeeded = (own: readonly Shown[]) => {
  const done = own.filter((one) => ['success', 'partial', 'error'].includes(statusOf(one)));
  return sixDecimals(done.filter((one) => statusOf(one) === 'success').length, done.length);
};

function grouped<K extends string>(all: readonly Shown[], keyOf: (one: Shown) => K | undefined) {
  const keys = [...new Set(all.map(keyOf))].filter((key) => key !== undefined).sort();
  return keys.map((key) => ({ key, own: all.filter((one) => keyOf(one) === key) }));
}

/** The record of an identity as the rules say it, without any table. */
function historyOf(agent: string, all: readonly Shown[]): IdentityHistory {
  const own = all.filter((one) => agentOf(one) === agent);
  const ends = own.map(({ ended }) => ended);
  const [newest] = [...own].sort((a, b) => b.ended - a.ended || inOrder(b, a));
  const capabilities = grouped(own, ({ entry }) => entry.body.task.market?.capability);
  return {
    handle: newest?.entry.body.task.agent_handle ?? null,
    capability_registry: capabilities
      .map(({ key, own: tasks }) => ({
        capability: key,
        symbol: key.toUpperCase().replaceAll('-', '.'),
        tasks: tasks.length,
        first_seen: iso(Math.min(...tasks.map(({ ended }) => ended))),
        last_seen: iso(Math.max(...tasks.map(({ ended }) => ended))),
      }))
      .sort((a, b) => b.tasks - a.tasks || (a.symbol < b.symbol ? -1 : 1)),
    attestations: [...own]
      .sort(inOrder)
      .flatMap(({ entry, hash }) =>
        (entry.body.task.attestations ?? []).flatMap(({ type }, at) => {
          if (type === 'photo') return [];
          const { state, signer } = entry.body.attestation_checks[at] ?? { state: '', signer: null };
          const issuer = signer?.startsWith('0199') ? (entry.body.publication?.workspace ?? '') : signer;
          return [{ type, at: entry.recorded_at, issuer, hash, verified: state === 'verified' }];
        }),
      )
      .slice(-100),
    operating_history: {
      first_seen: iso(Math.min(...ends)),
      last_seen: iso(Math.max(...ends)),
      tasks: own.length,
      success_rate: succeeded(own),
      scope_violation_rate: sixDecimals(
        own.filter(({ entry }) => (entry.body.scope_violations ?? []).length > 0).length,
        own.length,
      ),
      months: grouped(own, ({ ended }) => iso(ended).slice(0, 7)).map(({ key, own: tasks }) => ({
        month: key,
        tasks: tasks.length,
        success_rate: succeeded(tasks),
      })),
      disputes: disputesOf(agent, all),
    },
  };
}

type Dispute = NonNullable<NonNullable<TaskEntry['body']['task']['market']>['dispute']>;

const workspaceOf = ({ entry }: Shown) => entry.body.publication?.workspace;
const newestOf = (own: readonly Shown[]) => own.reduce((a, b) => (a.entry.seq > b.entry.seq ? a : b));
const disputeOf = ({ entry }: Shown): Partial<Dispute> => entry.body.task.market?.dispute ?? {};

/**
 * Cases that count: their owner has a public receipt of the respondent, or the newest statement of a second workspace says
 * the same.
 */
function disputesOf(agent: string, all: readonly Shown[]) {
  const found = { won: 0, lost: 0, open: 0 };
  for (const { own: statements } of grouped(all, (one) => disputeOf(one).case_id)) {
    const [first] = [...statements].sort(inOrder);
    const owner = first && workspaceOf(first);
    const ofOwner = all.filter((one) => workspaceOf(one) === owner);
    const newest = newestOf(statements.filter((one) => workspaceOf(one) === owner));
    const { respondent, status, ruling } = disputeOf(newest);
    const others = grouped(statements, workspaceOf).filter(({ key }) => key !== owner);
    const isAgreed = others.some(({ own }) => {
      const said = disputeOf(newestOf(own));
      return said.respondent === respondent && said.status === status && said.ruling === ruling;
    });
    const ofHandle = ofOwner.filter(
      ({ entry }) => entry.body.task.agent_handle === respondent && entry.seq <= newest.entry.seq,
    );
    const counts =
      respondent === agent
        ? isAgreed || ofOwner.some((one) => agentOf(one) === agent)
        : ofHandle.length > 0 && agentOf(newestOf(ofHandle)) === agent;
    if (!counts) continue;
    if (status === 'open') found.open += 1;
    else if (ruling === 'rejected') found.won += 1;
    else if (ruling !== 'withdrawn') found.lost += 1;
  }
  return found;
}

describe('the history of identities', () => {
  let store: Store;
  let all: Shown[];
  beforeAll(async () => {
    store = await newStore();
    await recordEconomy(store, 11, 80);
    await recordDisputes(store, 12, 24);
    const rows = await store.sql<{ bytes: Uint8Array; hash: string }>(
      "select bytes, encode(hash, 'hex') as hash from entries",
    );
    all = rows.flatMap(({ bytes, hash }) => {
      const entry = readEntry(Buffer.from(bytes).toString('utf8'));
      if (entry.kind !== 'task' || entry.body.publication === null) return [];
      return [{ entry, hash, ended: cut(entry.body.task.ended_at) }];
    });
  });
  afterAll(() => store.close());

  // @covers IDENTITY-HISTORY IDENTITY-DISPUTES
  it('is a function of public task receipts, exact and rounded once', async () => {
    const histories = await store.database.read((tx) => historiesOf(tx, [...identities, `agn_${'z'.repeat(32)}`]));
    expect([...histories.keys()].sort()).toEqual(identities);
    for (const agent of identities) {
      const expected = historyOf(agent, all);
      expect(expected.attestations).toHaveLength(100);
      expect(Object.values(expected.operating_history.disputes).reduce((a, b) => a + b)).toBeGreaterThan(0);
      expect(histories.get(agent)).toEqual(expected);
    }
  });

  // @covers IDENTITY-DISPUTES DISPUTE-COUNTS DISPUTE-HANDLE
  it('counts the same cases as the state of the market', async () => {
    const histories = await store.database.read((tx) => historiesOf(tx, identities));
    const market = createMarket(Date.UTC(2027, 1, 1));
    const tags = { invoice: () => 'an invoice' };
    market.add(all.toReversed().flatMap(({ entry, hash }) => publicReceiptOf(entry, hash, tags) ?? []));
    const counting = identities.map((agent) => [...market.cases.against(agent)]);
    for (const [at, agent] of identities.entries())
      expect(disputeCounts(counting[at] ?? [])).toEqual(histories.get(agent)?.operating_history.disputes);
    // Some of them count by the receipts of their owner, and some by a second workspace alone.
    const ways = counting.flat().map(({ id, state }) => `${id.startsWith('shared')} ${state.workspace[0] === '1'}`);
    expect([...new Set(ways)].sort()).toEqual(['false false', 'true false', 'true true']);
  });
});
