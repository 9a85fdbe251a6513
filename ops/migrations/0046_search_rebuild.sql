-- The workspaces whose memories are being indexed again after an upgrade, with the id below which memories may still be missing in
-- the search index, and about how many these are. It is no table of the read model, so that exchanging its tables leaves it as it is.
create table search_rebuild (
  workspace_id uuid primary key,
  below uuid,
  memories bigint not null
);
