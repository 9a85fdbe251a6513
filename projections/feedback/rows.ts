/**
 * SQL of the time at which feedback that counts a receipt was recorded; null when there is none. The receipts of an agent in
 * a workspace have rising times, so no two epochs count receipts between the same positions.
 * @param agent SQL of the identity that the receipt counts for
 */
export const emittedAtOf = (workspace: string, agent: string, seq: string): string =>
  `(select case when m.from_seq <= ${seq} then m.emitted_at end from feedback_emissions m
     where m.workspace_id = ${workspace} and m.agn_id = ${agent} and m.to_seq >= ${seq} order by m.to_seq limit 1)`;
