-- The e-mails about waiting approvals. A notice is recorded once for each approval, even when no one may decide; its e-mails are
-- recorded with it. `approvals` is a read model that is rebuilt, so these rows refer to it by the id alone.
create table approval_notices (
  approval_id text collate "C" not null,
  notice text not null,
  expires_at timestamptz not null,
  primary key (approval_id, notice)
);
create index on approval_notices (expires_at);
create table approval_mails (
  id uuid primary key,
  approval_id text collate "C" not null,
  notice text not null,
  workspace_id uuid not null,
  member_id uuid not null,
  mail text not null default 'pending',
  attempts int not null default 0,
  run_after timestamptz not null,
  lease_owner uuid,
  lease_until timestamptz,
  unique (approval_id, notice, member_id),
  foreign key (approval_id, notice) references approval_notices
) with (fillfactor = 70);
create index approval_mails_due on approval_mails (run_after) where mail = 'pending';
