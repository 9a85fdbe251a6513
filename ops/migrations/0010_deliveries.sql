-- What is sent to webhooks: leased rows like ingest jobs, made in the transaction in which a memory becomes ready. What is
-- sent is not kept; it is made from the read model when it is sent. Progress, not history.
create table deliveries (
  id uuid primary key,
  webhook_id uuid not null,
  memory_id uuid not null,
  state text not null,
  attempts int not null default 0,
  run_after timestamptz not null,
  lease_owner uuid,
  lease_until timestamptz,
  last_status_code int,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (webhook_id, memory_id)
) with (fillfactor = 70);
create index deliveries_due on deliveries (run_after) where state = 'pending';
create index deliveries_next on deliveries (webhook_id, run_after) where state = 'pending';
create index deliveries_ended on deliveries (updated_at) where state <> 'pending';
create index on deliveries (webhook_id, id);
create index on deliveries (memory_id);

-- How it goes with a webhook, since the first delivery.
create table webhook_health (
  webhook_id uuid primary key,
  last_delivery_at timestamptz not null,
  last_status_code int,
  failing_since timestamptz,
  disabled boolean not null
) with (fillfactor = 70);
