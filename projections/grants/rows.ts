/** Rows that the SQL of other folders may read and join: the grants that have not ended. */
export const grantRows = '(select id, workspace_id from grants)';
