-- The jobs that have not ended, newest first: lists of pending memories look at these only.
create index jobs_open on jobs (job_id) where stage not in ('done', 'failed');
