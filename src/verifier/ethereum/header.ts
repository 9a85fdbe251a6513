import { keccak_256 } from '@noble/hashes/sha3.js';
import { Unreadable } from '../unreadable.js';
import { integerOf, numberOf, readList, stringOf } from './rlp.js';

/** The fields of a block's header that the verifier needs. */
export interface BlockOfEthereum {
  /** Keccak-256 of the header. */
  readonly hash: Uint8Array;
  readonly number: number;
  /** Seconds since 1970, as the maker of the block says. */
  readonly time: number;
  readonly receiptsRoot: Uint8Array;
}

/** The fields that every header has. Later versions of the protocol have only added fields after them. */
const fields = { first: 15, most: 64 };
const lengths: readonly (readonly [at: number, name: string, length: number])[] = [
  [0, 'the hash of the parent', 32],
  [1, 'the hash of the uncles', 32],
  [2, 'the address of the maker', 20],
  [3, 'the root of the state', 32],
  [4, 'the root of the transactions', 32],
  [5, 'the root of the receipts', 32],
  [6, 'the bloom filter', 256],
  [13, 'the mix hash', 32],
  [14, 'the nonce', 8],
];
const integers: readonly (readonly [at: number, name: string])[] = [
  [7, 'the difficulty'],
  [9, 'the gas limit'],
  [10, 'the gas used'],
];

/** @throws Unreadable for bytes that are not the header of a block in its only encoding */
export function readBlock(header: Uint8Array): BlockOfEthereum {
  const items = readList(header, 'the header', fields.most);
  if (items.length < fields.first) throw new Unreadable(`the header has fewer than ${fields.first} fields`);
  for (const [at, name, length] of lengths) stringOf(items[at], `${name} in the header`, length);
  for (const [at, name] of integers) integerOf(items[at], `${name} in the header`);
  for (const item of items) stringOf(item, 'a field of the header');
  return {
    hash: keccak_256(header),
    number: numberOf(items[8], 'the number of the block'),
    time: numberOf(items[11], 'the time of the block'),
    receiptsRoot: stringOf(items[5], 'the root of the receipts'),
  };
}
