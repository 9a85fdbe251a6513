import { describe, expect, it } from 'vitest';
import { type Bundle, bundleLimits, readBundle } from '../../src/verifier/bundle.js';
import { fromBase64, toBase64, toUtf8 } from '../../src/verifier/bytes.js';
import { Unreadable } from '../../src/verifier/unreadable.js';
import { type BundleJson, createLog, encode } from './bundles.js';

const log = await createLog('log.example/1', 'bundle');
const whole = await log.bundle();
const hash = toBase64(new Uint8Array(32));
const header = '00'.repeat(80);

function refusal(change: (bundle: BundleJson) => void): string {
  const bundle = structuredClone(whole);
  change(bundle);
  return refusalOf(encode(bundle));
}

function refusalOf(bytes: Uint8Array): string {
  try {
    readBundle(bytes);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return 'it was read';
}

/** Another value somewhere, however wrong its type. */
const at = (path: string, value: unknown) => (bundle: BundleJson) => {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<object>((object, key) => Reflect.get(object, key), bundle);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
};

describe('a bundle', () => {
  it('is read as it was written', () => {
    const bundle: Bundle = readBundle(encode(whole));
    expect(toBase64(bundle.entry)).toBe(whole.entry);
    expect(bundle.disclosed?.content).toBe(whole.disclosed?.content);
    expect(bundle.place?.checkpoint).toBe(whole.checkpoint);
    expect(bundle.keys.map(({ index }) => index)).toEqual([0, 4]);
    expect(bundle.anchors).toMatchObject([
      { type: 'opentimestamps', later: { checkpoint: whole.anchors[0]?.checkpoint } },
    ]);
    expect(readBundle(toUtf8(JSON.stringify(whole, null, 2)))).toEqual(bundle);
  });

  it('may have anchors of types to come, with what they like in them', () => {
    const anchors = [{ type: 'carrier-pigeon', transaction: { any: ['thing'] } }];
    expect(readBundle(encode({ ...whole, anchors })).anchors).toEqual([{ type: 'other', name: 'carrier-pigeon' }]);
  });
});

describe('what is refused', () => {
  it.each<[string, unknown, RegExp]>([
    ['format', 'counterfoil-proof/2', /is not "counterfoil-proof\/1"\. A newer version may have made it/],
    ['format', undefined, /has no member "format"/],
    ['more', 1, /unknown member more: was it made by a newer version/],
    ['entry', undefined, /has no entry/],
    ['entry', 'AAA', /the entry is base64/],
    ['entry', `${whole.entry} `, /the entry is base64/],
    ['keys', undefined, /has no keys/],
    ['keys', {}, /not a list/],
    ['anchors', null, /not a list/],
    ['inclusion', undefined, /only in part/],
    ['head', undefined, /only in part/],
    ['checkpoint', undefined, /only in part/],
    ['inclusion.0', hash.slice(4), /does not have 32 bytes/],
    ['inclusion', Array(65).fill(hash), /more than 64/],
    ['head.index', -1, /whole number/],
    ['head.index', 1.5, /whole number/],
    ['head.index', 2 ** 53, /whole number/],
    ['head.index', '5', /whole number/],
    ['head.tag_key', hash.slice(4), /does not have 32 bytes/],
    ['head.more', 1, /unknown member/],
    ['head.leaf', toBase64(new Uint8Array(65_536)), /more than 65535 bytes/],
    ['disclosed', null, /not an object/],
    ['disclosed', [], /not an object/],
    ['disclosed.salt', '', /does not have 32 bytes/],
    ['disclosed.content', 1, /not a text/],
    ['disclosed.content', undefined, /has no content/],
    ['keys.0.endorsed', true, /unknown member/],
    ['keys', Array(17).fill(whole.keys[0]), /more than 16/],
    ['anchors', Array(17).fill({ type: 'carrier-pigeon' }), /more than 16/],
    ['anchors', Array(5).fill(whole.anchors[0]), /more than 4 anchors/],
    ['anchors.0.type', 'Open Timestamps', /not a word/],
    ['anchors.0.type', undefined, /not a text/],
    ['anchors.0.more', 1, /unknown member/],
    ['anchors.0.checkpoint', undefined, /not a text/],
    ['anchors.0.consistency', undefined, /not a list/],
    ['anchors.0.ots', undefined, /has no ots/],
    ['anchors.0.ots', toBase64(new Uint8Array(65_537)), /bytes/],
    ['anchors.0.headers', { '01': header }, /no height/],
    ['anchors.0.headers', { '-1': header }, /no height/],
    ['anchors.0.headers', { 1: header.slice(2) }, /80 bytes/],
    ['anchors.0.headers', { 1: header.replace('0', 'G') }, /hex/],
    ['anchors.0.headers', Object.fromEntries(Array(17).fill(header).entries()), /more than 16/],
  ])('%s where it is wrong in number $#', (path, value, why) => {
    expect(refusal(at(path, value))).toMatch(why);
  });

  it('keys and anchors without a checkpoint', () => {
    const { inclusion: _, head: __, checkpoint: ___, ...rest } = whole;
    expect(refusalOf(encode(rest))).toMatch(/without a checkpoint/);
    expect(refusalOf(encode({ ...rest, keys: [], anchors: [] }))).toBe('it was read');
  });

  it.each([
    ['nothing', ''],
    ['something else', '[]'],
    ['a member twice', JSON.stringify(whole).replace('{', '{"format":"counterfoil-proof/1",')],
    ['a text behind it', `${JSON.stringify(whole)}{}`],
    ['a byte order mark within it', `{\ufeff${JSON.stringify(whole).slice(1)}`],
    ['two byte order marks', `\ufeff\ufeff${JSON.stringify(whole)}`],
  ])('%s', (_, text) => {
    expect(refusalOf(toUtf8(text))).not.toBe('it was read');
  });

  it('more bytes, levels and values than the limits', () => {
    expect(refusalOf(new Uint8Array(bundleLimits.bytes + 1))).toMatch(/more than 2621440 bytes/);
    const nested = (depth: number) => ({
      ...whole,
      anchors: [{ type: 'x', in: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) }],
    });
    expect(refusalOf(encode(nested(14)))).toBe('it was read');
    expect(refusalOf(encode(nested(15)))).toMatch(/more than 16 levels/);
    expect(refusalOf(encode({ ...whole, anchors: [{ type: 'x', in: Array(20_000).fill(0) }] }))).toMatch(/values/);
    const shown = (name: string, bytes: number) =>
      refusalOf(encode({ ...whole, disclosed: { ...whole.disclosed, [name]: `é${'x'.repeat(bytes - 2)}` } }));
    for (const [name, bytes] of [
      ['content', bundleLimits.contentBytes],
      ['metadata', bundleLimits.textBytes],
      ['source', bundleLimits.textBytes],
    ] as const) {
      expect([name, shown(name, bytes), shown(name, bytes + 1)]).toEqual([
        name,
        'it was read',
        expect.stringContaining(`the ${name} has more than ${bytes} bytes`),
      ]);
    }
    const noted = (checkpoint: string) => [
      refusalOf(encode({ ...whole, checkpoint })),
      refusalOf(encode({ ...whole, anchors: [{ type: 'opentimestamps', ots: '', checkpoint, consistency: [] }] })),
    ];
    const most = 'é'.repeat(bundleLimits.checkpointBytes / 2);
    expect(noted(most)).toEqual(['it was read', 'it was read']);
    for (const said of noted(`${most}.`)) expect(said).toMatch(/the checkpoint.* has more than 16384 bytes/);
    const large = { ...whole, entry: toBase64(new Uint8Array(bundleLimits.entryBytes + 1)) };
    expect(refusalOf(encode(large))).toMatch(/the entry/);
    expect(fromBase64(large.entry).length).toBe(bundleLimits.entryBytes + 1);
  });
});
