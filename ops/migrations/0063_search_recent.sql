-- The newest documents of a namespace wait in a table of their own until there are enough of them for the blocks of the lists. What an
-- earlier version has written is in blocks. The column has no default afterwards: a process of that version, which knows nothing of the
-- table, would write documents into blocks behind the number up to which searches read them. Its writes are left to jobs instead.
alter table if exists search_namespaces add column sealed bigint not null default 9007199254740991;
alter table if exists search_namespaces alter column sealed drop default;
create table search_recent (
  namespace_id uuid not null,
  seq bigint not null,
  postings bytea not null,
  codes bytea not null,
  primary key (namespace_id, seq)
);
alter table search_recent alter column postings set statistics 0;
alter table search_recent alter column codes set statistics 0;
alter table search_recent alter column postings set storage external;
alter table search_recent alter column codes set storage external;
