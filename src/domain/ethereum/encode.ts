import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, integer, type RlpValue } from './rlp.js';
import { NotProvable, type RpcBlock, type RpcReceipt } from './rpc-values.js';

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
