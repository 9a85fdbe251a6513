-- How far the search index of a namespace has come, by which searches know which part of what they have in memory is still right. It
-- follows from the order of all changes and not from the memories, so it is no part of the index.
create table search_reach (
  namespace_id uuid primary key,
  newest bigint not null,
  rewritten bigint not null
);
