import { describe, expect, it } from 'vitest';
import { formatNote } from '../../src/tlog/note-writer.js';
import { fromUtf8, toUtf8 } from '../../src/verifier/bytes.js';
import { formatVerifierKey, parseNote, type VerifierKey, verifierKey } from '../../src/verifier/note.js';
import { attempt } from '../../src/verifier/unreadable.js';
import { readPolicy } from '../../src/verifier/witnesses/policy.js';
import { type BundleJson, witnessOf } from './bundles.js';
import { type Change, claim, log, text, trust, unplaced, whole } from './claim-of.js';

const a = witnessOf('a.example', 'policy a');
const b = witnessOf('b.example', 'policy b');
const c = witnessOf('c.example', 'policy c');
type Witness = typeof a;
const vkey = (key: VerifierKey) => formatVerifierKey(key);
const lines = (...text: readonly string[]) => text.join('\n');
const defined = lines(
  `witness A ${vkey(a.key)}`,
  `witness B ${vkey(b.key)} https://b.example`,
  `witness C ${vkey(c.key)}`,
);

/** Adds cosignatures to the bundle's checkpoint, or to the later one of its anchor. */
function cosigned(...witnesses: readonly Witness[]): Change {
  return (bundle) => {
    bundle.checkpoint = withLines(bundle.checkpoint, witnesses);
  };
}

function withLines(note: string | undefined, witnesses: readonly Witness[]): string {
  const { text: signed, signatures } = parseNote(toUtf8(note ?? ''));
  return fromUtf8(
    formatNote({ text: signed, signatures: [...signatures, ...witnesses.map((one) => one.cosign(signed))] }),
  );
}

function witnesses(policy: string, change: Change = () => undefined, quorum: number | null = null, keys = trust.keys) {
  return claim('witnesses', change, { ...trust, keys, witnesses: readPolicy(policy, quorum) });
}

describe('the claim about witnesses', () => {
  it('is there only with a policy', () => {
    expect(() => claim('witnesses')).toThrow('there is no claim witnesses');
  });

  it('counts each witness of a list once, and shows the times of the signatures', () => {
    const list = lines(vkey(a.key), vkey(b.key), vkey(b.key), vkey(c.key));
    const two = witnesses(list, cosigned(a, c), 2);
    expect(two).toMatchObject(text('verified', /^2 witnesses of the policy have signed the checkpoint of 6 leaves/));
    expect(two.details).toEqual({
      size: 6,
      witnesses: 2,
      needed: '2 of 3',
      cosigned_by: 'a.example 2026-02-02T02:40:00.000Z, c.example 2026-02-02T02:40:00.000Z',
    });
    expect(witnesses(list, cosigned(a), 2)).toMatchObject(text('failed', /^1 witness .+ the policy wants 2 of 3\.$/));
    expect(witnesses(list, undefined, 1)).toMatchObject(text('failed', /^0 witnesses/));
  });

  it('counts several keys of one name once', () => {
    const again = witnessOf('a.example', 'another key of a');
    const list = lines(vkey(a.key), vkey(again.key), vkey(b.key));
    expect(witnesses(list, cosigned(a, again), 2).state).toBe('failed');
    expect(witnesses(list, cosigned(again, b), 2).state).toBe('verified');
  });

  it.each<[string, readonly Witness[], string]>([
    [`${defined}\nquorum B`, [b], 'verified'],
    [`${defined}\nquorum B`, [a, c], 'failed'],
    [`${defined}\ngroup g all A B C\nquorum g`, [a, b], 'failed'],
    [`${defined}\ngroup g any A B C\nquorum g`, [c], 'verified'],
    [`# all\n\n${defined}\n\tgroup  g 2 A B # two\ngroup h all g C\nquorum h\r`, [a, b, c], 'verified'],
    [`${defined}\ngroup g 2 A B\ngroup h all g C\nquorum h`, [a, c], 'failed'],
    [`${defined}\nquorum none`, [a, b, c], 'not checked'],
  ])('follows a policy of groups: %#', (policy, signers, state) => {
    expect(witnesses(policy, cosigned(...signers)).state).toBe(state);
  });

  it('never counts a key of the log, no matter what its name is', () => {
    const [, own] = log.signers;
    const posing = verifierKey('w.example', 'cosignature/v1', own.key.publicKey);
    const named = witnessOf(log.origin, 'named as the log');
    const time = toUtf8('cosignature/v1\ntime 0\n');
    const pose: Change = (bundle) => {
      const { text: signed, signatures } = parseNote(toUtf8(bundle.checkpoint ?? ''));
      const signature = new Uint8Array(72);
      signature.set(own.sign(new Uint8Array([...time, ...toUtf8(signed)])), 8);
      const line = { name: posing.name, keyId: posing.id, signature };
      bundle.checkpoint = fromUtf8(formatNote({ text: signed, signatures: [...signatures, line] }));
    };
    const refused = text('failed', /A key of the log itself is no witness\.$/);
    for (const keys of [trust.keys, []]) {
      expect(witnesses(vkey(posing), pose, 1, keys)).toMatchObject(refused);
      expect(witnesses(vkey(named.key), cosigned(named), 1, keys)).toMatchObject(refused);
    }
  });

  it('fails for a wrong signature, and is absent without a checkpoint', () => {
    const policy = lines(vkey(a.key), vkey(b.key));
    const wrong: Change = (bundle) => {
      cosigned(a, b)(bundle);
      const { checkpoint = '' } = bundle;
      const [, encoded = ''] = /— b\.example (\S+)/.exec(checkpoint) ?? [];
      bundle.checkpoint = checkpoint.replace(
        encoded,
        `${encoded.slice(0, 20)}${encoded[20] === 'A' ? 'B' : 'A'}${encoded.slice(21)}`,
      );
    };
    expect(witnesses(policy, wrong, 1)).toMatchObject(text('failed', /the signature of b\.example .+ is wrong/));
    expect(witnesses(policy, unplaced, 1)).toMatchObject({ state: 'absent' });
    const broken: Change = (bundle) => Object.assign(bundle, { checkpoint: 'x' });
    expect(witnesses(policy, broken, 1)).toMatchObject({ state: 'failed' });
  });

  it('takes signatures on a later checkpoint, and adds none of two checkpoints', () => {
    const later =
      (...signers: readonly Witness[]) =>
      (bundle: BundleJson) => {
        for (const anchor of bundle.anchors) anchor.checkpoint = withLines(anchor.checkpoint, signers);
      };
    const policy = lines(vkey(a.key), vkey(b.key));
    expect(whole.anchors[0]?.checkpoint).toBeDefined();
    expect(witnesses(policy, later(a, b), 2)).toMatchObject({ state: 'verified', details: { size: 9 } });
    const both: Change = (bundle) => {
      cosigned(a)(bundle);
      later(b)(bundle);
    };
    expect(witnesses(policy, both, 2).state).toBe('failed');
    const elsewhere: Change = (bundle) => {
      later(a, b)(bundle);
      for (const anchor of bundle.anchors) anchor.consistency = [];
    };
    expect(witnesses(policy, elsewhere, 2).state).toBe('failed');
  });

  it('takes the keys of logs from the policy', () => {
    const policy = lines(`log ${vkey(log.keys[0])} https://log.example`, defined, 'quorum none');
    const by = { ...trust, keys: [], witnesses: readPolicy(policy, null) };
    expect(claim('checkpoint', undefined, by).state).toBe('verified');
  });
});

