import { expect, it, vi } from 'vitest';
import { fromUtf8 } from '../../../src/verifier/bytes.js';
import { canonical } from '../../../src/verifier/canonical.js';
import type { Claim, Report } from '../../../src/verifier/report.js';
import { attempt } from '../../../src/verifier/unreadable.js';
import { type Trust, verifyBundle } from '../../../src/verifier/verify.js';
import { easyTarget } from '../../anchoring/bitcoin.js';
import { repeats } from '../../support/repeats.js';
import { createLog, encode } from '../../verifier/bundles.js';
import { cpuTime } from '../../verifier/cpu.js';
import { mutate, seededRandom } from '../../verifier/mutations.js';

/** Most mutations leave most signatures as they were: each is checked once, or it would take half an hour. */
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

const count = repeats('MUTATIONS');
/** Of processor time, on a machine that does other things too; what was measured is printed. */
const boundMs = 1000;

/**
 * No mutation of a valid bundle passes for it, throws anything but Unreadable, or takes long. One passes when all that was
 * verified still is. It may where it means the same, and where it differs in what no one signs for, such as a signature
 * of someone unknown: then the report says something else, and nothing else about the entry and its place.
 */
it(`none of ${count} mutations passes for the bundle, throws or takes long`, async () => {
  const logs = [await createLog('log.example/1', 'mutations'), await createLog('log.example/2', 'others')] as const;
  const [log] = logs;
  const trust: Trust = { keys: [log.keys[0], log.witness], easiest: () => easyTarget };
  const bundles = [
    await log.bundle(),
    await log.bundle({ workspace: 1, seq: 2, anchor: 'this' }),
    await log.bundle({ workspace: 0, seq: 9, size: 9, anchor: 'none' }),
  ];
  const others = [
    await log.bundle({ seq: 3, anchor: 'this' }),
    await log.bundle({ workspace: 2, seq: 4, size: 9, anchor: 'promised' }),
    await logs[1].bundle(),
    ...bundles,
  ];
  const originals = bundles.map((bundle) => ({ bundle, report: verifyBundle(encode(bundle), trust) }));
  const random = seededRandom(1);
  const seen = { unreadable: 0, refused: 0, same: 0, visible: 0 };
  let slowest = 0;
  for (let made = 0; made < count; made += 1) {
    const original = originals[made % originals.length];
    if (!original) throw new Error('no bundle');
    const bytes = mutate(original.bundle, others, random);
    const [report, took] = cpuTime(() => attempt(() => verifyBundle(bytes, trust)));
    slowest = Math.max(slowest, took);
    const outcome = outcomeOf(bytes, report, original);
    if (outcome === 'passed') expect.fail(`mutation ${made} passes: ${fromUtf8(bytes)}`);
    seen[outcome] += 1;
  }
  console.log(`${count} mutations: ${JSON.stringify(seen)}, slowest ${slowest.toFixed(1)} ms`);
  expect(slowest).toBeLessThan(boundMs);
  expect(seen.refused).toBeGreaterThan(count / 4);
}, 3_600_000);

function outcomeOf(bytes: Uint8Array, report: Report | string, original: { bundle: object; report: Report }) {
  if (typeof report === 'string') return 'unreadable';
  const verified = original.report.claims.filter(({ state }) => state === 'verified');
  if (!verified.every(({ name }) => claimOf(report, name)?.state === 'verified')) return 'refused';
  if (canonical(JSON.parse(fromUtf8(bytes))) === canonical(JSON.parse(JSON.stringify(original.bundle)))) return 'same';
  const said = JSON.stringify(report) !== JSON.stringify(original.report);
  const isTrue = placeOf(report) === placeOf(original.report) && showsNoOther(report, original.report);
  return said && isTrue ? 'visible' : 'passed';
}

/** A text may be left out of a bundle, but no other one may be shown. */
function showsNoOther({ receipt }: Report, { receipt: original }: Report): boolean {
  const [shown, texts] = [receipt?.texts, original?.texts];
  return fields.every((name) => (shown?.[name] ?? null) === null || shown?.[name] === texts?.[name]);
}

const fields = ['content', 'metadata', 'source'] as const;

function claimOf({ claims }: Report, name: Claim['name']): Claim | undefined {
  return claims.find((claim) => claim.name === name);
}

/** All that a report says about the entry and the log it is in. */
function placeOf(report: Report): string {
  const { origin, size, root } = claimOf(report, 'checkpoint')?.details ?? {};
  // The story repeats the rest of the report for people.
  const receipt = report.receipt && { ...report.receipt, texts: null, story: null };
  return JSON.stringify([receipt, claimOf(report, 'inclusion'), origin, size, root]);
}
