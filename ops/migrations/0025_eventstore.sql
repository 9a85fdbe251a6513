-- The engine that holds the chains of this store: the database itself while there is no row. A stream origin is the prefix of
-- the streams, together with the genesis of each chain.
create table ledger_home (
  only_row boolean primary key default true check (only_row),
  engine text collate "C" not null,
  prefix text collate "C" not null
);

-- Appends to an engine elsewhere that are not applied yet: entries with their deposits and answers, which nobody may see before
-- they are applied. The last hash stands for all entries of the append.
create table pending_appends (
  chain uuid not null,
  last_hash bytea not null,
  expected_seq bigint not null,
  last_seq bigint not null,
  recorded_ms bigint not null,
  staged_at timestamptz not null,
  commits text not null,
  primary key (chain, last_hash)
);
create index on pending_appends (staged_at);
-- Texts are stored as they are, because a row lives for milliseconds; and no statistics keep them.
alter table pending_appends alter column commits set storage external;
alter table pending_appends alter column commits set statistics 0;

-- How far the streams of all chains together were applied.
create table stream_position (
  only_row boolean primary key default true check (only_row),
  commit_position numeric(20) not null,
  prepare_position numeric(20) not null
);
