import { describe, expect, it } from 'vitest';
import { formatNote, signNote } from '../../src/tlog/note-writer.js';
import { fromUtf8, toUtf8 } from '../../src/verifier/bytes.js';
import { formatVerifierKey, parseNote } from '../../src/verifier/note.js';
import type { Trust } from '../../src/verifier/verify.js';
import { withoutWork } from '../anchoring/bitcoin.js';
import { type BundleJson, signerOf } from './bundles.js';
import { type Change, claim, leafOf, log, other, text, trust, whole } from './claim-of.js';

describe('the claim about the checkpoint', () => {
  const renote =
    (make: (text: string) => ReturnType<typeof signNote>[]): Change =>
    (bundle) => {
      const note = parseNote(toUtf8(bundle.checkpoint ?? ''));
      bundle.checkpoint = fromUtf8(formatNote({ ...note, signatures: make(note.text) }));
    };

  it('is verified by the key itself, and by an earlier one that endorses it', () => {
    const direct = claim('checkpoint', undefined, { ...trust, keys: [log.keys[1]] });
    expect(direct).toMatchObject({ state: 'verified', details: { signed_by: formatVerifierKey(log.keys[1]) } });
    expect(claim('checkpoint')).toMatchObject({
      state: 'verified',
      details: { keys_in_log: 2, cosigned_by: 'witness.example/w 2026-02-02T02:40:00.000Z' },
    });
  });

  it('is not checked without a key, and says which key to ask about', () => {
    const vkey = formatVerifierKey(log.keys[1]);
    for (const keys of [[], [log.witness]]) {
      expect(claim('checkpoint', undefined, { keys })).toMatchObject({
        state: 'not checked',
        text: expect.stringContaining(vkey),
      });
    }
    const without = claim('checkpoint', (bundle) => Object.assign(bundle, { keys: [] }), { keys: [] });
    expect(without).toMatchObject(text('not checked', /does not say/));
  });

  it('fails for keys of others', () => {
    expect(claim('checkpoint', undefined, { keys: [other.keys[0]] })).toMatchObject(text('failed', /No trusted key/));
    const outsider = signerOf('outsider.example', 'outsider');
    const signed = claim(
      'checkpoint',
      renote((note) => [signNote(note, outsider)]),
      { keys: [outsider.key] },
    );
    expect(signed).toMatchObject(text('failed', /No trusted key of log.example/));
    const unsigned = claim(
      'checkpoint',
      renote((note) => [signNote(note, log.signers[0])]),
      { keys: [log.keys[1]] },
    );
    expect(unsigned.state).toBe('failed');
  });

  it('fails for a wrong signature, anyone who knows the key', () => {
    const wrong = renote((note) => [signNote(`${note}x\n`, log.signers[1])]);
    for (const keys of [[], [log.keys[0]], [log.keys[1]]]) {
      expect(claim('checkpoint', wrong, { keys })).toMatchObject(text('failed', /is wrong/));
    }
    const twice = renote((note) => [signNote(note, log.signers[1]), signNote(note, log.signers[1])]);
    expect(claim('checkpoint', twice)).toMatchObject(text('failed', /two signatures of one key/));
    expect(claim('checkpoint', (bundle) => Object.assign(bundle, { checkpoint: '\n\n' })).state).toBe('failed');
  });

  it.each<[string, Change, RegExp]>([
    ['are out of order', ({ keys }) => keys.reverse(), /not after the one before/],
    ['are there twice', ({ keys }) => keys.push(...keys.slice(1)), /not after the one before/],
    ['are elsewhere', ({ keys }) => Object.assign(keys[1] ?? {}, { index: 3 }), /is not there/],
    ['are no keys', (b) => b.keys.push(leafOf(b)), /cannot be read/],
  ])('fails where keys of the log %s', (_, change, why) => {
    for (const keys of [[], trust.keys]) {
      expect(claim('checkpoint', change, { keys })).toMatchObject(text('failed', why));
    }
  });

  it('fails where the key that signed is not endorsed by a trusted one', () => {
    const change: Change = ({ keys }) => keys.pop();
    expect(claim('checkpoint', change)).toMatchObject(text('failed', /No trusted key|no known key/));
  });
});

