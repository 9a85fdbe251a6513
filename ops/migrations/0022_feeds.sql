-- At most one row: every entry that was or will be recorded at this time (milliseconds since 1970) or before is committed. An append
-- with an older time is refused, and decided again with a later one. Figures of a moment that is not after it are final.
create table settled_time (
  only_row boolean primary key default true check (only_row),
  ms bigint not null
);

-- The newest feeds that a process has made, compressed with Brotli, so that a start serves them at once.
create table stored_feeds (
  name text collate "C" primary key,
  ms bigint not null,
  bytes bytea not null
);
