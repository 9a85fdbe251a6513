import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { toBase64, toHex } from '../../../src/verifier/bytes.js';
import { verifierKey } from '../../../src/verifier/note.js';
import { formatTrustedKey } from '../../../src/verifier/trusted-keys.js';
import { attempt } from '../../../src/verifier/unreadable.js';
import { type Trust, verifyBundle } from '../../../src/verifier/verify.js';
import { readPolicy } from '../../../src/verifier/witnesses/policy.js';
import { easyTarget } from '../../anchoring/bitcoin.js';
import { type Choices, createLog, encode, keyLeaf, signerOf, witnessOf } from '../../verifier/bundles.js';
import { keyEndLeaf } from '../../verifier/key-end-leaf.js';
import { mutate, seededRandom } from '../../verifier/mutations.js';
import { searchBundle } from '../../verifier/search-bundle.js';

const script = join(packageRoot, 'test/verifier/second-verifier.py');
const log = await createLog('log.example/1', 'second');
const other = await createLog('other.example/1', 'other');
const header = log.chain.block(1)?.header ?? new Uint8Array();

interface Case {
  readonly bundle: Uint8Array;
  readonly trust: Trust;
  readonly policy?: { readonly text: string; readonly quorum: number | null };
}

/** The states of the claims of each bundle, or null: by the verifier in Python that was written from the page. */
function second(cases: readonly Case[]): unknown {
  const input = cases.map(({ bundle, trust, policy }) => ({
    bundle: toBase64(bundle),
    keys: trust.keys.map(formatTrustedKey),
    headers: trust.headers ? { 1: toHex(header) } : null,
    receipt_hash: trust.receiptHash ?? null,
    policy: policy?.text ?? null,
    quorum: policy?.quorum ?? null,
    easiest: trust.easiest ? trust.easiest(0).toString(16) : null,
  }));
  const run = spawnSync('python3', ['-B', script], { input: JSON.stringify(input), maxBuffer: 2 ** 28 });
  if (run.error) throw new Error('This test needs python3 (3.8 or later): it runs the second verifier.');
  expect(run.stderr.toString()).toBe('');
  return JSON.parse(run.stdout.toString());
}

function first({ bundle, trust, policy }: Case) {
  const report = attempt(() => {
    const witnesses = policy && readPolicy(policy.text, policy.quorum);
    return verifyBundle(bundle, { ...trust, ...(witnesses ? { witnesses } : {}) });
  });
  if (typeof report === 'string') return null;
  return Object.fromEntries(report.claims.map(({ name, state }) => [name, state]));
}

function agree(cases: readonly Case[]): void {
  const said = second(cases);
  if (!Array.isArray(said)) throw new Error('the second verifier must give a list');
  for (const [at, one] of cases.entries()) {
    expect(said[at], new TextDecoder().decode(one.bundle).slice(0, 5000)).toEqual(first(one));
  }
}

const choices: readonly Choices[] = [
  {},
  { workspace: 1, seq: 1, anchor: 'this', disclosed: false },
  { seq: 7, anchor: 'promised' },
  { seq: 11, size: 9, anchor: 'none' },
];
const easiest = () => easyTarget;
const trusts: readonly Trust[] = [
  { keys: [log.keys[0], log.witness], easiest },
  { keys: [log.keys[1]], easiest, headers: (height) => (height === 1 ? header : undefined) },
  { keys: [], easiest, receiptHash: log.entries(0)[1]?.hash ?? '' },
  { keys: [log.witness] },
  { keys: other.keys, easiest },
];

