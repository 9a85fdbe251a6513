import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossOf } from '../../src/tlog/succession/loss.js';
import { toHex } from '../../src/verifier/bytes.js';
import { emptyRoot } from '../../src/verifier/merkle.js';
import { rootOf } from '../verifier/successions.js';

/** The log of a store after some history, in which the roots of the sizes up to `fork` are those of every history. */
const rootAt = (history: string, fork: number) => (size: number) =>
  rootOf(size <= fork ? `${size}` : `${history} ${size}`);
const nothing = { size: 0, root: toHex(emptyRoot) };

function store(size: number, signedAt: readonly number[], root: (size: number) => string) {
  const sizes = Array.from({ length: size }, (_, at) => at + 1);
  const signed = signedAt.filter((one) => one <= size).map((one) => ({ size: one, root: root(one) }));
  return { size, roots: new Map(sizes.map((one) => [one, root(one)])), signed };
}

describe('what a store has lost of its log', () => {
  it('is nothing while it has every leaf that was signed', () => {
    const root = rootAt('first', 0);
    expect(lossOf(store(9, [3, 7], root), [])).toBeNull();
    // A checkpoint that was about to be signed, and is not published.
    expect(lossOf(store(9, [3, 7], root), [{ size: 9, root: root(9) }])).toBeNull();
    expect(lossOf(store(0, [], root), [nothing])).toBeNull();
  });

  it('is everything behind the last checkpoint before it', () => {
    const root = rootAt('first', 0);
    const known = { size: 12, root: root(12) };
    expect(lossOf(store(9, [3, 7], root), [known])).toEqual({ from: known, kept: { size: 7, root: root(7) } });
    expect(lossOf(store(2, [], root), [known])).toEqual({ from: known, kept: nothing });
    expect(lossOf(store(0, [], root), [known])).toEqual({ from: known, kept: nothing });
  });

  it('is found in a store that has grown again, and nothing of it is kept that was signed beside it', () => {
    const [was, is] = [rootAt('first', 5), rootAt('second', 5)];
    const known = { size: 8, root: was(8) };
    expect(lossOf(store(20, [3, 5], is), [known])).toEqual({ from: known, kept: { size: 5, root: is(5) } });
  });

  it('shows nothing of a record but its size and root', () => {
    const record = { size: 12, root: rootOf('12'), turn: rootOf('secret'), before: null };
    expect(JSON.stringify(lossOf(store(0, [], rootAt('first', 0)), [record]))).not.toContain(rootOf('secret'));
  });

  it('is the same for all histories of writing, signing and restoring', () => {
    const run = fc.record({
      signed: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      restored: fc.nat(40),
      grown: fc.nat(40),
      seen: fc.array(fc.nat(7), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(run, ({ signed, restored, grown, seen }) => {
        const [was, is] = [rootAt('first', restored), rootAt('second', restored)];
        const newest = Math.max(...signed);
        const known = [newest, ...seen.map((at) => signed[at % signed.length] ?? newest)].map((size) => ({
          size,
          root: was(size),
        }));
        const loss = lossOf(
          store(
            restored + grown,
            signed.filter((size) => size <= restored),
            is,
          ),
          known,
        );
        if (newest <= restored) {
          expect(loss).toBeNull();
          return;
        }
        const kept = Math.max(0, ...signed.filter((size) => size <= restored));
        expect(loss?.from).toEqual({ size: newest, root: was(newest) });
        expect(loss?.kept.size).toBe(kept);
      }),
    );
  });
});
