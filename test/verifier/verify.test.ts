import { describe, expect, it } from 'vitest';
import { formatNote, signNote } from '../../src/ledger/note-writer.js';
import { fromBase64, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { parseNote } from '../../src/verifier/note.js';
import { formatVerifierKey } from '../../src/verifier/note-key.js';
import type { Claim } from '../../src/verifier/report.js';
import { type Trust, verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget, withoutWork } from '../anchoring/bitcoin.js';
import { type BundleJson, type Choices, createLog, encode, signerOf } from './bundles.js';

const log = await createLog('log.example/1', 'verify');
const other = await createLog('other.example/1', 'other');
const trust = { keys: [log.keys[0], log.witness], easiest: () => easyTarget };
const whole = await log.bundle();

type Change = (bundle: BundleJson) => void;

/** The claim about a bundle in which something was changed. */
function claim(name: Claim['name'], change: Change = () => undefined, by: Trust = trust, from = whole): Claim {
  const bundle = structuredClone(from);
  change(bundle);
  const found = verifyBundle(encode(bundle), by).claims.find((one) => one.name === name);
  if (!found) throw new Error(`there is no claim ${name}`);
  return found;
}

const text = (state: Claim['state'], pattern: RegExp) => ({ state, text: expect.stringMatching(pattern) });
const entryOf = ({ entry }: BundleJson) => fromUtf8(fromBase64(entry));
const rewrite = (replace: (text: string) => string) => (bundle: BundleJson) => {
  bundle.entry = toBase64(toUtf8(replace(entryOf(bundle))));
};
const flipped = (encoded = '', at = 0) => {
  const bytes = fromBase64(encoded);
  return toBase64(bytes.with(at, (bytes[at] ?? 0) ^ 1));
};
const headOf = ({ head }: BundleJson) => head ?? { leaf: '', tag_key: '', index: 0, inclusion: [] };
const leafOf = (bundle: BundleJson) => {
  const { leaf, index, inclusion } = headOf(bundle);
  return { leaf, index, inclusion };
};
/** Nothing that is about a place in a log. */
const unplaced: Change = (bundle) => {
  for (const key of ['inclusion', 'head', 'checkpoint'] as const) delete bundle[key];
  Object.assign(bundle, { keys: [], anchors: [] });
};

describe('a bundle', () => {
  it.each<Choices>([
    {},
    { workspace: 1, seq: 1, disclosed: false },
    { workspace: 2, seq: 1, anchor: 'this' },
    { workspace: 0, seq: 11, size: 9, anchor: 'this', headers: false },
    { workspace: 1, seq: 5, size: 9, anchor: 'none' },
    { workspace: 0, seq: 7, anchor: 'promised' },
  ])('has every claim once, in their order, and none that failed: %j', async (choices) => {
    const report = verifyBundle(encode(await log.bundle(choices)), trust);
    const names = ['entry', 'content', 'inclusion', 'checkpoint', 'consistency', 'opentimestamps', 'ethereum'];
    expect(report.claims.map(({ name }) => name)).toEqual(names);
    expect(report.claims.filter(({ state }) => state === 'failed')).toEqual([]);
    const linked = log.entries(choices.workspace ?? 0)[(choices.seq ?? 2) - 1];
    expect(report.receipt).toMatchObject({ hash: linked?.hash, seq: linked?.entry.seq, kind: 'memory.write' });
  });

  it('needs no checkpoint', () => {
    const states = (['inclusion', 'checkpoint', 'consistency', 'opentimestamps', 'ethereum'] as const).map(
      (name) => claim(name, unplaced).state,
    );
    expect(new Set(states)).toEqual(new Set(['absent']));
    expect(claim('entry', unplaced).state).toBe('verified');
  });
});

describe('the claim about the entry', () => {
  const hash = log.entries(0)[1]?.hash ?? '';

  it('is verified, also against the hash of a receipt', () => {
    expect(claim('entry')).toMatchObject({ state: 'verified', details: { receipt_hash: hash } });
    expect(claim('entry', undefined, { ...trust, receiptHash: hash })).toMatchObject(text('verified', /asked for/));
  });

  it('fails for the entry of another receipt', () => {
    const receiptHash = toHex(fromHex(hash).with(31, 0));
    expect(claim('entry', undefined, { ...trust, receiptHash })).toMatchObject(text('failed', /another receipt/));
  });

  it.each<[string, (text: string) => string]>([
    ['is not canonical', (entry) => `${entry} `],
    ['is not canonical', (entry) => entry.replace('"seq":2', '"seq":2.0')],
    ['is no JSON', (entry) => entry.slice(1)],
    ['is of another version', (entry) => entry.replace('"v":1', '"v":2')],
    ['has no seq', (entry) => entry.replace('"seq":2,', '')],
    ['has seq 0', (entry) => entry.replace('"seq":2', '"seq":0')],
    ['has a seq that is a text', (entry) => entry.replace('"seq":2', '"seq":"2"')],
    ['has no hash of the one before', (entry) => entry.replace(/"prev_hash":"../, '"prev_hash":"XX')],
    ['has no name', (entry) => entry.replace(/"receipt_id":"[^"]*"/, '"receipt_id":""')],
    ['has no time', (entry) => entry.replace(/"recorded_at":"[^"]*"/, '"recorded_at":"today"')],
    ['has no body', (entry) => entry.replace(/"body":\{[^}]*\}/, '"body":[]')],
  ])('fails where it %s', (_, replace) => {
    expect(claim('entry', rewrite(replace))).toMatchObject(text('failed', /cannot be read/));
    expect(claim('content', rewrite(replace)).state).toBe('failed');
    expect(claim('inclusion', rewrite(replace)).state).toBe('failed');
  });
});

describe('the claim about the content', () => {
  it('is verified for each text that is shown', () => {
    expect(claim('content')).toMatchObject(text('verified', /content, metadata, source/));
    const part = claim('content', (bundle) => Object.assign(bundle.disclosed ?? {}, { content: null, metadata: null }));
    expect(part).toMatchObject(text('verified', /as source is/));
  });

  it('is absent when nothing is shown', () => {
    expect(claim('content', (bundle) => delete bundle.disclosed).state).toBe('absent');
    const nothing = { content: null, metadata: null, source: null };
    expect(claim('content', (bundle) => Object.assign(bundle.disclosed ?? {}, nothing)).state).toBe('absent');
  });

  it.each(['content', 'metadata', 'source'] as const)('fails for another %s', (name) => {
    const change: Change = ({ disclosed }) => Object.assign(disclosed ?? {}, { [name]: 'x' });
    expect(claim('content', change)).toMatchObject(text('failed', new RegExp(`shown as ${name}\\.`)));
  });

  it('fails for another salt, and for a source that the entry has none of', async () => {
    const salt: Change = ({ disclosed }) => Object.assign(disclosed ?? {}, { salt: flipped(disclosed?.salt) });
    expect(claim('content', salt).state).toBe('failed');
    const source: Change = ({ disclosed }) => Object.assign(disclosed ?? {}, { source: 'null' });
    expect(claim('content', source, trust, await log.bundle({ seq: 3 })).state).toBe('failed');
  });
});

describe('the claim about the inclusion', () => {
  it('says where the entry is', () => {
    expect(claim('inclusion')).toMatchObject(text('verified', /number 2 of 7 .* leaf 5 of the 6/));
  });

  it.each<[string, Change, RegExp]>([
    ['another entry', rewrite((entry) => entry.replace('"ada"', '"eve"')), /not shown to be in the tree/],
    ['another workspace', rewrite((entry) => entry.replace(/("workspace_id":").{8}/, '$100000000')), /another worksp/],
    ['an entry behind the head', rewrite((entry) => entry.replace('"seq":2', '"seq":8')), /has only 7/],
    ['another last entry', rewrite((entry) => entry.replace('"seq":2', '"seq":7')), /another entry as the last/],
    ['another proof', (bundle) => bundle.inclusion?.reverse(), /not shown to be in the tree/],
    ['a longer proof', (bundle) => bundle.inclusion?.push(toBase64(new Uint8Array(32))), /4 hashes and needs 3/],
    ['another tag key', (b) => Object.assign(headOf(b), { tag_key: flipped(b.head?.tag_key) }), /another workspace/],
    ['another index', (b) => Object.assign(headOf(b), { index: 4 }), /not shown to be in the log/],
    ['an index beyond', (b) => Object.assign(headOf(b), { index: 6 }), /has no leaf 6/],
    ['another leaf', (b) => Object.assign(headOf(b), { leaf: b.keys[0]?.leaf }), /cannot be read/],
    ['a leaf of zeros', (b) => Object.assign(headOf(b), { leaf: toBase64(new Uint8Array(100)) }), /cannot be read/],
    ['no checkpoint', (bundle) => Object.assign(bundle, { checkpoint: 'x' }), /cannot be read/],
  ])('fails for %s', (_, change, why) => {
    expect(claim('inclusion', change)).toMatchObject(text('failed', why));
  });

  it('fails for a head that is not in the log', () => {
    const change: Change = (bundle) => {
      const leaf = fromUtf8(fromBase64(headOf(bundle).leaf)).replace('"size":7', '"size":6');
      headOf(bundle).leaf = toBase64(toUtf8(leaf));
    };
    expect(claim('inclusion', change).state).toBe('failed');
  });
});

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
    expect(claim('checkpoint', undefined, { keys: [other.keys[0]] })).toMatchObject(text('failed', /no known key/));
    const stranger = signerOf('stranger.example', 'stranger');
    const signed = claim(
      'checkpoint',
      renote((note) => [signNote(note, stranger)]),
      { keys: [stranger.key] },
    );
    expect(signed).toMatchObject(text('failed', /No trusted key of log.example/));
    const unsigned = claim(
      'checkpoint',
      renote((note) => [signNote(note, log.signers[0])]),
      { keys: [log.keys[1]] },
    );
    expect(unsigned.state).toBe('failed');
  });

  it('fails for a wrong signature, whoever knows the key', () => {
    const wrong = renote((note) => [signNote(`${note}x\n`, log.signers[1])]);
    for (const keys of [[], [log.keys[0]], [log.keys[1]]]) {
      expect(claim('checkpoint', wrong, { keys })).toMatchObject(text('failed', /is wrong/));
    }
    const twice = renote((note) => [signNote(note, log.signers[1]), signNote(note, log.signers[1])]);
    expect(claim('checkpoint', twice)).toMatchObject(text('failed', /two signatures of one key/));
    expect(claim('checkpoint', (bundle) => Object.assign(bundle, { checkpoint: '\n\n' })).state).toBe('failed');
  });

  it.each<[string, Change, RegExp]>([
    ['are out of order', ({ keys }) => keys.reverse(), /not behind the one before/],
    ['are there twice', ({ keys }) => keys.push(...keys.slice(1)), /not behind the one before/],
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
    expect(claim('opentimestamps', undefined, trust, changed)).toMatchObject(text('failed', /does not stand for/));
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
    expect(claim('opentimestamps', change)).toMatchObject(text('failed', /of something else/));
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
  it('is not checked, whatever they are', () => {
    const change: Change = ({ anchors }) => anchors.push({ type: 'ethereum', transaction: '0x' }, { type: 'new-1' });
    expect(claim('ethereum', change)).toMatchObject(text('not checked', /ethereum, new-1/));
    expect(claim('ethereum').state).toBe('absent');
    expect(claim('opentimestamps', change).state).toBe('verified');
  });
});
