-- The public files of closed days. The entry of each close states the SHA-256 of the bytes. A file that is missing is derived
-- again from the facts of its day.
create table close_files (
  day text collate "C" primary key,
  bytes bytea not null
);
