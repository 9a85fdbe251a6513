import { describe, expect, it } from 'vitest';
import { logChain, registryChain } from '../../../contracts/chains.js';
import type { Bodies, EntryKind } from '../../../contracts/entries/entry.js';
import type { CloseBody } from '../../../contracts/entries/registry.js';
import { feedNames } from '../../../src/domain/market/feeds/all.js';
import { noChain } from '../../../src/domain/market/indices/chain.js';
import { closeOf } from '../../../src/domain/market/indices/close.js';
import { closingOf } from '../../../src/domain/market/indices/days.js';
import { createDays } from '../../../src/maintenance/recompute/closes.js';
import { createFolding } from '../../../src/maintenance/recompute/folding.js';
import { canonical } from '../../../src/verifier/canonical.js';
import { economy, economyTags } from '../../market/economy.js';
import { cutToMinute, feedsOf, marketAt, momentAt, shuffled } from '../../market/live.js';
import { random } from '../../market/random.js';

const { entries, receipts, untilMs } = economy({ seed: 31, receipts: 500, days: 40 });
const t = cutToMinute(untilMs - 10 * 86_400_000);
const lines = entries.map(({ entry, hash }) => `${hash}${canonical(entry)}`);

function other<K extends EntryKind>(kind: K, recordedMs: number, body: Bodies[K], workspace_id: string): string {
  const [receipt_id, prev_hash] = [`rcp_${recordedMs.toString(16).padStart(32, '0')}`, '0'.repeat(64)];
  const actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null };
  const recorded_at = new Date(recordedMs).toISOString();
  return `${'0'.repeat(64)}${canonical({ v: 1, workspace_id, seq: 1, receipt_id, kind, recorded_at, actor, body, prev_hash })}`;
}

/** The closes of all days up to t, each recorded shortly after its moment. */
function closes(): { readonly recordedMs: number; readonly body: CloseBody }[] {
  const days = createDays();
  for (const { task } of receipts) days.add(task);
  const found: { recordedMs: number; body: CloseBody }[] = [];
  let chain = noChain;
  for (let day = days.first() ?? 0; closingOf(day) + 5000 <= t; day += 1) {
    const facts = days.factsOf(day);
    const close = closeOf(chain, facts, days.sectorsAt(closingOf(day), [...chain.recent, facts]));
    found.push({ recordedMs: closingOf(day) + 5000, body: close.body });
    chain = close.chain;
  }
  return found;
}

async function folded(feed: (typeof feedNames)[number], more: readonly string[], order = lines): Promise<string> {
  const folding = createFolding(t, economyTags);
  for (const page of [order.slice(0, 100).join('\n'), order.slice(100).join('\n'), ...more]) folding.take(page);
  return folding.finish(feed);
}

const closed = closes();
const registry = closed.map(({ recordedMs, body }) => other('index.closed', recordedMs, body, registryChain));

describe('a feed that is folded from entries', () => {
  // @covers RECOMPUTE-BYTES
  it('has the bytes of the state that follows receipts, for any order of chains', async () => {
    const expected = feedsOf(marketAt(t, receipts), momentAt(t, receipts));
    for (const name of feedNames) {
      expect(await folded(name, [], shuffled(lines, random(1)))).toBe(expected[name]);
    }
  });

  // @covers RECOMPUTE-BYTES
  it('reads checkpoints, identities and closes of the registry up to t', async () => {
    const agn_id = `agn_${'a'.repeat(32)}`;
    const binding = { agent_name: 'Ada', public_key: 'z', vendor: null };
    const checkpoint = (size: number, ms: number) =>
      other('checkpoint.signed', ms, { size, root: '0'.repeat(64), note: '' }, logChain);
    const more = [
      other('identity.issued', t, { agn_id, binding }, registryChain),
      other('identity.verified', t, { agn_id, proof: { challenge: '', signature: '' } }, registryChain),
      [checkpoint(7, t - 1), checkpoint(9, t), checkpoint(11, t + 1)].join('\n'),
    ];
    const { stats, agents } = JSON.parse(await folded('discovery', [...more, ...registry]));
    expect(stats.evidence.log_size).toBe(9);
    expect(agents.find((row: { agent_id: string | null }) => row.agent_id === agn_id)).toMatchObject({
      verified: true,
    });
    const { indices } = JSON.parse(await folded('terminal', registry));
    expect(closed.length).toBeGreaterThan(20);
    const last = closed.at(-1)?.body;
    expect(indices[0].history.at(-1)).toEqual({ day: last?.day, value: last?.levels.CFX });
  });

  // @covers RECOMPUTE-CLOSES
  it('is refused with the day of the first close that its receipts do not give', async () => {
    const altered = (at: number, change: Partial<CloseBody>) =>
      registry.map((line, index) => {
        const close = closed[index];
        if (index !== at || close === undefined) return line;
        return other('index.closed', close.recordedMs, { ...close.body, ...change }, registryChain);
      });
    const of = closed[9]?.body;
    const levels = { ...of?.levels, 'CFX.COST': 1.5 };
    const faults: [Partial<CloseBody>, string][] = [
      [{ levels }, 'CFX.COST 1.5'],
      [{ receipts: 10_000 }, 'receipts 10000'],
      [{ root: '1'.repeat(64) }, `root ${'1'.repeat(64)}`],
      [{ facts_hash: '2'.repeat(64) }, `facts_hash ${'2'.repeat(64)}`],
    ];
    for (const [change, stated] of faults) {
      await expect(folded('terminal', altered(9, change))).rejects.toThrow(`${of?.day} states ${stated}`);
    }
    await expect(folded('terminal', registry.slice(1))).rejects.toThrow(`${closed[0]?.body.day} is next`);
    await expect(folded('terminal', registry.toSpliced(5, 1))).rejects.toThrow(`${closed[5]?.body.day} is next`);
  });
});
