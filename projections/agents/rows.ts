/** Rows that the SQL of other folders may read and join: the agents that are linked to workspaces. */
export const agentRows = '(select workspace_id, agent_id, handle, name from agents)';

/** Rows that the SQL of other folders may read and join: the keys of agents that are not revoked. */
export const agentKeyRows = '(select id, workspace_id, namespace_ids from agent_keys)';
