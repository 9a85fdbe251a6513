-- The workspace that the first start makes, from just before it is made until somebody has signed in to it or used a key of
-- it. Only hashes of the generated password and key are stored, so a start that finds this row makes and shows new ones.
create table first_credentials (
  singleton boolean primary key default true check (singleton),
  workspace_id uuid not null,
  generated_at timestamptz not null default now()
);
