import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concat, fromHex, toUtf8 } from '../../src/verifier/bytes.js';
import { seeded } from './bundles.js';

/** A signature that someone might make who wants some verifiers to take it and others to refuse it. */
export interface Corner {
  readonly name: string;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Whether A and R are points of large order in their only encoding, and S is below the order. */
  readonly strict: boolean;
}

const { Point } = ed25519;
const { ORDER: order } = Point.Fn;
const prime = Point.Fp.ORDER;
const number = (bytes: Uint8Array) => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
const bytesOf = (value: bigint, length = 32) =>
  Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
const scalar = (label: string) => number(seeded(label)) % order;
const times = (value: bigint) => Point.BASE.multiplyUnsafe(value % order);
const challenge = (r: Uint8Array, a: Uint8Array, message: Uint8Array) => number(sha512(concat(r, a, message))) % order;

const torsion = ED25519_TORSION_SUBGROUP.map((hex) => Point.fromHex(hex));
const zero = Point.ZERO;

/** Signs with points added to R and A: S fits all of the equation but what was added. */
function signed(name: string, a: bigint, atA: typeof zero, atR: typeof zero, want: (k: bigint) => boolean): Corner {
  const nonce = scalar(`nonce ${name}`);
  const publicKey = times(a).add(atA);
  const r = times(nonce).add(atR).toBytes();
  const key = publicKey.toBytes();
  for (let tries = 0; ; tries += 1) {
    const message = toUtf8(`${name} ${tries}`);
    const k = challenge(r, key, message);
    if (!want(k)) continue;
    const signature = concat(r, bytesOf((nonce + k * a) % order));
    const strict = !publicKey.isSmallOrder() && !times(nonce).add(atR).isSmallOrder();
    return { name, signature, message, publicKey: key, strict };
  }
}

/** Bytes that some verifiers read as a point of small order, which is written in another way. */
const otherEncodings: readonly Uint8Array[] = [
  bytesOf(prime + 1n), // the neutral point with y + p
  bytesOf(1n + (1n << 255n)), // the neutral point with a sign that zero does not have
  bytesOf(prime + 1n + (1n << 255n)),
  bytesOf(prime - 1n + (1n << 255n)), // the point of order 2, likewise
  bytesOf(prime), // a point of order 4 with y + p
  bytesOf(prime + (1n << 255n)),
];

function* withEncoding(): Generator<Corner> {
  const a = scalar('key');
  const key = times(a).toBytes();
  for (const [at, encoding] of otherEncodings.entries()) {
    for (let tries = 0; tries < 8; tries += 1) {
      const message = toUtf8(`encoding ${at} ${tries}`);
      const s = scalar(`s ${at} ${tries}`);
      const r = times(s).toBytes();
      yield { name: `A as ${at}`, message, publicKey: encoding, signature: concat(r, bytesOf(s)), strict: false };
      const k = challenge(encoding, key, message);
      const signature = concat(encoding, bytesOf((k * a) % order));
      yield { name: `R as ${at}`, message, publicKey: key, signature, strict: false };
    }
  }
  for (let y = 2n; y < 19n; y += 1n) {
    const encoding = bytesOf(prime + y);
    const signature = concat(encoding, bytesOf(scalar(`y ${y}`)));
    yield { name: `R of y ${y} + p`, message: toUtf8('y'), publicKey: key, signature, strict: false };
    const other = concat(times(scalar('r')).toBytes(), bytesOf(scalar(`y ${y}`)));
    yield { name: `A of y ${y} + p`, message: toUtf8('y'), publicKey: encoding, signature: other, strict: false };
  }
}

/** Right ones, and every corner: points of small order in and beside A and R, other encodings, S beyond the order. */
export function corners(): readonly Corner[] {
  const a = scalar('key');
  const any = () => true;
  const found: Corner[] = [];
  for (const [i, one] of torsion.entries()) {
    found.push(signed(`A + ${i}`, a, one, zero, any), signed(`R + ${i}`, a, zero, one, any));
    // What is added to A vanishes, and everybody's equation holds.
    found.push(signed(`A + ${i}, which vanishes`, a, one, zero, (k) => k % 8n === 0n));
    found.push(signed(`small A ${i}`, 0n, one, zero, any), signed(`small A ${i}, vanishing`, 0n, one, zero, even));
    for (const [j, other] of torsion.entries()) found.push(signed(`A + ${i}, R + ${j}`, a, one, other, any));
    for (const [j, other] of torsion.entries()) {
      // What is added to both cancels: R + t and A + u with t + [k]u = 0.
      if (!hasCancelling(one, other)) continue;
      found.push(signed(`A + ${i}, R + ${j}, cancelling`, a, one, other, (k) => cancels(one, other, k)));
    }
    found.push(smallR(a, i, one));
  }
  const right = signed('right', a, zero, zero, any);
  const s = number(right.signature.subarray(32));
  for (const more of [0n, 1n, 2n, 15n]) {
    const signature = concat(right.signature.subarray(0, 32), bytesOf(s + more * order));
    if (s + more * order < 1n << 256n) found.push({ ...right, name: `S + ${more} L`, signature, strict: more === 0n });
  }
  return [...found, ...withEncoding(), ...vectors()];
}

const even = (k: bigint) => k % 8n === 0n;
const cancels = (atA: typeof zero, atR: typeof zero, k: bigint) => atR.add(atA.multiplyUnsafe(k % 8n)).is0();
const hasCancelling = (atA: typeof zero, atR: typeof zero) =>
  Array.from({ length: 8 }, (_, k) => BigInt(k)).some((k) => cancels(atA, atR, k));

/** R is of small order itself: the nonce is 0. */
function smallR(a: bigint, at: number, point: typeof zero): Corner {
  const r = point.toBytes();
  const key = times(a).toBytes();
  const message = toUtf8(`small R ${at}`);
  const signature = concat(r, bytesOf((challenge(r, key, message) * a) % order));
  return { name: `small R ${at}`, message, publicKey: key, signature, strict: false };
}

/** RFC 8032 §7.1, tests 1 and 2. */
function vectors(): readonly Corner[] {
  const test = (publicKey: string, message: string, signature: string, at: number): Corner => ({
    name: `RFC 8032 test ${at}`,
    publicKey: fromHex(publicKey),
    message: fromHex(message),
    signature: fromHex(signature),
    strict: true,
  });
  return [
    test(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      1,
    ),
    test(
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      2,
    ),
  ];
}
