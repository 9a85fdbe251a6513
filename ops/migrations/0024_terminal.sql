-- What people keep in the terminal: watchlists, alerts, and each time that an alert has fired. Not history: when a person is
-- a member of no workspace any more, the row of the account goes, and all others with it.
create table terminal_accounts (
  person_id uuid primary key
);
create table watched (
  id uuid primary key,
  person_id uuid not null references terminal_accounts on delete cascade on update cascade,
  kind text not null,
  ref_id text collate "C" not null,
  created_at timestamptz not null,
  unique (person_id, kind, ref_id)
);
-- `is_true` is whether the condition was true when the figure was last there.
-- `checked_t` is the moment of the feeds of the last check, and `is_new` whether there was no check yet of the present condition.
-- Every check updates every row, so no index has a column that checks change often.
create table alerts (
  id uuid primary key,
  person_id uuid not null references terminal_accounts on delete cascade on update cascade,
  scope text not null,
  target text collate "C" not null,
  metric text not null,
  op text not null,
  value double precision not null,
  revision int not null default 1,
  state text not null,
  is_new boolean not null,
  is_true boolean not null default false,
  last_value double precision,
  checked_t timestamptz,
  last_checked_at timestamptz,
  last_fired_at timestamptz,
  created_at timestamptz not null
) with (fillfactor = 70);
create index on alerts (person_id, id);
create index alerts_new on alerts (id) where is_new;
-- `position` is the order in which firings were recorded: one worker at a time records them, so none appears behind a later one.
-- `record` is the alert as it was then, as JSON text.
create table firings (
  id uuid primary key,
  position bigint generated always as identity unique,
  alert_id uuid not null,
  person_id uuid not null references terminal_accounts on delete cascade on update cascade,
  record text not null,
  fired_at timestamptz not null,
  mail text not null,
  attempts int not null default 0,
  run_after timestamptz not null,
  lease_owner uuid,
  lease_until timestamptz,
  last_error text
) with (fillfactor = 70);
create index on firings (fired_at);
create index on firings (person_id, position);
create index firings_to_mail on firings (run_after) where mail = 'pending';

-- People who have signed in with a provider and are members of no workspace. Their sessions are in no workspace.
create table guests (
  id uuid primary key,
  email text not null,
  email_key text collate "C" not null unique,
  created_at timestamptz not null
);
alter table sessions alter column member_id drop not null;
