-- How far each follower of the ledger has come in each chain, and the process that works on it until its time is up. The fence
-- grows with every new owner: an earlier owner moves the position no more. The row of the chain ffffffff-… says that the
-- follower was begun.
create table followers (
  name text collate "C" not null,
  chain uuid not null,
  seq bigint not null,
  owner uuid,
  fence bigint not null,
  until timestamptz not null,
  primary key (name, chain)
);
