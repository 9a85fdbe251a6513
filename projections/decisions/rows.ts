/** Rows that the SQL of other folders may read and join: one for each decision and each handoff. */
export const decisionRows = 'decisions';
