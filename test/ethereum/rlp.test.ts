import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { readBlock } from '../../src/verifier/ethereum/header.js';
import { readTransactionReceipt } from '../../src/verifier/ethereum/receipt.js';
import { encodedNumber, numberOf, readList } from '../../src/verifier/ethereum/rlp.js';
import { receiptIn } from '../../src/verifier/ethereum/trie.js';
import { Unreadable } from '../../src/verifier/unreadable.js';
import { hex, unhex } from './blocks.js';

const refused = (read: () => unknown, why = /./) => {
  expect(read).toThrow(Unreadable);
  expect(read).toThrow(why);
};

describe('a list in RLP', () => {
  it('has one encoding', () => {
    const long = '00'.repeat(56);
    expect(readList(unhex(`0xf838${long}`), 'it', 56)).toHaveLength(56);
    expect(readList(unhex('0xc3808101'.replace('8101', '8181')), 'it', 2)).toHaveLength(2);
    for (const [other, why] of [
      ['0x', /no bytes/],
      ['0x80', /not a list/],
      ['0xc000', /followed by other bytes/],
      ['0xc28101', /a byte with a length/],
      ['0xc3b80101', /shortest form/],
      ['0xf800', /shortest form/],
      [`0xf837${'00'.repeat(55)}`, /shortest form/],
      [`0xf90038${long}`, /shortest form/],
      ['0xc2', /ends within/],
      ['0xc182', /ends within/],
      ['0xf9', /ends within/],
      ['0xf8', /ends within/],
      ['0xffffffffffffffffff', /ends within/],
      ['0xfbffffffff', /ends within/],
      ['0xc3808080', /more than 2 items/],
    ] as const) {
      refused(() => readList(unhex(other), 'it', 2), why);
    }
  });

  it('has integers without zeros before them, up to 2^53 - 1', () => {
    for (const value of [0, 1, 127, 128, 255, 256, 65_535, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const encoded = RLP.encode(BigInt(value));
      expect(hex(encodedNumber(value))).toBe(hex(encoded));
      expect(numberOf(readList(RLP.encode([BigInt(value)]), 'it', 1)[0], 'it')).toBe(value);
    }
    for (const other of [
      '0xc100',
      '0xc3820001',
      '0xc1c0',
      `0xc887${'ff'.repeat(7)}`,
      `0xc988${'ff'.repeat(8)}`,
      '0xc0',
    ]) {
      refused(() => numberOf(readList(unhex(other), 'it', 1)[0], 'it'));
    }
  });
});

describe('a node of the trie', () => {
  const value = new Uint8Array(300).fill(1);
  const trieOf = (node: Parameters<typeof RLP.encode>[0]) => {
    const encoded = RLP.encode(node);
    return receiptIn(keccak_256(encoded), 0, [encoded]);
  };

  it('has one writing of its path', () => {
    // The key of transaction 0 is the byte 0x80.
    expect(trieOf([Uint8Array.of(0x20, 0x80), value])).toEqual(value);
    for (const [path, why] of [
      [[], /has no kind/],
      [[0x2f, 0x80], /only form/],
      [[0x40, 0x80], /has no kind/],
      [[0x20], /no transaction/],
      [[0x38], /no transaction/],
      [[0x20, 0x81], /no transaction/],
      [[0x20, 0x80, 0x00], /no transaction/],
      [[0x20, ...Array<number>(9).fill(0x80)], /no transaction/],
      [[0x00], /empty path/],
      [[0x00, 0x80], /32 bytes/],
    ] as const) {
      refused(() => trieOf([Uint8Array.from(path), value]), why);
    }
  });

  it('is a branch, an extension or a leaf', () => {
    const none = new Uint8Array(0);
    const branch = Array<Uint8Array>(17).fill(none);
    const nodes: readonly (readonly [Parameters<typeof RLP.encode>[0], RegExp])[] = [
      [[value], /neither 2 nor 17/],
      [branch.slice(1), /neither 2 nor 17/],
      [branch, /no transaction/],
      [branch.with(3, value), /not named by a hash/],
      [branch.with(16, value), /has a value/],
      [[...branch.slice(1), []], /is not a string/],
      [new Uint8Array(0), /not a list/],
    ];
    for (const [node, why] of nodes) refused(() => trieOf(node), why);
    refused(() => receiptIn(keccak_256(value), 0, [value]), /followed|not a list/);
  });
});

describe('a receipt', () => {
  const bloom = new Uint8Array(256);
  const [one, gas] = [Uint8Array.of(1), Uint8Array.of(0x52, 0x08)];
  const [address, topic] = [new Uint8Array(20), new Uint8Array(32)];
  const log = [address, [topic], bloom];
  const read = (fields: Parameters<typeof RLP.encode>[0], type: number[] = []) =>
    readTransactionReceipt(Uint8Array.of(...type, ...RLP.encode(fields)));

  it('is read with and without a type', () => {
    const expected = { succeeded: true, logs: [{ address, topics: [topic], data: bloom }] };
    for (const type of [[], [1], [2], [3], [4]]) expect(read([one, gas, bloom, [log]], type)).toEqual(expected);
    expect(read([new Uint8Array(0), gas, bloom, []])).toEqual({ succeeded: false, logs: [] });
  });

  it('of another form is refused', () => {
    for (const type of [[0], [5], [0x7e], [2, 2], [0xb9]]) refused(() => read([one, gas, bloom, [log]], type));
    for (const fields of [
      [one, gas, bloom],
      [one, gas, bloom, [log], one],
      // The root of a state, as receipts before 2017 have it.
      [topic.with(0, 9), gas, bloom, [log]],
      [Uint8Array.of(2), gas, bloom, [log]],
      [Uint8Array.of(0), gas, bloom, [log]],
      [one, gas, topic, [log]],
      [one, gas, bloom, log],
      [one, gas, bloom, topic],
      [one, gas, bloom, [[address, [topic]]]],
      [one, gas, bloom, [[address, [topic], bloom, bloom]]],
      [one, gas, bloom, [[topic, [topic], bloom]]],
      [one, gas, bloom, [[address, Array(5).fill(topic), bloom]]],
      [one, gas, bloom, [[address, [address], bloom]]],
      [one, gas, bloom, [[address, [topic], [bloom]]]],
    ]) {
      refused(() => read(fields));
    }
  });
});

describe('a header', () => {
  const [hash, none] = [new Uint8Array(32), new Uint8Array(0)];
  const number = Uint8Array.of(7);
  const fields = [
    ...[hash, hash, new Uint8Array(20), hash, hash, hash.with(0, 5), new Uint8Array(256)],
    ...[none, number, number, number, number, none, hash, new Uint8Array(8)],
  ];

  it('has the fields of the first version, and any number of later ones', () => {
    for (const later of [[], [number], [number, hash, none, none, hash, hash, number]]) {
      const encoded = RLP.encode([...fields, ...later]);
      const read = readBlock(encoded);
      expect(read).toEqual({ hash: keccak_256(encoded), number: 7, time: 7, receiptsRoot: hash.with(0, 5) });
    }
  });

  it('of another form is refused', () => {
    for (const at of [0, 1, 2, 3, 4, 5, 6, 13, 14])
      refused(() => readBlock(RLP.encode(fields.with(at, number))), /bytes/);
    for (const at of [7, 8, 9, 10, 11]) refused(() => readBlock(RLP.encode(fields.with(at, Uint8Array.of(0)))), /zero/);
    refused(() => readBlock(RLP.encode(fields.slice(1))), /15 fields/);
    refused(() => readBlock(RLP.encode([...fields, []])), /a string of bytes/);
    refused(() => readBlock(RLP.encode([...fields, ...Array<Uint8Array>(50).fill(none)])), /more than 64/);
    refused(() => readBlock(RLP.encode(fields.with(8, new Uint8Array(8).fill(255)))), /larger/);
  });
});
