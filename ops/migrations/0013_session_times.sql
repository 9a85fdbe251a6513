-- A person who lists the sessions sees when each was begun. Those from before count from now.
alter table sessions add column created_at timestamptz not null default now();
