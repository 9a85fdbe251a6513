/**
 * Rows that the SQL of other folders may read and join: the memories that exist. The filter of a request is a condition on
 * them. It is the name of the table, because PostgreSQL needs 0.02 ms to plan a subquery with its columns (17 of them, in
 * statements of 0.08 to 0.12 ms), and every search and every write asks several times.
 */
export const memoryRows = 'memories';

/** The last reinstatement or promotion of a workspace, as `workspace_id` and `seq`; without a row before the first one. */
export const reinstatementRows = 'memory_reinstatements';

/** The number of memories of each namespace. A namespace without memories has no row. */
export const memoryCountRows = '(select namespace_id, memories from memory_counts)';

/** SQL of the digits of an id by which models name a memory: see src/api/memories/short-id.ts. Their index has it in these words. */
export const endOfId = 'right(id::text, 12)';
