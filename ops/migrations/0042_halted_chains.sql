-- Chains in EventStoreDB that take no appends until their streams are mended. Every process reads it with each append.
create table halted_chains (
  chain uuid primary key,
  kind text collate "C" not null,
  reason text not null
);
