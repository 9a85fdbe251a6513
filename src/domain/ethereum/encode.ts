import { keccak_256 } from '@noble/hashes/sha3.js';
import { NotProvable, type RpcBlock, type RpcReceipt } from './rpc-values.js';

/** A value to be encoded: bytes, or a list of values. */
export type RlpValue = Uint8Array | readonly RlpValue[];

const offsets = { string: 0x80, list: 0xc0 };
const longPayload = 56;

/** Recursive Length Prefix. The verifier has the reader of this encoding. */
export function encodeRlp(value: RlpValue): Uint8Array {
  if (value instanceof Uint8Array) {
    const [only = offsets.string] = value;
    return value.length === 1 && only < offsets.string ? value : withLength(offsets.string, value);
  }
  return withLength(offsets.list, Buffer.concat(value.map(encodeRlp)));
}

function withLength(offset: number, payload: Uint8Array): Uint8Array {
  if (payload.length < longPayload) return Buffer.concat([Uint8Array.of(offset + payload.length), payload]);
  const digits = integer(BigInt(payload.length));
  return Buffer.concat([Uint8Array.of(offset + longPayload - 1 + digits.length), digits, payload]);
}

/** An unsigned integer as the bytes that stand for it: without zeros before it, so 0 has none. */
export function integer(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/**
 * The header of a block as it is hashed.
 * @throws NotProvable when it does not have the hash of the block
 */
export function encodeHeader(block: RpcBlock): Uint8Array {
  const header = encodeRlp([...oldFields(block), ...newFields(block)]);
  if (Buffer.compare(keccak_256(header), block.hash) === 0) return header;
  throw new NotProvable(
    `The header of block ${block.number} does not have the hash that the node gave for it: the node is wrong, or its chain ` +
      'has a field in its headers that this version does not know.',
  );
}

function oldFields(block: RpcBlock): RlpValue[] {
  return [
    block.parentHash,
    block.sha3Uncles,
    block.miner,
    block.stateRoot,
    block.transactionsRoot,
    block.receiptsRoot,
    block.logsBloom,
    integer(block.difficulty),
    integer(block.number),
    integer(block.gasLimit),
    integer(block.gasUsed),
    integer(block.timestamp),
    block.extraData,
    block.mixHash,
    block.nonce,
  ];
}

/** Each version of the protocol has added fields at the end, and a chain that has one has all before it. */
function newFields(block: RpcBlock): RlpValue[] {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } = block;
  const fields = [baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash];
  return fields.flatMap((field) => {
    if (field === undefined || field === null) return [];
    return [typeof field === 'bigint' ? integer(field) : field];
  });
}

/** A receipt as the value in the trie: the type of its transaction, if it has one, and its fields. */
export function encodeReceipt(read: RpcReceipt): Uint8Array {
  const { type, status, root, cumulativeGasUsed, logsBloom, logs } = read;
  // Blocks before 2017 have the root of a state instead of a status.
  const outcome = status === undefined || status === null ? (root ?? new Uint8Array(0)) : integer(status);
  const events = logs.map(({ address, topics, data }) => [address, topics, data]);
  const receipt = encodeRlp([outcome, integer(cumulativeGasUsed), logsBloom, events, ...depositFields(read)]);
  return type ? Buffer.concat([Uint8Array.of(Number(type)), receipt]) : receipt;
}

/**
 * Chains of the OP Stack begin each block with deposits, whose receipts have two more fields. Receipts from before the upgrade Canyon
 * have no version, and there the nonce is answered but not hashed.
 */
function depositFields({ depositNonce, depositReceiptVersion }: RpcReceipt): RlpValue[] {
  if (depositReceiptVersion === undefined || depositReceiptVersion === null) return [];
  return [integer(depositNonce ?? 0n), integer(depositReceiptVersion)];
}
