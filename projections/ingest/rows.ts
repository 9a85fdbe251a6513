/** Rows that the SQL of other folders may read and join: how far the ingest of each memory has come. */
export const jobRows = '(select job_id, memory_id, receipt_id, stage from jobs)';
