-- A session belongs to a person and is in one workspace, through a membership of the person. Before this, each membership
-- was a person of its own.
alter table sessions add column person_id uuid;
update sessions set person_id = member_id;
alter table sessions alter column person_id set not null;
create index on sessions (person_id);
-- The workspace that a person used last: the next sign-in that names none goes there.
create table last_workspaces (
  person_id uuid primary key,
  workspace_id uuid not null
);
