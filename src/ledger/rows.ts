/** Rows of the ledger that the SQL of read models may read and join: where each chain ends. */
export const chainRows = '(select chain, genesis, head_seq, head_hash, tag_key from chains)';

/** The entries, as the bytes that were hashed. */
export const entryRows = '(select chain, seq, receipt_id, hash, bytes from entries)';

/** The texts that entries commit to, with their salts, as long as they were not erased. */
export const vaultRows = '(select receipt_id, salt, content, metadata, source, label, others from vault)';
