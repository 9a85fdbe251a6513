-- The state of the authorization server: registered clients, grants, codes, refresh tokens, requests that wait for a person,
-- and signing keys. Not history: what has expired is removed. `id` is the SHA-256 of the id that clients and browsers hold, and
-- `payload` has neither that id nor a secret of a client, so no row is enough to act as a client or a browser.
create table oauth_state (
  model text collate "C" not null,
  id text collate "C" not null,
  payload text not null,
  -- Of a client, its latest grant.
  grant_id text collate "C",
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (model, id)
);
create index on oauth_state (expires_at);
create index on oauth_state (grant_id) where grant_id is not null;
create index oauth_clients_without_grant on oauth_state (expires_at) where model = 'Client' and grant_id is null;
