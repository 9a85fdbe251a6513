import { fromBase64, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { attempt } from '../../src/verifier/unreadable.js';

/** Numbers from 0 to before `below` that are the same in every run. */
export type Random = (below: number) => number;

/** https://github.com/bryc/code/blob/master/jshash/PRNGs.md: mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A value in a bundle, and what replaces it where it stands. */
interface Slot {
  readonly path: readonly string[];
  readonly value: unknown;
  set(value: unknown): void;
}

function slotsOf(value: unknown, path: readonly string[] = []): Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const member: unknown = Reflect.get(value, key);
    const here = [...path, key];
    return [
      { path: here, value: member, set: (other: unknown) => void Reflect.set(value, key, other) },
      ...slotsOf(member, here),
    ];
  });
}

type Mutation = (bundle: object, others: readonly object[], random: Random) => Uint8Array;

const encode = (bundle: unknown): Uint8Array => toUtf8(JSON.stringify(bundle));
const pick = <T>(items: readonly T[], random: Random): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

/** Changes one slot of a copy. */
function inOne(
  fits: (slot: Slot) => boolean,
  change: (slot: Slot, others: readonly object[], random: Random) => unknown,
): Mutation {
  return (bundle, others, random) => {
    const copy = structuredClone(bundle);
    const slots = slotsOf(copy).filter(fits);
    if (slots.length > 0) {
      const slot = pick(slots, random);
      slot.set(change(slot, others, random));
    }
    return encode(copy);
  };
}

const isText = ({ value }: Slot) => typeof value === 'string';
const isNumber = ({ value }: Slot) => typeof value === 'number';
const isList = ({ value }: Slot) => Array.isArray(value) && value.length > 0;

/** A text that encodes bytes is changed as bytes, and everything else as text. */
function inBytes({ value }: Slot, change: (bytes: Uint8Array) => Uint8Array): string {
  const text = String(value);
  const [hex, base64] = [attempt(() => fromHex(text)), attempt(() => fromBase64(text))];
  if (typeof hex !== 'string') return toHex(change(hex));
  if (typeof base64 !== 'string') return toBase64(change(base64));
  return new TextDecoder().decode(change(toUtf8(text)));
}

const flip = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = random(bytes.length || 1);
  return bytes.length === 0 ? bytes : bytes.with(at, (bytes[at] ?? 0) ^ (1 << random(8)));
};
const replacements: readonly (readonly [string, string])[] = [
  ['"v":1', '"v":2'],
  ['"v":1', '"v":1.0'],
  ['ed25519', 'ed448'],
  ['"type":"head"', '"type":"key"'],
  ['"type":"key"', '"type":"head"'],
  ['counterfoil-proof/1', 'counterfoil-proof/2'],
  ['memory.write', 'memory.delete'],
  ['"seq":', '"seq":1'],
  ['"size":', '"size":1'],
  ['{', '{"a":1,'],
  ['{', '{ '],
  ['\n', '\n\n'],
  ['\n6\n', '\n7\n'],
  ['\n', '\nextension\n'],
  ['log.example', 'fog.example'],
  ['— ', '- '],
];
const hugeNumbers = ['1e400', '-1', '-0', '1e308', '9007199254740993', '0.5', '1E1', '00', `1${'0'.repeat(5000)}`];
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** One of each kind; a kind that is there twice is chosen twice as often. */
const mutations: readonly Mutation[] = [
  (bundle, _, random) => flip(encode(bundle), random),
  (bundle, _, random) => flip(encode(bundle), random),
  inOne(isText, (slot, _, random) => inBytes(slot, (bytes) => flip(bytes, random))),
  inOne(isText, (slot, _, random) => inBytes(slot, (bytes) => flip(bytes, random))),
  // Cut off at an end, or with something put behind.
  (bundle, _, random) => encode(bundle).slice(0, -1 - random(4000)),
  inOne(isText, (slot, _, random) => inBytes(slot, (bytes) => bytes.slice(random(2), bytes.length - random(3)))),
  inOne(isText, (slot, _, random) => inBytes(slot, (bytes) => Uint8Array.of(...bytes.slice(0, 3000), random(256)))),
  // What is at the same place in another bundle: proofs, leaves, notes of other logs, anchors.
  inOne(() => true, swapped),
  inOne(() => true, swapped),
  inOne(isNumber, ({ value }, _, random) => Number(value) + pick([-2, -1, 1, 2, 8, 2 ** 31, 2 ** 53, 0.5], random)),
  inOne(isNumber, (_, __, random) => random(12)),
  // Versions, algorithms and names, in the bundle, in its leaves and in its notes.
  inOne(isText, (slot, _, random) => {
    const fits = replacements.filter(([from]) => plainOf(slot).includes(from));
    const [from, to] = fits.length > 0 ? pick(fits, random) : ['', 'x'];
    return inBytes(slot, (bytes) => toUtf8(new TextDecoder().decode(bytes).replace(from, to)));
  }),
  inOne(isList, ({ value }) => (Array.isArray(value) ? value.toReversed() : value)),
  inOne(isList, ({ value }, _, random) => (Array.isArray(value) ? value.toSpliced(random(value.length), 1) : value)),
  inOne(isList, ({ value }, _, random) => (Array.isArray(value) ? [...value, pick(value, random)] : value)),
  inOne(
    () => true,
    () => undefined,
  ),
  inOne(
    () => true,
    (_, __, random) => pick([null, true, 0, '', 'x', [], {}, [[]], { a: 1 }], random),
  ),
  // As text: members twice, unknown ones, numbers that are none or too large.
  (bundle, _, random) => {
    const text = fromUtf8(encode(bundle));
    const member = pick(
      [...text.matchAll(/"\w+":("[^"]*"|\d+)/g)].map(([found]) => found),
      random,
    );
    return toUtf8(text.replace(member, `${member},${pick([member, '"more":1', '"__proto__":{}'], random)}`));
  },
  (bundle, _, random) => toUtf8(fromUtf8(encode(bundle)).replace(/(?<="index":)\d+/, pick(hugeNumbers, random))),
];

/** Those that are large are made seldom. */
const largeMutations: readonly Mutation[] = [
  inOne(
    () => true,
    (_, __, random) => deep(1 + random(1000)),
  ),
  inOne(
    () => true,
    (_, __, random) => Array(random(100_000)).fill(random(2) === 0 ? 0 : 'AAAA'),
  ),
  inOne(
    () => true,
    (_, __, random) => 'A'.repeat(4 * random(200_000)),
  ),
  inOne(isText, (slot, _, random) => inBytes(slot, (bytes) => new Uint8Array(bytes.length * random(1000)))),
];

function plainOf({ value }: Slot): string {
  const bytes = attempt(() => fromBase64(String(value)));
  return typeof bytes === 'string' ? String(value) : new TextDecoder().decode(bytes);
}

function swapped({ path }: Slot, others: readonly object[], random: Random): unknown {
  const other: unknown = pick(others, random);
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    other,
  );
}

/** The bundle with something wrong in it, seldom with nothing changed. */
export function mutate(bundle: object, others: readonly object[], random: Random): Uint8Array {
  return pick(random(100) === 0 ? largeMutations : mutations, random)(bundle, others, random);
}
