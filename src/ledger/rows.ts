/** Rows of the ledger that the SQL of read models may read and join: where each chain ends. */
export const chainRows = '(select chain, genesis, head_seq, head_hash, tag_key from chains)';

/** The entries, as the bytes that were hashed. It is the name of the table because every read of memories joins it. */
export const entryRows = 'entries';

/** The texts that entries commit to, with their salts, as long as they were not erased. The name of the table, as above. */
export const vaultRows = 'vault';

/** How far each follower has come in each chain. */
export const followerRows = '(select name, chain, seq from followers)';
