-- Vectors of memories (pgvector). On a server this needs a role that may create extensions, or somebody who did it before.
create extension if not exists vector;

-- The ledger: what was decided, as the bytes that were hashed. Rows of entries are never updated and never deleted.
create table chains (
  chain uuid primary key,
  genesis bytea not null,
  head_seq bigint not null,
  head_hash bytea not null
) with (fillfactor = 50);

create table entries (
  chain uuid not null references chains,
  seq bigint not null,
  receipt_id text collate "C" not null unique,
  command_id uuid not null,
  hash bytea not null,
  bytes bytea not null,
  primary key (chain, seq)
);
create index on entries (command_id);

-- What entries commit to but must not contain: the only place of content, metadata and salts. Deleting a memory deletes
-- its row here, and with the salt goes the last way to test a guess against the commitment in the chain.
create table vault (
  receipt_id text collate "C" primary key,
  salt bytea not null,
  content text,
  metadata text,
  source text
);
