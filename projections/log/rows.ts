/** Rows that the SQL of other folders may read and join: the leaves of the public log. */
export const leafRows = '(select index, leaf, workspace_id, size from log_leaves)';

/** Rows that the SQL of other folders may read and join: the signed checkpoints. */
export const checkpointRows = '(select size, root, note from checkpoints)';

/** Rows that the SQL of other folders may read and join: the anchors of checkpoints, one for each checkpoint and type. */
export const anchorRows = `(select size, type, state, digest, promised, proof, height, header, block_hash, block_time from anchors)`;

/** Rows that the SQL of other folders may read and join: the anchors of checkpoints on Ethereum that were not lost. */
export const ethereumAnchorRows = `(select size, state, chain_id, tx_hash, block_number, block_hash from ethereum_anchors
  where state <> 'lost')`;
