import { expect, it } from 'vitest';
import { createHandles } from '../../src/domain/market/state/handles.js';
import { createMarket, type Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { chain, identityOf, lost, now, open, tagOf } from './case-receipts.js';
import { shuffled } from './live.js';
import { type Random, random } from './random.js';

const identities = [identityOf('a'), identityOf('b')];
const minuteMs = 60_000;

/** Four chains with few handles, identities and cases, so that everything meets everything. Many share a millisecond. */
function anyReceipts({ pick, chance, whole }: Random, count: number): PublicReceipt[] {
  const chains = [1, 2, 3, 4].map(chain);
  const links = new Map<string, string>();
  let recorded_ms = now - 60 * minuteMs;
  return Array.from({ length: count }, () => {
    recorded_ms += pick([0, 0, 1, whole(minuteMs)]);
    const [one, handle] = [pick(chains), pick(['@ann', '@bob'])];
    const key = `${one.tag} ${handle}`;
    if (chance(0.2)) links.set(key, pick([...identities, `${handle}~${one.tag}`]));
    const respondent = pick(['@ann', '@bob', ...identities, `@ann~${tagOf(1)}`, 'Acme']);
    const id = `case-${whole(8)}`;
    const dispute = pick([open(id, respondent), lost(id, respondent), lost(id, respondent, { ruling: 'split' })]);
    const cites = Array.from({ length: whole(3) }, () => `case-${whole(9)}`);
    const agent = links.get(key) ?? `${handle}~${one.tag}`;
    return one.receipt({ handle, agent, recorded_ms }, chance(0.4) ? { ...dispute, cites } : undefined);
  });
}

/** Everything that is read from the cases. */
const read = ({ cases }: Market) => ({
  totals: { ...cases.totals },
  list: cases.inOrder().map(({ id, agent, state }) => [id, agent, state.hash]),
  citing: new Map(cases.citations()),
  open: ['Acme', '@ann', ...identities].map((name) => cases.openDisputes(name)),
  against: [...cases.agents()].sort().map((agent) => [agent, [...cases.against(agent)].map(({ id }) => id).sort()]),
});

const byAgent = (agents: readonly (readonly [string, string])[]) =>
  [...new Set(agents.map(([, agent]) => agent))].sort().map((agent) => [
    agent,
    agents
      .filter((one) => one[1] === agent)
      .map(([id]) => id)
      .sort(),
  ]);

/** The cases that count and their agents, as the rule says it, without any state. */
function onPaper(receipts: readonly PublicReceipt[]) {
  const all = receipts.flatMap(({ task, statements }) =>
    statements.flatMap(({ type, said }) => (type === 'dispute' ? [{ task, said }] : [])),
  );
  const newest = <T extends { task: { seq: number } }>(own: readonly T[]) =>
    own.toSorted((a, b) => a.task.seq - b.task.seq).at(-1);
  return [...new Set(all.map(({ said }) => said.case_id))].flatMap((id): [string, string][] => {
    const own = all.filter(({ said }) => said.case_id === id);
    const [first] = own.toSorted(
      ({ task: a }, { task: b }) => a.recorded_ms - b.recorded_ms || (a.hash < b.hash ? -1 : 1),
    );
    const owner = first?.task.workspace;
    const state = newest(own.filter(({ task }) => task.workspace === owner));
    if (state === undefined) return [];
    const { respondent, status, ruling } = state.said;
    const ofOwner = receipts.filter(({ task }) => task.workspace === owner);
    if (/^@[a-z]+$/.test(respondent)) {
      const until = ofOwner.filter(({ task }) => task.handle === respondent && task.seq <= state.task.seq);
      return [[id, newest(until)?.task.agent ?? `${respondent}~${owner}`]];
    }
    const agreeing = [...new Set(own.map(({ task }) => task.workspace))].filter((workspace) => {
      const said = newest(own.filter(({ task }) => task.workspace === workspace))?.said;
      return said?.respondent === respondent && said.status === status && said.ruling === ruling;
    });
    const hasReceipt = respondent.startsWith('agn_') && ofOwner.some(({ task }) => task.agent === respondent);
    return respondent !== 'Acme' && (agreeing.length > 1 || hasReceipt) ? [[id, respondent]] : [];
  });
}

// @covers DISPUTE-OWNER DISPUTE-COUNTS DISPUTE-HANDLE
it('cases are a function of the receipts, in any order and by minutes of any number', () => {
  let counted = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const values = random(seed);
    const receipts = anyReceipts(values, 80);
    const last = receipts.at(-1)?.task.recorded_ms ?? now;
    const fromNothing = createMarket(last);
    fromNothing.add(shuffled(receipts, values));
    const expected = read(fromNothing);
    expect(expected.against).toEqual(byAgent(onPaper(receipts)));
    counted += expected.against.length;

    const live = createMarket(now - 61 * minuteMs);
    for (let t = live.t + minuteMs; t < last + minuteMs; t += minuteMs) {
      const added = receipts.filter(({ task }) => task.recorded_ms > t - minuteMs && task.recorded_ms <= t);
      // A part may come before t moves, when receipts that were recorded earlier are still to come.
      const early = values.chance(0.5) ? shuffled(added, values).slice(0, values.whole(added.length + 1)) : [];
      live.add(early);
      live.arrive(t);
      live.add(
        shuffled(
          added.filter((one) => !early.includes(one)),
          values,
        ),
      );
      if (values.chance(0.3)) read(live);
    }
    expect(read(live)).toEqual(expected);
  }
  expect(counted).toBeGreaterThan(40);
});

// @covers DISPUTE-HANDLE
it('handles forget nothing that a receipt of the same minute could still make necessary', () => {
  const { receipt, tag } = chain(1);
  const [before, linked, after] = [receipt(), receipt({ agent: identityOf('a') }), receipt()].map(({ task }) => task);
  const handles = createHandles();
  handles.arrive(now - 60 * minuteMs);
  for (const task of [before, after]) handles.add(task ?? expect.fail());
  handles.arrive(now);
  handles.add(linked ?? expect.fail());
  const agents = () => [before, linked, after].map((task) => handles.agentAt(tag, '@ann', task?.seq ?? 0));
  expect(agents()).toEqual([`@ann~${tag}`, identityOf('a'), `@ann~${tag}`]);
  handles.arrive(now + minuteMs);
  expect(agents()).toEqual([`@ann~${tag}`, identityOf('a'), `@ann~${tag}`]);
});
