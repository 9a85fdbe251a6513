-- Feedback about agents in registries of ERC-8004: the file of each agent and epoch, which is served permanently, and what has become of
-- it. The hash of the bytes is on the chain, so they never change.
create table feedback_files (
  agn_id text collate "C" not null,
  epoch text collate "C" not null,
  -- Receipts that were recorded before this moment, in milliseconds, are counted.
  to_ms bigint not null,
  chain_id bigint not null,
  registry text collate "C" not null,
  agent_id text collate "C" not null,
  -- The account that gives the feedback.
  client text collate "C" not null,
  value integer not null,
  hash text collate "C" not null,
  bytes bytea not null,
  -- The counted receipts of each workspace as JSON. It is private.
  spans text not null,
  root text collate "C" not null,
  -- made: not given yet; emitted: on the chain, and the ledger says so; refused: the registry did not take it; withdrawn: the link ended before.
  state text collate "C" not null check (state in ('made', 'emitted', 'refused', 'withdrawn')),
  -- Why it could not be given, as a sentence, and when it is tried again.
  problem text,
  retry_at timestamptz,
  primary key (agn_id, epoch)
);
create index on feedback_files (agn_id, to_ms);
create index on feedback_files (to_ms, agn_id) where state = 'made';
create index on feedback_files (to_ms) where problem is not null;
