-- When each agent key and each grant was used last, to about a minute. Progress, not history.
create table credential_uses (
  id text collate "C" primary key,
  workspace_id uuid not null,
  used_at timestamptz not null
);
create index on credential_uses (workspace_id);
