-- Who is signed in. Not history: a session that has ended leaves nothing.
create table sessions (
  id uuid primary key,
  member_id uuid not null,
  expires_at timestamptz not null
);
create index on sessions (expires_at);
