/**
 * Rows that the SQL of other folders may read and join: the namespaces of every workspace, also those that were deleted. It is
 * the name of the table because every search and every write joins it.
 */
export const namespaceRows = 'namespaces';
