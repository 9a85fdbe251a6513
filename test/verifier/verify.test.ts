import { describe, expect, it } from 'vitest';
import { fromBase64, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { type Choices, encode } from './bundles.js';
import { type Change, claim, flipped, headOf, log, rewrite, text, trust, unplaced } from './claim-of.js';
import { searchBundle } from './search-bundle.js';

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
    expect(claim('entry', undefined, { ...trust, receiptHash: hash })).toMatchObject(text('verified', /expected one/));
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

  // @covers QUERY-OPENED
  it('is about the query of a search, if the bundle shows it', () => {
    const of = (shown?: string | null) => verifyBundle(encode(searchBundle('who has the key?', shown)), trust);
    const contentOf = (shown?: string | null) => of(shown).claims.find(({ name }) => name === 'content');
    expect(contentOf('who has the key?')).toMatchObject(text('verified', /as query is what the entry commits to/));
    expect(contentOf('who has the keys?')).toMatchObject(text('failed', /shown as query\./));
    for (const none of [undefined, null]) expect(contentOf(none)?.state).toBe('absent');
    const story = (shown?: string) => of(shown).receipt?.story.facts.find(({ name }) => name === 'Query');
    expect(story('who has the key?')).toEqual({
      name: 'Query',
      values: ['who has the key?'],
      claim: 'content',
      state: 'verified',
    });
    expect(of('who has the key?').receipt?.texts?.query).toBe('who has the key?');
    expect(JSON.stringify(of('who has the keys?').receipt)).not.toContain('the keys');
    expect(story()?.values).toEqual([expect.stringContaining('the service stores no queries')]);
    expect(claim('content', ({ disclosed }) => Object.assign(disclosed ?? {}, { query: 'x' })).state).toBe('failed');
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
