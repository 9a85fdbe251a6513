-- The topics of Kafka to which entries are sent, each from the first entry on. Those that are not used any more stay, so that
-- none is taken a second time.
create table relay_topics (
  topic text primary key,
  -- The chains whose entries go there: those of workspaces, or those of the log and the registry.
  stream text not null check (stream in ('entries', 'log')),
  -- As they were when the relay began: with another number the keys would move.
  partitions int4,
  begun timestamptz not null default now(),
  retired timestamptz,
  -- When the topic had lost records, so that all entries are sent again.
  rewound timestamptz,
  -- A sentence: why nothing is sent to the topic.
  stopped text,
  -- A sentence: what is wrong with the topic although entries are sent.
  warning text
);
create unique index relay_topics_current on relay_topics (stream) where retired is null;

-- Behind the last record of a partition that was sent, or compared with the ledger.
create table relay_partitions (
  topic text not null,
  partition int4 not null,
  next_offset int8 not null,
  primary key (topic, partition)
);

-- Chains for which nothing is sent.
create table relay_stops (
  topic text not null,
  chain uuid not null,
  reason text not null check (reason in ('forked', 'refused')),
  seq int8 not null,
  detail text not null,
  since timestamptz not null default now(),
  primary key (topic, chain)
);

-- The keys of records, under the first tag key of each chain.
create table relay_keys (
  chain uuid primary key,
  key text not null
);
