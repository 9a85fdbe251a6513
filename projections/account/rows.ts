/** Rows that the SQL of other folders may read and join: the workspaces, and whether each has the memory API. */
export const workspaceRows = '(select id, memory_api from workspaces)';

/** Rows that the SQL of other folders may read and join: the memberships of people. */
export const memberRows = '(select id, workspace_id, role, email from members)';

/** Rows that the SQL of other folders may read and join: the API keys that are not revoked. */
export const keyRows = '(select id, workspace_id, name, namespace_ids from keys)';

/** Rows that the SQL of other folders may read and join: the people, some of them several times. */
export const personRows = '(select person_id as id from members union all select id from guests)';

/** Rows that the SQL of other folders may read and join: the e-mail address in each membership of a person. */
export const addressRows = '(select id, person_id, email from members union all select id, id, email from guests)';
