import { createHash } from 'node:crypto';
import type { Row } from '../../database/database.js';
import { fromHex, toUtf8 } from '../../verifier/bytes.js';
import { readAddress } from '../../verifier/ethereum/part.js';
import { verifyPart } from '../../verifier/ethereum/verify.js';
import { parseNote } from '../../verifier/note.js';

/** An anchor of a checkpoint on Ethereum, under the names of a row that has the checkpoint too. Null where there is none. */
export interface EthereumAnchoredRow extends Row {
  size: number;
  note: string;
  eth_state: 'mined' | 'final' | 'lost' | null;
  eth_digest: string | null;
  eth_chain_id: number | null;
  eth_contract: string | null;
  eth_block_hash: string | null;
  eth_header: Uint8Array | null;
  eth_tx_index: number | null;
  eth_log_index: number | null;
  eth_receipt: Uint8Array | null;
  eth_nodes: string[] | null;
}

/** Columns of that row, from a join with anchors on Ethereum under the alias `x`. */
export const ethereumColumns = `x.state as eth_state, x.digest as eth_digest, x.chain_id as eth_chain_id, x.contract as eth_contract,
  x.block_hash as eth_block_hash, x.header as eth_header, x.tx_index as eth_tx_index, x.log_index as eth_log_index,
  x.receipt as eth_receipt, x.nodes as eth_nodes`;

/**
 * Whether an anchor is of the checkpoint, and its proof holds under the block that it names. Whether that block is in the chain
 * is not looked at: that takes a network.
 * @returns null when it does, or a sentence's end
 */
export function ethereumAnchorFault(row: EthereumAnchoredRow): string | null {
  if (row.eth_state === null || row.eth_state === 'lost') return null;
  const { text } = parseNote(toUtf8(row.note));
  const digest = createHash('sha256').update(text, 'utf8').digest();
  if (row.eth_digest !== digest.toString('hex'))
    return 'has an anchor on Ethereum that is not of the SHA-256 of its text';
  const { eth_header: header, eth_receipt: receipt, eth_nodes: nodes, eth_contract: contract } = row;
  if (header === null || receipt === null || nodes === null || contract === null) return null;
  const [origin = ''] = text.split('\n', 1);
  const claim = verifyPart(
    {
      chainId: row.eth_chain_id ?? 0,
      contract: readAddress(contract),
      header,
      receipt,
      transaction: row.eth_tx_index ?? -1,
      log: row.eth_log_index ?? -1,
      proof: nodes.map((node) => fromHex(node.slice(2))),
    },
    { digest, origin, size: row.size },
    { hashes: new Set([row.eth_block_hash?.slice(2) ?? '']) },
  );
  if (claim.state === 'verified') return null;
  return `has an anchor on Ethereum that does not hold: ${claim.state === 'failed' ? claim.reason : 'its proof is of another block'}`;
}
