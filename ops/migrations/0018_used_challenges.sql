-- Challenges that a proof of a key has used, until some time after they have expired. `request` names the request that used one:
-- repeated under its Idempotency-Key, it is the same request.
create table used_challenges (
  challenge text collate "C" primary key,
  request text collate "C" not null,
  forget_at timestamptz not null
);
create index on used_challenges (forget_at);
