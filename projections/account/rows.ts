/** Rows that the SQL of other folders may read and join: the workspaces, and whether each has the memory API. */
export const workspaceRows = '(select id, memory_api from workspaces)';

/** Rows that the SQL of other folders may read and join: the memberships of people. */
export const memberRows = '(select id, workspace_id, role, email from members)';
