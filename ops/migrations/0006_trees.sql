-- What stands for a workspace in the public log is HMAC-SHA-256(tag_key, its id): nobody can tell from the log which
-- workspaces there are, and whoever holds a proof can check that its tag is the workspace's.
alter table chains add column tag_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- Merkle trees over entries and over the public log, in tiles of 256 hashes. Level 0 are the hashes of the entries or leaves
-- themselves; here are the levels above, and how many leaves, always whole tiles, they are of. All of it can be derived.
create table trees (
  tree uuid primary key,
  size bigint not null
);
create table tiles (
  tree uuid not null references trees,
  level int not null,
  index bigint not null,
  hashes bytea not null,
  primary key (tree, level, index)
);
alter table tiles alter column hashes set storage external;

-- Work that only one process may do at a time. It stops being its owner's when the time is up.
create table leases (
  name text collate "C" primary key,
  owner uuid not null,
  until timestamptz not null
);
