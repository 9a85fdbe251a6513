/** Rows that the SQL of other folders may read and join: the namespaces of every workspace, also those that were deleted. */
export const namespaceRows = '(select id, workspace_id, name, is_default, text_config, deleted_at from namespaces)';
