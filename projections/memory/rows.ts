/** Rows that the SQL of other folders may read and join: the memories that exist. The filter of a request is a condition on them. */
export { filterSql } from './filter-sql.js';

export const memoryRows = `(select id, workspace_id, namespace_id, seq, receipt_id, receipt_hash, content_hash, size, playground,
  source, user_id, agent_id, app_id, run_id, metadata, created_at, updated_at from memories)`;

/** How many memories each namespace holds; a namespace without memories has no row. */
export const memoryCountRows = '(select namespace_id, memories from memory_counts)';
