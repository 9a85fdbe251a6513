import { expect, it, vi } from 'vitest';
import { attempt } from '../../../src/verifier/unreadable.js';
import { verifyBundle } from '../../../src/verifier/verify.js';
import { type AnchoredBundle, onEthereum } from '../../ethereum/bundles.js';
import { heldByBlock } from '../../ethereum/independent.js';
import { type Bundle, mutate } from '../../ethereum/mutations.js';
import { repeats } from '../../support/repeats.js';
import { createLog, encode } from '../../verifier/bundles.js';
import { seededRandom } from '../../verifier/mutations.js';

/** Most mutations leave the signatures as they were: each is checked once, or it would take half an hour. */
vi.mock('@noble/curves/ed25519.js', async (original) => {
  const { ed25519, ...rest } = await original<typeof import('@noble/curves/ed25519.js')>();
  const known = new Map<string, boolean>();
  const verify: typeof ed25519.verify = (...check) => {
    const key = check.slice(0, 3).map(String).join(' ');
    const result = known.get(key) ?? ed25519.verify(...check);
    known.set(key, result);
    return result;
  };
  return { ...rest, ed25519: { ...ed25519, verify } };
});

const count = repeats('ETHEREUM_MUTATIONS');
const random = seededRandom(10_000);
const log = await createLog('log.example/1', 'mutated anchors');
const other = await createLog('other.example/1', 'mutated anchors');
const anchored = [
  await onEthereum(await log.bundle({ anchor: 'this' }), random),
  await onEthereum(await log.bundle({ anchor: 'later' }), random, { transactions: 200, at: 150 }),
  await onEthereum(await log.bundle({ size: 9, anchor: 'this' }), random, { transactions: 1, at: 0 }),
];
const outsiders = [
  await onEthereum(await other.bundle({ anchor: 'this' }), random),
  await onEthereum(await log.bundle({ size: 9, anchor: 'this' }), random, { transactions: 3, at: 2 }),
];
const others = [...anchored, ...outsiders].map(({ bundle }) => bundle);
const chainId = 31_337;

/** Only this block is trusted, by a node that is on this chain. */
function stateOf(bundle: unknown, hash: string): string {
  const keys = [log.keys[0], other.keys[0]];
  const trust = { keys, ethereum: { node: { chainId, settledUntil: Number.MAX_SAFE_INTEGER, hashAt: () => hash } } };
  const report = attempt(() => verifyBundle(encode(bundle), trust));
  if (typeof report === 'string') return 'unreadable';
  const { claims } = report;
  if (claims.some(({ state }) => state === 'failed')) return 'failed';
  return claims.find(({ name }) => name === 'ethereum')?.state ?? 'absent';
}

/** The meaning of an anchor in a bundle: two of the same meaning show the same. */
function meaningOf({ anchors, checkpoint }: Bundle) {
  const [anchor] = anchors;
  const { contract = '', header = '', consistency: _, ...rest } = anchor ?? {};
  const textOf = (note = '') => note.split('\n\n')[0];
  return {
    ...rest,
    contract: contract.toLowerCase(),
    header: header.replace(/^0x/, ''),
    checkpoint: textOf(anchor?.checkpoint ?? checkpoint),
  };
}

// @covers ETHPROOF-MUTATIONS
it(`none of ${count} mutations of an anchor is verified, unless it means the same`, async () => {
  const outcomes = new Map<string, number>();
  for (let round = 0; round < count; round += 1) {
    const { bundle, hash } = anchored[round % anchored.length] as AnchoredBundle;
    const changed = mutate(bundle, others, random);
    const state = stateOf(changed, hash);
    outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
    if (state !== 'verified') continue;
    expect(meaningOf(changed)).toEqual(meaningOf(bundle));
    expect(await heldByBlock(changed.anchors[0], changed.checkpoint ?? '', { chainId, hash })).toBe(true);
  }
  console.log(Object.fromEntries(outcomes));
  for (const { bundle, hash } of anchored) expect(stateOf(bundle, hash)).toBe('verified');
});

it('the second opinion accepts what the verifier accepts, and nothing else', async () => {
  let differences = 0;
  for (let round = 0; round < count / 10; round += 1) {
    const { bundle, hash } = anchored[round % anchored.length] as AnchoredBundle;
    const changed = mutate(bundle, others, random);
    const first = stateOf(changed, hash) === 'verified';
    const second = await heldByBlock(changed.anchors[0], changed.checkpoint ?? '', { chainId, hash });
    if (first) expect(second).toBe(true);
    else if (second) differences += 1;
  }
  console.log(`refused by the verifier alone, for the form or for the rest of the bundle: ${differences}`);
});
