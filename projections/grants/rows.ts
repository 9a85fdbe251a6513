/** Rows that the SQL of other folders may read and join: the grants that have not ended, with those that have expired. */
export const grantRows =
  '(select id, workspace_id, member_id, agent_id, client_name, redirect_host, namespace_ids, expires_at from grants)';
