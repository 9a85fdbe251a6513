/** Rows that the SQL of other folders may read and join: the agents that are linked to workspaces. */
export const agentRows = '(select id, workspace_id, agent_id, name, handle from agents)';

/** Rows that the SQL of other folders may read and join: the keys of agents that are not revoked. */
export const agentKeyRows = '(select id, workspace_id, name, namespace_ids from agent_keys)';