describe('a policy', () => {
  const twin = verifierKey('twin.example', 'cosignature/v1', a.key.publicKey);
  it.each<[string, RegExp, number?]>([
    ['', /without the number of them/],
    [vkey(a.key), /without the number of them/],
    [vkey(a.key), /wants 2 of 1/, 2],
    [lines(vkey(a.key), vkey(twin)), /^line 2 of the policy: two witnesses have the same key$/, 1],
    [vkey(log.keys[0]), /signs with a time/, 1],
    ['a.example', /^line 1 of the policy: /, 1],
    [`witness A ${vkey(a.key)}`, /without a line quorum/],
    [`${defined}\nquorum A`, /has a quorum, and another one/, 1],
    [`${defined}\nquorum A\nquorum B`, /^line 5 of the policy: a second quorum/],
    [`${defined}\nquorum D`, /no line before it defines D/],
    [`quorum A\n${defined}`, /no line before it defines A/],
    [`${defined}\ngroup g 4 A B C\nquorum g`, /from 1 to 3/],
    [`${defined}\ngroup g 0 A B C\nquorum g`, /from 1 to 3/],
    [`${defined}\ngroup g most A B C\nquorum g`, /from 1 to 3/],
    [`${defined}\ngroup g any\nquorum g`, /without members/],
    [`${defined}\ngroup g 2 A A B\nquorum g`, /A is used twice/],
    [`${defined}\ngroup g any A B\ngroup h any A C\ngroup all all g h\nquorum all`, /A is used twice/],
    [`${defined}\ngroup A any B\nquorum A`, /the name A is there twice/],
    [`${defined}\nwitness none ${vkey(witnessOf('d', 'd').key)}\nquorum A`, /missing, or is none/],
    [`${defined}\nwitness D ${vkey(twin)}\nquorum A`, /the same key/],
    [`${defined}\nwitness D ${vkey(witnessOf('a.example', 'other').key)}\nquorum A`, /have the name a\.example/],
    [`${defined}\nlog ${vkey(a.key)}\nquorum A`, /the key of a log/],
    [`${defined}\nwitness D ${'ab'.repeat(32)}\nquorum A`, /^line 4 of the policy: /],
    [`${defined}\nconstructor x\nquorum A`, /begins with none of/],
    ['x'.repeat(70_000), /more than 65536 characters/],
  ])('that cannot be meant is refused: %#', (policy, pattern, quorum) => {
    expect(attempt(() => readPolicy(policy, quorum ?? null))).toMatch(pattern);
  });

  it('is read in time that is linear in its length', () => {
    const keys = Array.from({ length: 256 }, (_, at) => witnessOf(`w${at}.example`, `many ${at}`).key);
    const policy = lines(
      ...keys.map((key, at) => `witness w${at} ${vkey(key)}`),
      `group g 129 ${keys.map((_, at) => `w${at}`).join(' ')}`,
      'quorum g',
    );
    expect(readPolicy(policy, null).witnesses).toHaveLength(256);
    const more = lines(policy, `witness x ${vkey(witnessOf('x.example', 'x').key)}`);
    expect(attempt(() => readPolicy(more, null))).toMatch(/more witnesses than/);
  });
});
