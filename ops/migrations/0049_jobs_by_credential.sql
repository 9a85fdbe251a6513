-- The credential that has queued a job, by the id that its entry has for it: a search waits for the jobs of its own credential. Only jobs
-- of the last seconds are looked for, so those that are there already have none.
alter table jobs add column queued_by text collate "C";