describe('a verifier that was written from the page', () => {
  it('says the same of valid bundles, whomever the reader trusts', async () => {
    const bundles = await Promise.all([...choices.map((choice) => log.bundle(choice)), other.bundle()]);
    const { format, entry } = await log.bundle();
    const queries = [undefined, null, 'who?', 'whom?', 'x'.repeat(65_537)].map((shown) => searchBundle('who?', shown));
    const all = [...bundles, { format, entry, keys: [], anchors: [] }, ...queries].map(encode);
    agree(all.flatMap((bundle) => trusts.map((trust) => ({ bundle, trust }))));
  });

  it('says the same of keys that have ended', async () => {
    const outsider = signerOf('other.example/1', 'outsider');
    const retired = await createLog('log.example/1', 'second', (one, two) => [keyEndLeaf(one, 'retired', 6, two)]);
    const again = await createLog('log.example/1', 'second', (one, two) => [keyEndLeaf(two, 'retired', 9, one)]);
    const alone = await createLog('log.example/1', 'second', (one) => [keyEndLeaf(one, 'retired', 6, one)]);
    const disowned = await createLog('log.example/1', 'second', (_, two) => [
      keyLeaf(outsider, '2026-03-01T00:00:00.000Z'),
      keyEndLeaf(outsider, 'disowned', 0, two),
    ]);
    const bundles = await Promise.all(
      [retired, again, alone].flatMap((one) => [9, 10].map((size) => one.bundle({ size, anchor: 'this' }))),
    );
    const whole = await disowned.bundle({ size: 11, anchor: 'this' });
    const without = { ...whole, keys: whole.keys.slice(0, 3) };
    const known: readonly Trust[] = [
      ...[0, 8, 9, 10].map((retiredAfter) => ({ keys: [{ ...log.keys[0], retiredAfter }] })),
      { keys: [log.keys[0], outsider.key] },
      { keys: [{ ...log.keys[1], retiredAfter: 8 }, log.keys[0]] },
    ];
    const cases = [...bundles, whole, without].map(encode);
    agree(cases.flatMap((bundle) => [...trusts, ...known].map((trust) => ({ bundle, trust }))));
    const random = seededRandom(3);
    const mutated = Array.from({ length: 100 }, (_, at) => ({
      bundle: mutate([whole, ...bundles][at % 7] ?? {}, bundles, random),
      trust: trusts[at % trusts.length] ?? { keys: [] },
    }));
    agree(mutated.filter(({ bundle }) => bundle.length < 100_000));
  });

  it('says the same of numbers, dates and orders that the page decides', async () => {
    const bundle = await log.bundle({ workspace: 0, size: 6 });
    const text = new TextDecoder().decode(encode(bundle));
    const spelled = ['-0', '1e0', '1.0', '0.5', '-1', '0e7', '9007199254740992', '5E-0', '50e-1'].flatMap((number) => [
      text.replace('"index":0', `"index":${number}`),
      text.replace('"index":5', `"index":${number}`),
    ]);
    const [first, second] = bundle.keys;
    const orders = [
      [second, first],
      [first, first, second],
      [first, second, second],
    ].map((keys) => ({ ...bundle, keys }));
    const entry = Buffer.from(bundle.entry, 'base64').toString();
    const changes = [
      ['2026-01-01T00:00:02.000Z', '2026-02-31T25:61:61.000Z'],
      ['2026-01-01T00:00:02.000Z', '0000-00-00T00:00:00Z'],
      ['2026-01-01T00:00:02.000Z', '2026-01-01T00:00:02.0000000001Z'],
      ['"seq":2', '"seq":2.0'],
      ['"seq":2', '"seq":2e0'],
      ['"seq":2', '"seq":-0'],
    ] as const;
    const entries = changes.map(([from, to]) => ({
      ...bundle,
      disclosed: bundle.disclosed,
      entry: Buffer.from(entry.replace(from, to)).toString('base64'),
    }));
    const bytes = [...spelled.map((one) => new TextEncoder().encode(one)), ...[...orders, ...entries].map(encode)];
    agree(bytes.map((one) => ({ bundle: one, trust: { keys: [log.keys[0]], easiest } })));
    expect(new Set(spelled).size).toBe(spelled.length);
  });

  it('says the same of policies of witnesses', async () => {
    const witness = formatTrustedKey(log.witness);
    const others = ['a', 'b'].map((name) => formatTrustedKey(witnessOf(`${name}.example`, name).key));
    const twin = formatTrustedKey(verifierKey('twin.example', 'cosignature/v1', log.witness.publicKey));
    const own = formatTrustedKey(verifierKey('own.example', 'cosignature/v1', log.keys[1].publicKey));
    const defined = [witness, ...others].map((key, at) => `witness w${at} ${key}`).join('\n');
    const policies: [string, number | null][] = [
      ...[1, 2, 3, 4, null].map((quorum): [string, number | null] => [
        [witness, ...others, witness].join('\n'),
        quorum,
      ]),
      [[witness, twin].join('\n'), 1],
      [own, 1],
      [formatTrustedKey(log.keys[0]), 1],
      [`log ${formatTrustedKey(log.keys[0])} # ours\n${defined}\nquorum w0`, null],
      [`${defined}\nquorum w1`, null],
      [`${defined}\nquorum none`, null],
      [`${defined}\nquorum w0`, 1],
      [defined, 1],
      [defined, null],
      [`${defined}\ngroup g any w0 w1\ngroup h 1 g w2\nquorum h`, null],
      [`${defined}\ngroup g all w0 w1\nquorum g`, null],
      [`${defined}\ngroup g 3 w0 w1\nquorum g`, null],
      [`${defined}\ngroup g any w0 w0\nquorum g`, null],
      [`quorum w0\n${defined}`, null],
      [`${defined}\nwitness w0 ${own}\nquorum w0`, null],
    ];
    const bundles = (await Promise.all(choices.map((choice) => log.bundle(choice)))).map(encode);
    const broken = encode({ ...(await log.bundle()), checkpoint: 'x' });
    agree(
      policies.flatMap(([text, quorum]) =>
        [...bundles, broken].map((bundle) => ({ bundle, trust: { keys: [], easiest }, policy: { text, quorum } })),
      ),
    );
  });

  it('says the same of 300 mutations', async () => {
    const random = seededRandom(2);
    const bundles = await Promise.all(choices.map((choice) => log.bundle(choice)));
    const others = [await other.bundle(), ...bundles];
    const cases = Array.from({ length: 300 }, (_, at) => ({
      bundle: mutate(bundles[at % bundles.length] ?? {}, others, random),
      trust: trusts[at % trusts.length] ?? { keys: [] },
    }));
    agree(cases.filter(({ bundle }) => bundle.length < 100_000));
  });
});
