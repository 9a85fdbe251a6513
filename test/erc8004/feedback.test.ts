import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { feedbackFile } from '../../contracts/feedback.js';
import { openEpoch } from '../../src/domain/erc8004/counts.js';
import { epochOf, isEpochId } from '../../src/domain/erc8004/epoch.js';
import { type FeedbackHead, feedbackOf, successValue } from '../../src/domain/erc8004/feedback.js';
import { canonical } from '../../src/verifier/canonical.js';
import { factOf } from '../indices/economy.js';
import { rootOf } from './root.js';

const hour = 3_600_000;
const at = (time: string) => Date.parse(time);

const head: FeedbackHead = {
  agnId: 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs',
  epoch: '2026-03-14',
  fromMs: at('2026-03-14T00:00:00Z'),
  toMs: at('2026-03-15T00:00:00Z'),
  chainId: 31_337,
  registry: `0x${'a'.repeat(40)}`,
  agentId: '22',
  client: `0x${'b'.repeat(40)}`,
  checkpoint: 'a note',
  createdAt: '2026-03-15T00:10:00.000Z',
};

/** @param statuses each with a latency */
function counted(statuses: readonly (readonly [status: string, latency: number, workspace?: string])[]) {
  const fold = openEpoch();
  const facts = statuses.map(([status, latency_ms, workspace = 'one']) =>
    factOf({ ended_ms: at('2026-03-14T01:00:00Z'), status, latency_ms, workspace }),
  );
  for (const fact of facts) fold.add(fact);
  return { facts, counts: fold.counts() };
}

describe('epochs', () => {
  // @covers ERC-FEED-EPOCH
  it.each([
    ['2026-03-14T00:00:00.000Z', 24, '2026-03-14', '2026-03-14T00:00:00.000Z'],
    ['2026-03-14T23:59:59.999Z', 24, '2026-03-14', '2026-03-14T00:00:00.000Z'],
    ['1970-01-04T12:00:00.000Z', 48, '1970-01-03', '1970-01-03T00:00:00.000Z'],
    ['2026-03-14T09:59:59.999Z', 1, '2026-03-14T090000Z', '2026-03-14T09:00:00.000Z'],
    ['1970-01-02T16:00:00.000Z', 36, '1970-01-02T120000Z', '1970-01-02T12:00:00.000Z'],
    ['2026-03-14T09:00:07.500Z', 1 / 3600, '2026-03-14T090007Z', '2026-03-14T09:00:07.000Z'],
  ])('of %s with %f hours', (moment, hours, id, from) => {
    const epoch = epochOf(at(moment), hours * hour);
    expect([epoch.id, new Date(epoch.fromMs).toISOString(), epoch.toMs - epoch.fromMs]).toEqual([
      id,
      from,
      hours * hour,
    ]);
    expect(isEpochId(epoch.id)).toBe(true);
    expect(epochOf(epoch.toMs, hours * hour).fromMs).toBe(epoch.toMs);
  });
});

describe('feedback', () => {
  // @covers ERC-FEED-VALUE
  it.each([
    [1, 1, 10_000],
    [0, 7, 0],
    [2, 3, 6667],
    [1, 3, 3333],
    [1, 32, 312],
    [3, 32, 938],
  ])('of %i successes in %i tasks has the value %i', (success, tasks, value) => {
    expect(successValue({ success, tasks })).toBe(value);
  });

  // @covers ERC-FEED-FILE ERC-FEED-HASH ERC-FEED-ROOT
  it('is a file of counts, rates, latency, root and checkpoint, in canonical form', () => {
    const { facts, counts } = counted([
      ['success', 20],
      ['success', 40, 'two'],
      ['partial', 30],
      ['error', 10],
      ['tool_denied', 9000],
      ['policy_blocked', 9000, 'two'],
    ]);
    const { bytes, hash, value } = feedbackOf(head, counts);
    const text = Buffer.from(bytes).toString('utf8');
    const file = JSON.parse(text);
    expect(canonical(file)).toBe(text);
    expect(hash).toBe(`0x${Buffer.from(keccak_256(bytes)).toString('hex')}`);
    expect(value).toBe(3333);
    expect(feedbackFile.parse(file)).toEqual(file);
    expect(file).toMatchObject({
      agentRegistry: `eip155:31337:${head.registry}`,
      agentId: 22,
      clientAddress: `eip155:31337:${head.client}`,
      counts: { tasks: 6, success: 2, partial: 1, error: 1, refused: 2, tool_denied: 1, policy_blocked: 1 },
      success_rate: 0.5,
      refusal_rate: 0.333333,
      latency_p50_ms: 20,
      latency_p95_ms: 40,
      checkpoint: 'a note',
    });
    expect(file.root).toBe(rootOf(facts.map((fact) => fact.hash)));
    // Nothing of single receipts or of workspaces.
    for (const { hash: one } of facts) expect(text).not.toContain(one);
    expect(text).not.toContain('two');
    expect(counts.spans.map(({ workspace, count }) => [workspace, count])).toEqual([
      ['one', 4],
      ['two', 2],
    ]);
  });

  it('of refusals only has no rate and no latency, and a long number of an agent is a text', () => {
    const { counts } = counted([['tool_denied', 5]]);
    const { bytes } = feedbackOf({ ...head, agentId: `${2n ** 200n}` }, counts);
    expect(JSON.parse(Buffer.from(bytes).toString('utf8'))).toMatchObject({
      agentId: `${2n ** 200n}`,
      value: 0,
      success_rate: null,
      refusal_rate: 1,
      latency_p50_ms: null,
    });
  });
});
