-- Requests counted against rate limits by all processes together. Losing the counts in a crash forgives a minute, so
-- they need no write-ahead log.
create unlogged table rate_limits (
  key text collate "C" primary key,
  points int not null,
  expire bigint
);

-- Answers to requests that carried an Idempotency-Key, for 24 hours. An answer may hold what a memory says, and its digest
-- is made from what was sent, so it goes with the first deposit that it reveals.
create table answers (
  chain uuid not null references chains,
  request_key text collate "C" not null,
  digest text collate "C" not null,
  status int not null,
  body text not null,
  reveals text[] collate "C" not null,
  answered_at timestamptz not null,
  primary key (chain, request_key)
);
create index on answers using gin (reveals);
create index on answers (answered_at);
alter table answers alter column digest set statistics 0;
alter table answers alter column body set statistics 0;
