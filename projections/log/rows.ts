/** Rows that the SQL of other folders may read and join: what stands in the public log. */
export const leafRows = '(select index, leaf, workspace_id, size from log_leaves)';

/** Rows that the SQL of other folders may read and join: the signed checkpoints, and how far each is anchored. */
export const checkpointRows = `(select size, root, note, anchor, digest, promised, ots, height, header, block_hash, block_time
  from checkpoints)`;
