-- Traces whose spans are not all recorded yet, and for some time those that are, so that a span which comes late or again is
-- known. Names, numbers and hashes of spans, and none of their texts. Progress, not history.
create table open_traces (
  workspace_id uuid not null,
  trace_id text collate "C" not null,
  -- Each change raises it, so that of two processes with the same trace one reads it again.
  revision int not null,
  -- Who sent the last spans, and in whose name the rest is recorded when nothing more comes.
  caller text not null,
  nodes text not null,
  -- Of the spans that wait for their root.
  waiting_bytes int not null,
  opened_at timestamptz not null,
  due_at timestamptz not null,
  primary key (workspace_id, trace_id)
);
create index on open_traces (due_at);
create index open_traces_waiting on open_traces (workspace_id, waiting_bytes) where waiting_bytes > 0;
