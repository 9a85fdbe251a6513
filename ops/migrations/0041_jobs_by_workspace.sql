-- Ingest serves workspaces one after the other, and short texts do not wait for long ones: each job names its workspace and its length.
-- Both are read from the entry that has made the job, because read models may not have been built yet.
alter table jobs add column workspace_id uuid, add column is_long boolean;
update jobs j set workspace_id = e.chain,
    is_long = (convert_from(e.bytes, 'UTF8')::jsonb #>> '{body,content_bytes}')::bigint > 4096
  from entries e where e.receipt_id = j.receipt_id;
alter table jobs alter column workspace_id set not null, alter column is_long set not null;
create index jobs_due on jobs (is_long, workspace_id, run_after) where stage not in ('done', 'failed');
drop index jobs_run_after_idx;
