-- Ingest jobs are leased rows: a killed worker's lease runs out and another takes over where the row says it stood.
-- They are progress, not history, so they are not derived from the ledger; the write that admits a memory makes its row.
create table jobs (
  job_id uuid primary key,
  memory_id uuid not null,
  receipt_id text collate "C" not null,
  stage text not null,
  stage_timestamps jsonb not null,
  failed_stage text,
  failure_reason text,
  attempts int not null default 0,
  run_after timestamptz not null,
  lease_owner uuid,
  lease_until timestamptz,
  queued_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 70);
create index on jobs (memory_id);
create index on jobs (run_after) where stage not in ('done', 'failed');

-- Which version of each read model the tables hold.
create table projections (
  name text collate "C" primary key,
  version int not null
);
