import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Random } from '../verifier/mutations.js';

/** Blocks as a node gives them, made by chance and hashed by code that is not ours. */

export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
export const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
const quantity = (value: number): string => `0x${value.toString(16)}`;

export interface RpcLog {
  readonly address: string;
  readonly topics: string[];
  readonly data: string;
}

export interface Receipt {
  readonly type: string;
  readonly transactionIndex: string;
  readonly status: string;
  readonly cumulativeGasUsed: string;
  readonly logsBloom: string;
  readonly logs: readonly RpcLog[];
  /** Of deposits on chains of the OP Stack. */
  readonly depositNonce?: string;
  readonly depositReceiptVersion?: string;
}

export interface Chosen {
  readonly block: Readonly<Record<string, string>>;
  readonly receipts: readonly Receipt[];
}

export function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random(256));
}

/** The log of an anchor, as the contract writes it. */
export function anchorLog(contract: string, origin: string, digest: Uint8Array, size: number): RpcLog {
  const utf8 = new TextEncoder();
  return {
    address: contract,
    topics: [
      hex(keccak_256(utf8.encode('Anchored(bytes32,bytes32,uint64)'))),
      hex(sha256(utf8.encode(origin))),
      hex(digest),
    ],
    data: `0x${size.toString(16).padStart(64, '0')}`,
  };
}

function randomLog(random: Random): RpcLog {
  return {
    address: hex(randomBytes(random, 20)),
    topics: Array.from({ length: random(5) }, () => hex(randomBytes(random, 32))),
    data: hex(randomBytes(random, random(3) === 0 ? random(200) : 32)),
  };
}

export function randomReceipt(random: Random, index: number, logs?: readonly RpcLog[]): Receipt {
  return {
    type: quantity(random(5)),
    transactionIndex: quantity(index),
    status: quantity(logs ? 1 : Math.min(1, random(5))),
    cumulativeGasUsed: quantity(21_000 * (index + 1)),
    logsBloom: hex(randomBytes(random, 256)),
    logs: logs ?? Array.from({ length: random(4) }, () => randomLog(random)),
  };
}

/** Fields in the order of the header, by the version of the protocol that added them. */
const versions: readonly (readonly string[])[] = [
  [],
  ['baseFeePerGas'],
  ['withdrawalsRoot'],
  ['blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
  ['requestsHash'],
];
const first = ['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'];
const numbers = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'];
const last = ['extraData', 'mixHash', 'nonce'];
const quantities = new Set([...numbers, 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas']);
const lengths: Readonly<Record<string, number>> = { miner: 20, logsBloom: 256, nonce: 8 };

/** @param version how many versions of the protocol have added fields to the header */
export async function randomBlock(random: Random, receipts: readonly Receipt[], version = 4): Promise<Chosen> {
  const names = [...first, ...numbers, ...last, ...versions.slice(0, version + 1).flat()];
  const fields = names.map((name): [string, string] => {
    if (name === 'extraData') return [name, hex(randomBytes(random, random(33)))];
    if (name === 'timestamp') return [name, quantity(1_700_000_000 + random(100_000_000))];
    if (quantities.has(name)) return [name, quantity(random(2 ** 31))];
    return [name, hex(randomBytes(random, lengths[name] ?? 32))];
  });
  const block = { ...Object.fromEntries(fields), receiptsRoot: hex((await trieOf(receipts)).root()) };
  return { block: { ...block, hash: hex(keccak_256(headerOf(block))) }, receipts };
}

/** The header, encoded by the other library. */
export function headerOf(block: Readonly<Record<string, string>>): Uint8Array {
  const names = [...first, ...numbers, ...last, ...versions.flat()].filter((name) => block[name] !== undefined);
  return RLP.encode(names.map((name) => (quantities.has(name) ? BigInt(block[name] ?? '') : unhex(block[name] ?? ''))));
}

/** A receipt, encoded by the other library. */
export function receiptOf(receipt: Receipt): Uint8Array {
  const { type, status, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion } = receipt;
  const events = logs.map(({ address, topics, data }) => [unhex(address), topics.map(unhex), unhex(data)]);
  // A deposit without a version is hashed without its nonce too.
  const deposit = depositReceiptVersion === undefined ? [] : [depositNonce ?? '0x0', depositReceiptVersion];
  const fields = [BigInt(status), BigInt(cumulativeGasUsed), unhex(logsBloom), events, ...deposit.map(BigInt)];
  const encoded = RLP.encode(fields);
  return type === '0x0' ? encoded : Uint8Array.of(Number(type), ...encoded);
}

/** The trie of the receipts, built by the other library. */
export async function trieOf(receipts: readonly Receipt[]) {
  const trie = await createMPT();
  for (const [index, receipt] of receipts.entries()) await trie.put(RLP.encode(index), receiptOf(receipt));
  return trie;
}

/** A block with an anchor in the receipt of one of its transactions. */
export function blockWith(
  random: Random,
  { size, at, anchor, version = random(5) }: { size: number; at: number; anchor: RpcLog; version?: number },
): Promise<Chosen> {
  const receipts = Array.from({ length: size }, (_, index) =>
    index === at ? randomReceipt(random, index, [anchor]) : randomReceipt(random, index),
  );
  return randomBlock(random, receipts, version);
}
