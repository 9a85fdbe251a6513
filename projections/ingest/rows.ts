/**
 * Rows that the SQL of other folders may read and join: how far the ingest of each memory has come. Other folders use the columns
 * `job_id`, `memory_id`, `receipt_id` and `stage` only. It is the name of the table because every list and every write joins it.
 *
 * A memory that was indexed with its append has no row. It is ready, and its job, which has the id of the memory, is done.
 */
export const jobRows = 'jobs';

/** SQL: the memory with this id is ready. */
export const isReady = (memoryId: string): string =>
  `not exists (select 1 from ${jobRows} j where j.memory_id = ${memoryId} and j.stage <> 'done')`;

/** SQL of the stage of the memory's job `j`, which is joined to it as far as there is one. */
export const stageOfJob = `coalesce(j.stage, 'done')`;
