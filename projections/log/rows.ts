/** Rows that the SQL of other folders may read and join: the leaves of the public log. */
export const leafRows = '(select index, leaf, workspace_id, size from log_leaves)';

/** Rows that the SQL of other folders may read and join: the turns of the signers of the log. */
export const turnRows = '(select seq, turn, size, root, reason from log_turns)';

/** Rows that the SQL of other folders may read and join: the signed checkpoints. */
export const checkpointRows = '(select size, root, note, signed_at from checkpoints)';

/** Rows that the SQL of other folders may read and join: the anchors of checkpoints, one for each checkpoint and type. */
export const anchorRows = `(select size, type, state, digest, promised, proof, height, header, block_hash, block_time from anchors)`;

/** Rows that the SQL of other folders may read and join: the anchors of checkpoints on Ethereum, also lost ones. */
export const ethereumAnchorRows = `(select size, state, digest, chain_id, contract, block_hash, header, tx_index, log_index, receipt, nodes
  from ethereum_anchors)`;

/** The same rows of a log that has ended. */
export const formerRows = (log: number) => ({
  checkpoints: `(select size, root, note, signed_at from former_checkpoints where log = ${log})`,
  anchors: `(select size, type, state, digest, promised, proof, height, header, block_hash, block_time from former_anchors
     where log = ${log})`,
  ethereumAnchors: `(select size, state, digest, chain_id, contract, block_hash, header, tx_index, log_index, receipt, nodes
     from former_ethereum_anchors where log = ${log})`,
});

/** An anchor of a checkpoint on Ethereum, as receipts show it. */
interface AnchorTx {
  readonly chain: string;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly state: 'mined' | 'final';
}

/**
 * SQL of the first anchor on Ethereum of a checkpoint that covers a leaf, as text for `readAnchorTx`; null while there is none.
 * @param index SQL of the index of the leaf
 */
export const anchorTxOver = (index: string): string =>
  `(select json_build_object('chain', 'eip155:' || x.chain_id, 'tx_hash', x.tx_hash, 'block_number', x.block_number,
      'block_hash', x.block_hash, 'state', x.state)::text
     from ethereum_anchors x where x.size > ${index} and x.state <> 'lost' order by x.size limit 1)`;

export function readAnchorTx(text: string | null): AnchorTx | null {
  return text === null ? null : JSON.parse(text);
}
