import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { fromUtf8, toHex } from '../../src/verifier/bytes.js';
import { emptyRoot } from '../../src/verifier/merkle.js';
import { faultOfSuccession, isBeyond, readSuccession } from '../../src/verifier/succession.js';
import { attempt } from '../../src/verifier/unreadable.js';
import { signerOf } from './bundles.js';
import { type MadeSuccession, rootOf, succession } from './successions.js';

const origin = 'memory.example';
const [old, second, outsider] = ['old', 'second', 'outsider'].map((seed) => signerOf(origin, seed));
const next = signerOf(`${origin}/2`, 'next');
if (!old || !second || !outsider) throw new Error('there are three');

const made: MadeSuccession = {
  from: { origin, size: 40, root: rootOf('from') },
  kept: { size: 12, root: rootOf('kept') },
  to: next,
  by: [old, next],
};
const sound = succession(made);
const faultOf = (leaf: Uint8Array, keys = [old.key]) => faultOfSuccession(readSuccession(leaf), keys);
const read = (changed: Partial<MadeSuccession>) => attempt(() => readSuccession(succession({ ...made, ...changed })));

describe('a succession', () => {
  it('is sound when a key of the old log and the new key have endorsed it', () => {
    expect(faultOf(sound)).toBeNull();
    expect(readSuccession(sound)).toMatchObject({ from: { origin, size: 40 }, kept: { size: 12 }, to: next.key });
  });

  it('is nothing without the endorsement of a known key of the old log', () => {
    expect(faultOf(sound, [second.key])).toContain('no known key of memory.example that is in use');
    expect(faultOf(succession({ ...made, by: [next] }))).toContain('no known key of memory.example');
    expect(faultOf(succession({ ...made, by: [outsider, next] }))).toContain('no known key of memory.example');
  });

  it('is nothing without the endorsement of the new key', () => {
    expect(faultOf(succession({ ...made, by: [old] }))).toContain(`not endorsed by the key ${next.key.id}`);
  });

  it('is refused when a known key has a forged endorsement, even if another key has endorsed it', () => {
    const forged = { key: old.key, sign: outsider.sign };
    expect(faultOf(succession({ ...made, by: [second, forged, next] }), [old.key, second.key])).toContain(
      `wrong endorsement by key ${old.key.id}`,
    );
  });

  it('is not a statement by a key that was retired before the log ended', () => {
    expect(faultOf(sound, [{ ...old.key, retiredAfter: 39 }])).toContain('that is in use');
    expect(faultOf(sound, [{ ...old.key, retiredAfter: 40 }])).toBeNull();
  });

  it('names a loss, and a successor of the old name', () => {
    const root = rootOf('x');
    expect(read({ kept: { size: 40, root: rootOf('from') } })).toContain('lost nothing');
    expect(read({ kept: { size: 41, root } })).toContain('lost nothing');
    expect(read({ kept: { size: 0, root } })).toContain('no leaves');
    expect(read({ kept: { size: 0, root: toHex(emptyRoot) } })).toMatchObject({ kept: { size: 0 } });
    for (const name of [origin, `${origin}/1`, `${origin}/3`, 'other.example/2', `${origin}/2/2`]) {
      expect(read({ to: signerOf(name, 'next') })).toContain('not named as the successor');
    }
    expect(read({ from: { ...made.from, origin: `${origin}/2` }, to: signerOf(`${origin}/3`, 'n') })).toBeTypeOf(
      'object',
    );
    // The name of a first log may end with a number.
    expect(read({ from: { ...made.from, origin: `${origin}/2` }, to: signerOf(`${origin}/2/2`, 'n') })).toBeTypeOf(
      'object',
    );
  });

  it('holds in no byte that was changed', () => {
    const bytes = fc.record({ at: fc.nat(sound.length - 1), to: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(bytes, ({ at, to }) => {
        if (sound[at] === to) return;
        const changed = attempt(() => readSuccession(sound.with(at, to)));
        if (typeof changed !== 'string') expect(faultOfSuccession(changed, [old.key, second.key])).not.toBeNull();
      }),
      { numRuns: 400 },
    );
  });

  it('holds with no other value of a member', () => {
    const value = fc.oneof(fc.nat(100), fc.string(), fc.constant(rootOf('other')), fc.constant(null), fc.constant([]));
    const path = fc.constantFrom(
      ...['v', 'type', 'reason', 'from.origin', 'from.size', 'from.root', 'kept.size', 'kept.root'],
      ...['to.origin', 'to.public_key', 'endorsements', 'more', 'from.more'],
    );
    fc.assert(
      fc.property(path, value, (where, other) => {
        const leaf = JSON.parse(fromUtf8(sound));
        const [outer = '', inner] = where.split('.');
        if (inner === undefined) leaf[outer] = other;
        else leaf[outer][inner] = other;
        const bytes = attempt(() => canonicalBytes(leaf));
        if (typeof bytes === 'string' || fromUtf8(bytes) === fromUtf8(sound)) return;
        const changed = attempt(() => readSuccession(bytes));
        if (typeof changed !== 'string') expect(faultOfSuccession(changed, [old.key])).not.toBeNull();
      }),
      { numRuns: 400 },
    );
  });

  it('denies every checkpoint of the old log that is larger, and every other tree of a size that it names', () => {
    const one = readSuccession(sound);
    const tree = (size: number, label: string) => ({ size, root: Buffer.from(rootOf(label), 'hex') });
    expect(isBeyond(one, tree(41, 'x'))).toBe(true);
    expect(isBeyond(one, tree(40, 'x'))).toBe(true);
    expect(isBeyond(one, tree(12, 'x'))).toBe(true);
    expect(isBeyond(one, tree(40, 'from'))).toBe(false);
    expect(isBeyond(one, tree(12, 'kept'))).toBe(false);
    expect(isBeyond(one, tree(30, 'x'))).toBe(false);
  });
});
