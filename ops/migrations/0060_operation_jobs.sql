-- The checks and rebuilds that operators have started, with their progress. The process that carries one out renews its row while
-- it does; a row that is not renewed in time belongs to a process that is gone.
create table operation_jobs (
  job_id uuid primary key,
  kind text collate "C" not null,
  -- The arguments, as the command takes them.
  models text[] collate "C" not null,
  state text collate "C" not null default 'queued',
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  owner uuid,
  until timestamptz,
  entries bigint,
  part text,
  done bigint,
  total bigint,
  fault_count bigint,
  faults text[] not null default '{}',
  result text,
  failure_reason text
) with (fillfactor = 70);
-- One job of a kind at a time, over all processes.
create unique index operation_jobs_open on operation_jobs (kind) where ended_at is null;
