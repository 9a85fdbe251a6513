/**
 * Rows that the SQL of other folders may read and join: how far the ingest of each memory has come. Other folders use the columns
 * `job_id`, `memory_id`, `receipt_id` and `stage` only. It is the name of the table because every list and every write joins it.
 */
export const jobRows = 'jobs';
