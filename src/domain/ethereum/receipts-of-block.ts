import { inSlices, type Steps } from '../../base/steps.js';
import { encodeReceipt } from './encode.js';
import { receiptTrie } from './receipt-trie.js';
import { NotProvable, type RpcReceipt, readRpc, rpcReceipt } from './rpc-values.js';

/** The members of a header that the receipts of its block are compared with. */
interface HeaderOfReceipts {
  readonly number: number | bigint;
  readonly receiptsRoot: Uint8Array;
}

/** A receipt under the root that a header names. */
export interface ProvedReceipt {
  readonly receipt: RpcReceipt;
  /** As it is in the trie. */
  readonly bytes: Uint8Array;
  /** The nodes of the trie from the root down. */
  readonly proof: readonly Uint8Array[];
  /** The gas of this transaction alone. */
  readonly gasUsed: bigint;
}

/**
 * Finds the receipt of a transaction under the root that the header names. The receipts of a block may have megabytes, so the
 * work is done in slices.
 * @param receipts the receipts of all transactions of the block as a node gives them; nothing of them is believed
 * @returns null when the block has no such transaction
 * @throws NotProvable when the receipts are not those of the header
 */
export async function provedReceipt(
  header: HeaderOfReceipts,
  receipts: readonly unknown[],
  txIndex: number,
): Promise<ProvedReceipt | null> {
  const encoded = await inSlices(encodedInOrder(receipts));
  const bytes = encoded.map((one) => one.bytes);
  const { root, proof } = await inSlices(receiptTrie(bytes, txIndex));
  if (Buffer.compare(root, header.receiptsRoot) !== 0) {
    throw new NotProvable(
      `The receipts of block ${header.number} do not have the root that its header names: the node is wrong, or its chain has ` +
        'receipts of a type that this version does not know.',
    );
  }
  const found = encoded[txIndex];
  if (found === undefined) return null;
  const before = encoded[txIndex - 1]?.receipt.cumulativeGasUsed ?? 0n;
  return { ...found, proof, gasUsed: found.receipt.cumulativeGasUsed - before };
}

interface Encoded {
  readonly receipt: RpcReceipt;
  readonly bytes: Uint8Array;
}

function* encodedInOrder(receipts: readonly unknown[]): Steps<Encoded[]> {
  const encoded: Encoded[] = [];
  for (const [index, value] of receipts.entries()) {
    const receipt = readRpc(rpcReceipt, value, `a receipt of transaction ${index}`);
    if (receipt.transactionIndex !== BigInt(index)) {
      throw new NotProvable('The node of Ethereum gave receipts that are not in the order of their transactions.');
    }
    encoded.push({ receipt, bytes: encodeReceipt(receipt) });
    yield;
  }
  return encoded;
}
