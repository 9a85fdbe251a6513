import { type EthereumAnchorRow, provedEthereumAnchorOver } from '../../projections/log/ethereum-anchors.js';
import { type CheckpointRow, checkpointOf } from '../../projections/log/queries.js';
import type { Transaction } from '../database/database.js';

/** An anchor on Ethereum as a bundle has it. Hex is in lowercase after 0x. */
export interface EthereumAnchor {
  readonly type: 'ethereum';
  readonly chain_id: number;
  readonly contract: string;
  readonly header: string;
  readonly tx_index: number;
  readonly log_index: number;
  readonly receipt: string;
  readonly proof: readonly string[];
}

/** The first anchor whose proof is known, of a checkpoint of more than `index` leaves, and that checkpoint. */
export async function provedOnEthereum(
  tx: Transaction,
  index: number,
): Promise<{ readonly anchor: EthereumAnchor; readonly checkpoint: CheckpointRow } | undefined> {
  const row = await provedEthereumAnchorOver(tx, index);
  const anchor = row && anchorOf(row);
  if (!row || !anchor) return undefined;
  const checkpoint = await checkpointOf(tx, row.size);
  return checkpoint && { anchor, checkpoint };
}

function anchorOf(row: EthereumAnchorRow): EthereumAnchor | undefined {
  const { chain_id, contract, header, tx_index, log_index, receipt, nodes } = row;
  if (header === null || tx_index === null || log_index === null || receipt === null || nodes === null)
    return undefined;
  return {
    type: 'ethereum',
    chain_id,
    contract,
    header: hex(header),
    tx_index,
    log_index,
    receipt: hex(receipt),
    proof: nodes,
  };
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
