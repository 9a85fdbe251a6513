import { RLP } from '@ethereumjs/rlp';
import type { Random } from '../verifier/mutations.js';
import { hex, unhex } from './blocks.js';
import type { AnchoredBundle, EthereumJson } from './bundles.js';

/** A bundle with one anchor on Ethereum. */
export type Bundle = AnchoredBundle['bundle'];
type Change = (bundle: Bundle, others: readonly Bundle[], random: Random) => Bundle;

const pick = <T>(items: readonly T[], random: Random): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

/** Changes the anchor of a copy. */
const inAnchor =
  (change: (anchor: EthereumJson, random: Random, others: readonly EthereumJson[]) => object): Change =>
  (bundle, others, random) => {
    const [anchor] = bundle.anchors;
    if (!anchor) throw new Error('the bundle has no anchor');
    const changed = change(
      anchor,
      random,
      others.flatMap(({ anchors }) => anchors),
    );
    return { ...bundle, anchors: [{ ...anchor, ...changed }] };
  };

/** Changes the bytes of the header, the receipt, the contract or a node. */
const inBytes = (change: (bytes: Uint8Array, random: Random) => Uint8Array): Change =>
  inAnchor((anchor, random) => {
    const name = pick(['header', 'receipt', 'proof', 'proof', 'contract'] as const, random);
    const made = (text: string) => hex(change(unhex(text), random));
    if (name !== 'proof') return { [name]: made(anchor[name]) };
    const at = random(anchor.proof.length);
    return { proof: anchor.proof.with(at, made(anchor.proof[at] ?? '0x')) };
  });

const inProof = (change: (proof: readonly string[], random: Random) => readonly string[]): Change =>
  inAnchor(({ proof }, random) => ({ proof: change(proof, random) }));

const flip = (bytes: Uint8Array, random: Random) => {
  const at = random(bytes.length);
  return bytes.with(at, (bytes[at] ?? 0) ^ (1 << random(8)));
};
const without = (bytes: Uint8Array, at: number, count: number) =>
  Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + count));

/** Encodings that a careless reader takes for the same value. */
const otherForms: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
  // A longer length than is needed, for the outermost list.
  (bytes) => (bytes[0] === 0xf9 ? Uint8Array.of(0xfa, 0, ...bytes.subarray(1)) : Uint8Array.of(0x81, ...bytes)),
  (bytes) => (bytes[0] === 0xf8 ? Uint8Array.of(0xf9, 0, ...bytes.subarray(1)) : Uint8Array.of(0x02, ...bytes)),
  // Something behind the end.
  (bytes) => Uint8Array.of(...bytes, 0x80),
  (bytes) => Uint8Array.of(...bytes, 0xc0),
  // The list as a string, and in another list.
  (bytes) => RLP.encode(bytes),
  (bytes) => RLP.encode([bytes]),
  // Without the type, and with another one.
  (bytes) => bytes.subarray(1),
  (bytes) => ((bytes[0] ?? 0) < 5 ? bytes.with(0, ((bytes[0] ?? 0) % 4) + 1) : Uint8Array.of(1, ...bytes)),
];

/** The header with another field, encoded as it must be. */
const inHeader = inAnchor(({ header }, random) => {
  const fields = RLP.decode(unhex(header));
  if (!Array.isArray(fields)) throw new Error('no header');
  const at = random(fields.length);
  const field = fields[at];
  const changes = [
    () => fields.with(at, field instanceof Uint8Array && field.length > 0 ? flip(field, random) : Uint8Array.of(1)),
    () => fields.with(at, fields[random(fields.length)] ?? Uint8Array.of()),
    () => fields.toSpliced(at, 1),
    () => [...fields, Uint8Array.of(random(256))],
    // A zero before an integer.
    () => fields.with(at, field instanceof Uint8Array ? Uint8Array.of(0, ...field) : Uint8Array.of(0)),
    () => fields.with(at, []),
  ];
  return { header: hex(RLP.encode(pick(changes, random)())) };
});

const numbers = ['tx_index', 'log_index', 'chain_id'] as const;
const names = ['header', 'receipt', 'proof', 'contract', 'tx_index', 'log_index', 'chain_id'] as const;

const changes: readonly Change[] = [
  inBytes(flip),
  inBytes(flip),
  inBytes((bytes, random) => bytes.with(random(bytes.length), random(256))),
  inBytes((bytes, random) => without(bytes, random(bytes.length), 1 + random(4))),
  inBytes((bytes, random) => bytes.subarray(0, random(bytes.length))),
  inBytes((bytes, random) => Uint8Array.of(...bytes, random(256))),
  inBytes((bytes, random) => pick(otherForms, random)(bytes)),
  inBytes((bytes, random) => pick(otherForms, random)(bytes)),
  inHeader,
  inHeader,
  inProof((proof, random) => proof.toSpliced(random(proof.length), 1)),
  inProof((proof, random) => proof.toSpliced(random(proof.length + 1), 0, pick(proof, random))),
  inProof((proof) => proof.toReversed()),
  inProof((proof, random) => [...proof, pick(['0x', '0x80', '0xc0', ...proof], random)]),
  inProof((proof, random) => proof.with(random(proof.length), pick(proof, random))),
  inProof(() => []),
  inAnchor((anchor, random) => {
    const name = pick(numbers, random);
    return { [name]: Math.abs(anchor[name] + pick([-2, -1, 1, 2, 128, 256, 2 ** 32], random)) };
  }),
  inAnchor((_, random) => ({ [pick(numbers, random)]: pick([-1, 0.5, '0', null, 2 ** 53, '0x1'], random) })),
  // What another anchor has there: of another transaction, block, contract or checkpoint.
  inAnchor((anchor, random, others) => {
    const [name, other] = [pick(names, random), pick(others, random)];
    return { [name]: other[name] ?? anchor[name] };
  }),
  inAnchor((anchor, random, others) => {
    const [name, second, other] = [pick(names, random), pick(names, random), pick(others, random)];
    return { [name]: other[name] ?? anchor[name], [second]: other[second] ?? anchor[second] };
  }),
  // One member's value in another.
  inAnchor((anchor, random) => ({ [pick(names, random)]: anchor[pick(names, random)] })),
  inAnchor((_, random) => ({
    [pick([...names, 'type', 'more'], random)]: undefined,
    [pick(['more', 'a'], random)]: 1,
  })),
  (bundle, others, random) => ({ ...bundle, anchors: pick(others, random).anchors }),
  (bundle, others, random) => ({ ...pick(others, random), anchors: bundle.anchors }),
  inAnchor((anchor, random, others) => ({ checkpoint: pick(others, random).checkpoint ?? anchor.checkpoint })),
  inAnchor((_, random, others) => {
    const { checkpoint, consistency } = pick(others, random);
    return { checkpoint, consistency };
  }),
  // Writings that mean the same.
  inAnchor(({ contract }) => ({ contract: contract.toUpperCase().replace('0X', '0x') })),
  inAnchor(({ header }) => ({ header: header.slice(2) })),
];

/** The bundle with something changed. What is changed may mean the same. */
export function mutate(bundle: Bundle, others: readonly Bundle[], random: Random): Bundle {
  const changed = pick(changes, random)(bundle, others, random);
  return JSON.stringify(changed) === JSON.stringify(bundle) ? mutate(bundle, others, random) : changed;
}
