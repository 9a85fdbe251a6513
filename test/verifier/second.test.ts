import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';
import { toBase64, toHex } from '../../src/verifier/bytes.js';
import { formatVerifierKey } from '../../src/verifier/note-key.js';
import { attempt } from '../../src/verifier/unreadable.js';
import { type Trust, verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type Choices, createLog, encode } from './bundles.js';
import { mutate, seededRandom } from './mutations.js';

const script = join(packageRoot, 'test/verifier/second-verifier.py');
const log = await createLog('log.example/1', 'second');
const other = await createLog('other.example/1', 'other');
const header = log.chain.block(1)?.header ?? new Uint8Array();

interface Case {
  readonly bundle: Uint8Array;
  readonly trust: Trust;
}

/** The states of the claims of each bundle, or null: by the verifier in Python that was written from the page. */
function second(cases: readonly Case[]): unknown {
  const input = cases.map(({ bundle, trust }) => ({
    bundle: toBase64(bundle),
    keys: trust.keys.map(formatVerifierKey),
    headers: trust.headers ? { 1: toHex(header) } : null,
    receipt_hash: trust.receiptHash ?? null,
    easiest: trust.easiest ? trust.easiest(0).toString(16) : null,
  }));
  const run = spawnSync('python3', ['-B', script], { input: JSON.stringify(input), maxBuffer: 2 ** 28 });
  if (run.error) throw new Error('This test needs python3 (3.8 or later): it runs the second verifier.');
  expect(run.stderr.toString()).toBe('');
  return JSON.parse(run.stdout.toString());
}

function first({ bundle, trust }: Case) {
  const report = attempt(() => verifyBundle(bundle, trust));
  if (typeof report === 'string') return null;
  return Object.fromEntries(report.claims.map(({ name, state }) => [name, state]));
}

function agree(cases: readonly Case[]): void {
  const said = second(cases);
  if (!Array.isArray(said)) throw new Error('the second verifier must give a list');
  for (const [at, one] of cases.entries()) {
    expect(said[at], new TextDecoder().decode(one.bundle).slice(0, 5000)).toEqual(first(one));
  }
}

const choices: readonly Choices[] = [
  {},
  { workspace: 1, seq: 1, anchor: 'this', disclosed: false },
  { seq: 7, anchor: 'promised' },
  { seq: 11, size: 9, anchor: 'none' },
];
const easiest = () => easyTarget;
const trusts: readonly Trust[] = [
  { keys: [log.keys[0], log.witness], easiest },
  { keys: [log.keys[1]], easiest, headers: (height) => (height === 1 ? header : undefined) },
  { keys: [], easiest, receiptHash: log.entries(0)[1]?.hash ?? '' },
  { keys: [log.witness] },
  { keys: other.keys, easiest },
];

describe('a verifier that was written from the page', () => {
  it('says the same of valid bundles, whomever the reader trusts', async () => {
    const bundles = await Promise.all([...choices.map((choice) => log.bundle(choice)), other.bundle()]);
    const { format, entry } = await log.bundle();
    const all = [...bundles, { format, entry, keys: [], anchors: [] }].map(encode);
    agree(all.flatMap((bundle) => trusts.map((trust) => ({ bundle, trust }))));
  });

  it('says the same of 300 mutations', async () => {
    const random = seededRandom(2);
    const bundles = await Promise.all(choices.map((choice) => log.bundle(choice)));
    const others = [await other.bundle(), ...bundles];
    const cases = Array.from({ length: 300 }, (_, at) => ({
      bundle: mutate(bundles[at % bundles.length] ?? {}, others, random),
      trust: trusts[at % trusts.length] ?? { keys: [] },
    }));
    agree(cases.filter(({ bundle }) => bundle.length < 100_000));
  });
});
