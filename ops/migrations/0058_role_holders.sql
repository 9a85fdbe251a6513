-- The roles of each process on a server, which it renews while it runs: a role without a row that is in time runs nowhere.
create table role_holders (
  role text collate "C" not null,
  owner uuid not null,
  until timestamptz not null,
  primary key (role, owner)
);
