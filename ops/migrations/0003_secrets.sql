-- Secrets of the installation itself that every process on this store must share, such as the key that seals cursors.
create table secrets (
  name text collate "C" primary key,
  value bytea not null
);
