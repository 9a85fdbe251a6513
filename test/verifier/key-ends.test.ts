import { describe, expect, it } from 'vitest';
import { formatNote, signNote } from '../../src/tlog/note-writer.js';
import { fromUtf8, toUtf8 } from '../../src/verifier/bytes.js';
import { openKeyHistory } from '../../src/verifier/key-history.js';
import { readKeyEvent } from '../../src/verifier/keys.js';
import { parseNote, type VerifierKey } from '../../src/verifier/note.js';
import { createLog, keyLeaf, signerOf } from './bundles.js';
import { type Change, claim, text } from './claim-of.js';
import { keyEndLeaf } from './key-end-leaf.js';

const origin = 'log.example/1';
const retired = await createLog(origin, 'ends', (first, second) => [keyEndLeaf(first, 'retired', 6, second)]);
const [first, second] = retired.signers;
const outsider = signerOf('other.example/1', 'outsider');
const disowned = await createLog(origin, 'ends', (_, own) => [
  keyLeaf(outsider, '2026-03-01T00:00:00.000Z'),
  keyEndLeaf(outsider, 'disowned', 0, own),
]);

/** The checkpoint of a bundle, signed by others. */
const signedBy =
  (...signers: (typeof first)[]): Change =>
  (bundle) => {
    const { text: body } = parseNote(toUtf8(bundle.checkpoint ?? ''));
    bundle.checkpoint = fromUtf8(formatNote({ text: body, signatures: signers.map((one) => signNote(body, one)) }));
  };
const knowing = (...keys: VerifierKey[]) => ({ keys });

describe('a retired key', () => {
  it('signs nothing of more leaves than the log says, anyone who has it', async () => {
    const bundle = await retired.bundle({ size: 10, anchor: 'none' });
    for (const key of [first.key, second.key]) {
      expect(claim('checkpoint', undefined, knowing(key), bundle).state).toBe('verified');
    }
    const stolen = claim('checkpoint', signedBy(first), knowing(first.key, second.key), bundle);
    expect(stolen).toMatchObject(text('failed', /its key [0-9a-f]{8} was retired after 6 leaves/));
    // What it has signed before stays valid.
    const early = await retired.bundle({ size: 6, anchor: 'none' });
    expect(claim('checkpoint', signedBy(first), knowing(first.key), early).state).toBe('verified');
  });

  it('signs nothing later by the claim of the reader, and signs for nothing later', async () => {
    const bundle = await retired.bundle({ size: 9, anchor: 'none' });
    const until = (retiredAfter: number) => knowing({ ...first.key, retiredAfter });
    expect(claim('checkpoint', undefined, until(9), bundle).state).toBe('verified');
    expect(claim('checkpoint', undefined, until(8), bundle)).toMatchObject(text('failed', /retired after 8 leaves/));
    expect(claim('checkpoint', signedBy(first), until(8), bundle).state).toBe('failed');
  });

  it('ends only by the claim of another key in use', async () => {
    const by = async (...signers: (typeof first)[]) => {
      const ended = await createLog(origin, 'ends', (one) => [keyEndLeaf(one, 'retired', 6, ...signers)]);
      const bundle = await ended.bundle({ size: 10, anchor: 'none' });
      return claim('checkpoint', signedBy(first), knowing(first.key), bundle).state;
    };
    expect(await by(first)).toBe('verified');
    expect(await by(signerOf(origin, 'no one knows it'))).toBe('verified');
    expect(await by(second)).toBe('failed');
  });
});

it('a key of another log is no fault of a log that has disowned it', async () => {
  const bundle = await disowned.bundle({ size: 11, anchor: 'none' });
  expect(claim('checkpoint', undefined, knowing(first.key), bundle).state).toBe('verified');
  const kept: Change = ({ keys }) => keys.pop();
  expect(claim('checkpoint', kept, knowing(first.key), bundle)).toMatchObject(
    text('failed', /is a key of another log/),
  );
  expect(claim('checkpoint', signedBy(outsider), knowing(outsider.key, first.key), bundle).state).toBe('failed');
});

describe('the history of keys of a whole log', () => {
  const take = (...leaves: readonly Uint8Array[]) => {
    const history = openKeyHistory();
    const faults = leaves.map((leaf, at) => history.take(at, readKeyEvent(leaf)));
    return { faults, history };
  };
  const begin = [keyLeaf(first, '2026-01-01T00:00:00.000Z'), keyLeaf(second, '2026-02-01T00:00:00.000Z', first)];
  const bad = keyLeaf(outsider, '2026-03-01T00:00:00.000Z');

  it('refuses ends that no one may write', () => {
    const faultOf = (...leaves: readonly Uint8Array[]) => take(...begin, ...leaves).faults.at(-1);
    expect(faultOf(keyEndLeaf(first, 'retired', 2, first))).toMatch(/without the signature of another key in use/);
    expect(faultOf(keyEndLeaf(first, 'disowned', 0, second))).toMatch(/although nothing is wrong with it/);
    expect(faultOf(keyEndLeaf(outsider, 'retired', 2, second))).toMatch(/that the log does not have/);
    expect(faultOf(keyEndLeaf(first, 'retired', 2, outsider))).toMatch(/for another log/);
    const forged = signerOf(origin, 'forged');
    const lying = { key: second.key, sign: forged.sign };
    expect(faultOf(keyEndLeaf(first, 'retired', 2, lying))).toMatch(/a wrong signature by key/);
    const ended = keyEndLeaf(first, 'retired', 2, second);
    expect(faultOf(ended, keyEndLeaf(second, 'retired', 2, first))).toMatch(/without the signature of another/);
  });

  it('allows a retired key sign for no further key', () => {
    const third = keyLeaf(signerOf(origin, 'third'), '2026-03-01T00:00:00.000Z', first);
    const { history } = take(...begin, keyEndLeaf(first, 'retired', 2, second), third);
    expect(history.unsound()).toMatchObject([{ index: 3, fault: 'is endorsed by no earlier key in use' }]);
    expect(history.sound().map(({ key }) => key.retiredAfter)).toEqual([2, undefined]);
  });

  it('takes a disowned key out, and only as often as it was disowned', () => {
    const disown = keyEndLeaf(outsider, 'disowned', 0, second);
    expect(take(...begin, bad).history.unsound()).toHaveLength(1);
    expect(take(...begin, bad, disown).history.unsound()).toEqual([]);
    expect(take(...begin, bad, disown, bad).history.unsound()).toMatchObject([{ index: 4 }]);
  });
});
