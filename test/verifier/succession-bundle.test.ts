import { describe, expect, it } from 'vitest';
import { formatVerifierKey, type VerifierKey } from '../../src/verifier/note.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { createLog, encode, type MoreLeaves, signerOf } from './bundles.js';
import { rootOf, succession } from './successions.js';

const origin = 'memory.example';
const [old, outsider] = ['old', 'outsider'].map((seed) => signerOf(origin, seed));
if (!old || !outsider) throw new Error('there are two');
const from = { origin, size: 40, root: rootOf('from') };
const kept = { size: 12, root: rootOf('kept') };

const begun =
  (by: readonly (typeof old)[]): MoreLeaves =>
  (first) => [succession({ from, kept, to: first, by: [...by, first] })];
const log = await createLog(`${origin}/2`, 'successor', undefined, begun([old]));
const bundle = await log.bundle({ size: 7, anchor: 'none' });

function checkpoint(made: typeof bundle, keys: readonly VerifierKey[]) {
  const claim = verifyBundle(encode(made), { keys }).claims.find(({ name }) => name === 'checkpoint');
  if (!claim) throw new Error('there is no claim checkpoint');
  return claim;
}

describe('a bundle of a log that follows another one', () => {
  it('begins its keys with the first key and the succession', () => {
    const [key, second] = bundle.keys.map(({ leaf, index }) => [index, JSON.parse(atob(leaf)).type]);
    expect([key, second]).toEqual([
      [0, 'key'],
      [1, 'succession'],
    ]);
  });

  it('is verified by a reader who knows the new key', () => {
    expect(checkpoint(bundle, [log.keys[0]])).toMatchObject({ state: 'verified' });
    expect(checkpoint(bundle, [old.key, log.keys[0]])).toMatchObject({ state: 'verified' });
    expect(verifyBundle(encode(bundle), { keys: [log.keys[0]] }).claims.map(({ state }) => state)).not.toContain(
      'failed',
    );
  });

  it('is not checked by a reader who knows the old key, and is shown the new one', () => {
    const claim = checkpoint(bundle, [old.key]);
    expect(claim.state).toBe('not checked');
    expect(claim.text).toContain('28 of the 40 leaves of memory.example are lost, from leaf 12 on');
    expect(claim.text).toContain(formatVerifierKey(log.keys[0]));
    expect(claim.details).toMatchObject({ succeeds: origin, successor_key: formatVerifierKey(log.keys[0]) });
  });

  it('is not checked by a reader without a key', () => {
    const claim = checkpoint(bundle, []);
    expect(claim.state).toBe('not checked');
    expect(claim.details).toMatchObject({ succeeds: origin });
  });

  it('has failed for a reader whose keys have not endorsed the succession', () => {
    const claim = checkpoint(bundle, [outsider.key]);
    expect(claim.state).toBe('failed');
    expect(claim.text).toContain('no key that was given says so');
  });

  it('has failed with a forged endorsement, no matter what key is given', async () => {
    const forged = await createLog(`${origin}/2`, 'forged', undefined, begun([{ key: old.key, sign: outsider.sign }]));
    const made = await forged.bundle({ size: 7, anchor: 'none' });
    expect(checkpoint(made, [old.key])).toMatchObject({ state: 'failed' });
    expect(checkpoint(made, [old.key, forged.keys[0]])).toMatchObject({ state: 'failed' });
  });

  it('has failed when the succession is not the second leaf, or names another key', async () => {
    const late = await createLog(`${origin}/2`, 'late', (first) => [
      succession({ from, kept, to: first, by: [old, first] }),
    ]);
    const made = await late.bundle({ size: 10, anchor: 'none' });
    expect(checkpoint(made, [late.keys[0]]).text).toContain('is not leaf 1');
    const x = signerOf(`${origin}/2`, 'x');
    const other = await createLog(`${origin}/2`, 'other', undefined, () => [
      succession({ from, kept, to: x, by: [old, x] }),
    ]);
    const wrong = await other.bundle({ size: 7, anchor: 'none' });
    expect(checkpoint(wrong, [other.keys[0]]).text).toContain('does not name the first key of the log');
  });
});