describe('the claim about consistency', () => {
  const anchorOf = ({ anchors }: BundleJson) => anchors[0] ?? { type: '' };

  it('is verified, and absent where the very checkpoint was anchored', async () => {
    expect(claim('consistency')).toMatchObject({ state: 'verified', details: { size: 6, later: '9' } });
    const same = await log.bundle({ anchor: 'this' });
    expect(claim('consistency', undefined, trust, same).state).toBe('absent');
    expect(claim('opentimestamps', undefined, trust, same).state).toBe('verified');
  });

  it.each<[string, (bundle: BundleJson) => void | Promise<void>, RegExp]>([
    ['another proof', (b) => anchorOf(b).consistency?.reverse() && undefined, /does not lead/],
    ['a shorter proof', (b) => anchorOf(b).consistency?.pop() && undefined, /needs/],
    ['an earlier checkpoint', (b) => swap(b), /cannot have grown/],
    [
      'a checkpoint of another log',
      async (b) => void Object.assign(anchorOf(b), { checkpoint: (await other.bundle({ size: 9 })).checkpoint }),
      /another log/,
    ],
    ['no checkpoint', (b) => void Object.assign(anchorOf(b), { checkpoint: 'x' }), /cannot be read/],
    [
      'a wrong signature',
      (b) => {
        const note = parseNote(toUtf8(anchorOf(b).checkpoint ?? ''));
        const signatures = [signNote(`${note.text}x\n`, log.signers[1])];
        anchorOf(b).checkpoint = fromUtf8(formatNote({ ...note, signatures }));
      },
      /is wrong/,
    ],
  ])('fails for %s, and the timestamp with it', async (_, change, why) => {
    const changed = structuredClone(whole);
    await change(changed);
    expect(claim('consistency', undefined, trust, changed)).toMatchObject(text('failed', why));
    expect(claim('opentimestamps', undefined, trust, changed)).toMatchObject(text('failed', /is not shown to contain/));
  });

  function swap(bundle: BundleJson): void {
    const anchor = anchorOf(bundle);
    [bundle.checkpoint, anchor.checkpoint] = [anchor.checkpoint ?? '', bundle.checkpoint ?? ''];
  }
});

describe('the claim about the timestamp', () => {
  const header = log.chain.block(1)?.header ?? new Uint8Array();
  const given = (headers: Trust['headers']): Trust => ({ ...trust, ...(headers ? { headers } : {}) });

  it('is verified with the header of the bundle, and with that of the reader instead', () => {
    expect(claim('opentimestamps')).toMatchObject(text('verified', /block 1 of Bitcoin .* came with the bundle/));
    const withOwn = claim(
      'opentimestamps',
      undefined,
      given((height) => (height === 1 ? header : undefined)),
    );
    expect(withOwn).toMatchObject({ state: 'verified', text: expect.not.stringContaining('came with') });
    const wrong = withoutWork(header);
    expect(
      claim(
        'opentimestamps',
        undefined,
        given(() => wrong),
      ).state,
    ).toBe('failed');
    expect(
      claim(
        'opentimestamps',
        undefined,
        given(() => undefined),
      ),
    ).toMatchObject({
      state: 'not checked',
      details: { missing_headers: '1' },
    });
  });

  it('believes no header that was cheap to make', () => {
    const claimed = claim('opentimestamps', undefined, { keys: trust.keys });
    expect(claimed).toMatchObject(text('failed', /easier to mine/));
  });

  it('is not checked while there is a promise only, and absent without an anchor', async () => {
    const promised = claim('opentimestamps', undefined, trust, await log.bundle({ anchor: 'promised' }));
    expect(promised).toMatchObject({ state: 'not checked', details: { pending_at: 'https://calendar.example' } });
    expect(claim('opentimestamps', (bundle) => Object.assign(bundle, { anchors: [] })).state).toBe('absent');
  });

  it('fails for another checkpoint and for what is no timestamp', async () => {
    const foreign = (await other.bundle({ anchor: 'this' })).anchors;
    const change: Change = (bundle) => Object.assign(bundle, { anchors: foreign });
    expect(claim('opentimestamps', change)).toMatchObject(text('failed', /of another file/));
    const broken: Change = ({ anchors }) => Object.assign(anchors[0] ?? {}, { ots: 'AAAA' });
    expect(claim('opentimestamps', broken)).toMatchObject(text('failed', /cannot be read/));
  });

  it('fails when one of several does', async () => {
    const { anchors } = await log.bundle({ anchor: 'this' });
    expect(claim('opentimestamps', (bundle) => bundle.anchors.push(...anchors)).details).toMatchObject({
      timestamps: 2,
    });
    const broken = anchors.map((anchor) => ({ ...anchor, ots: 'AAAA' }));
    expect(claim('opentimestamps', (bundle) => bundle.anchors.push(...broken)).state).toBe('failed');
  });
});

describe('the claim about other anchors', () => {
  it('is not checked, no matter what they are', () => {
    const change: Change = ({ anchors }) =>
      anchors.push({ type: 'carrier-pigeon', transaction: '0x' }, { type: 'new-1' });
    expect(claim('ethereum', change)).toMatchObject(text('not checked', /carrier-pigeon, new-1/));
    expect(claim('ethereum').state).toBe('absent');
    expect(claim('opentimestamps', change).state).toBe('verified');
  });
});
