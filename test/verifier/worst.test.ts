import { describe, expect, it } from 'vitest';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { bundleLimits } from '../../src/verifier/bundle.js';
import { toBase64, toUtf8 } from '../../src/verifier/bytes.js';
import { attempt } from '../../src/verifier/unreadable.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { createLog, encode, seeded } from './bundles.js';
import { cpuTime } from './cpu.js';
import { costlyTimestamp, firstKey, handMade } from './hand-made.js';

const log = await createLog('log.example/1', 'worst');
const whole = await log.bundle();
const trust = { keys: [log.keys[0], log.witness], easiest: () => easyTarget };

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const full = (fill: unknown) => ({ ...whole, anchors: [{ type: 'x', fill }] });

describe('the worst that is known', () => {
  it.each<[string, () => Uint8Array]>([
    [
      'a text that fills the bundle',
      () => encode({ ...whole, disclosed: { ...whole.disclosed, content: 'é'.repeat(1_300_000) } }),
    ],
    [
      'a text as long as one may be',
      () => encode({ ...whole, disclosed: { ...whole.disclosed, content: 'é'.repeat(524_288) } }),
    ],
    [
      'an entry and a text as long as they may be',
      () =>
        encode({
          ...whole,
          entry: toBase64(canonicalBytes({ ...log.entries(0)[0]?.entry, a: 'x'.repeat(523_000) })),
          disclosed: { ...whole.disclosed, content: 'x'.repeat(1_048_576) },
        }),
    ],
    ['a text of escapes', () => toUtf8(JSON.stringify(full('x')).replace('"x"}', `"${'\\u0041'.repeat(430_000)}"}`))],
    [
      'an entry as large as one may be',
      () => encode({ ...whole, entry: toBase64(canonicalBytes({ a: 'x'.repeat(524_200) })) }),
    ],
    [
      'an entry of many values',
      () => encode({ ...whole, entry: toBase64(canonicalBytes({ a: Array(16_380).fill(0.1) })) }),
    ],
    [
      'an entry of many members',
      () => encode({ ...whole, entry: toBase64(canonicalBytes(Object.fromEntries(Array(16_380).fill(1).entries()))) }),
    ],
    ['many values', () => encode(full(Array(bundleLimits.values + 1).fill(0)))],
    ['many levels', () => encode(full(nested(2000)))],
    ['a number of many digits', () => toUtf8(JSON.stringify(whole).replace(/(?<="index":)\d+/, '1'.repeat(2_600_000)))],
    ['white space', () => toUtf8(JSON.stringify(whole) + ' '.repeat(2_600_000))],
    [
      'costly timestamps',
      () =>
        encode({
          ...whole,
          anchors: Array(4).fill({ type: 'opentimestamps', ots: costlyTimestamp(seeded('digest')) }),
        }),
    ],
    ['nothing wrong with it', () => encode(whole)],
  ])('%s takes no second', (name, make) => {
    const bytes = make();
    expect(bytes.length).toBeLessThanOrEqual(bundleLimits.bytes);
    const [, took] = cpuTime(() => attempt(() => verifyBundle(bytes, trust)));
    console.log(`${name}: ${took.toFixed(1)} ms`);
    expect(took).toBeLessThan(1000);
  });

  // What the service is asked by others is checked with its own keys, and these have signed nothing of what others make.
  it.each([
    ['an entry and a text', { entryText: 500_000, contentBytes: 1_048_576, checkpointText: 15_000 }],
    ['many members and a text', { members: 15_000, contentBytes: 1_048_576, checkpointText: 15_000 }],
    ['checkpoints', { checkpointText: 400_000 }],
  ])('hand-made, with %s as long as they may be, takes no second', async (name, made) => {
    const bytes = await handMade(made);
    expect(bytes.length).toBeLessThanOrEqual(bundleLimits.bytes);
    for (const [whose, key] of [
      ['of the service', log.keys[0]],
      ['of the bundle', firstKey.key],
    ] as const) {
      const [, took] = cpuTime(() => attempt(() => verifyBundle(bytes, { ...trust, keys: [key] })));
      console.log(`hand-made, with ${name}, and a key ${whose}: ${took.toFixed(1)} ms`);
      expect(took).toBeLessThan(1000);
    }
  });
});
