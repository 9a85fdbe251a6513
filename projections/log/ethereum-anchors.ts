import type { Row, Transaction } from '../../src/database/database.js';

/** An anchor of a checkpoint on Ethereum. Addresses and hashes begin with `0x` and are in lowercase. */
export interface EthereumAnchorRow extends Row {
  /** The number of leaves under the checkpoint. */
  size: number;
  /** mined: a block holds it; final: the block is final; lost: its block was replaced by one without it. */
  state: 'mined' | 'final' | 'lost';
  /** SHA-256 of the checkpoint's text, in hex. */
  digest: string;
  chain_id: number;
  contract: string;
  tx_hash: string;
  block_number: number;
  block_hash: string;
  block_time: string;
  /** RLP of the header of the block, and of the receipt of the transaction as the trie has it; null before the anchor is final. */
  header: Uint8Array | null;
  tx_index: number | null;
  log_index: number | null;
  receipt: Uint8Array | null;
  /** The nodes of the trie between the two, as hex with `0x`. */
  nodes: string[] | null;
}

const columns = `size, state, digest, chain_id, contract, tx_hash, block_number, block_hash, block_time, header, tx_index, log_index,
  receipt, nodes`;

/** The anchor of a checkpoint of this number of leaves, also a lost one. */
export async function ethereumAnchorOf(tx: Transaction, size: number): Promise<EthereumAnchorRow | undefined> {
  const [row] = await tx.query<EthereumAnchorRow>(`select ${columns} from ethereum_anchors where size = $1`, [size]);
  return row;
}

/** The anchor of the largest checkpoint, also a lost one. It says on which chain this store anchors. */
export async function latestEthereumAnchor(tx: Transaction): Promise<EthereumAnchorRow | undefined> {
  const [row] = await tx.query<EthereumAnchorRow>(`select ${columns} from ethereum_anchors order by size desc limit 1`);
  return row;
}

/** The first anchor of a checkpoint of more than `index` leaves that was proved; null fields of it are therefore not null. */
export async function provedEthereumAnchorOver(tx: Transaction, index: number): Promise<EthereumAnchorRow | undefined> {
  const [row] = await tx.query<EthereumAnchorRow>(
    `select ${columns} from ethereum_anchors where size > $1 and state = 'final' and header is not null order by size limit 1`,
    [index],
  );
  return row;
}

/** The first final anchor without a proof of a checkpoint of more than `size` leaves. */
export async function unprovedEthereumAnchorOver(
  tx: Transaction,
  size: number,
): Promise<EthereumAnchorRow | undefined> {
  const [row] = await tx.query<EthereumAnchorRow>(
    `select ${columns} from ethereum_anchors where size > $1 and state = 'final' and header is null order by size limit 1`,
    [size],
  );
  return row;
}

/** The state of an anchor as operators see it: `unproved` is final, but the node could not show the proof. */
export type ShownState = EthereumAnchorRow['state'] | 'unproved';

/** How many anchors there are in each state. */
export async function ethereumAnchorCounts(tx: Transaction): Promise<ReadonlyMap<ShownState, number>> {
  const rows = await tx.query<{ state: ShownState; count: number }>(
    `select case when state = 'final' and header is null then 'unproved' else state end as state, count(*) as count
       from ethereum_anchors group by 1`,
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/**
 * The checkpoints that no anchor covers, neither their own nor that of a later one, and when the oldest of them was signed. A final
 * anchor without a proof covers nothing: it cannot be shown to readers who do not trust the service.
 */
export async function uncoveredOnEthereum(tx: Transaction): Promise<{ count: number; since: string | null }> {
  const [row] = await tx.query<{ count: number; since: string | null }>(
    `select count(*) as count, min(signed_at) as since from checkpoints
      where size > coalesce((select max(size) from ethereum_anchors
        where state = 'mined' or state = 'final' and header is not null), 0)`,
  );
  return row ?? { count: 0, since: null };
}
