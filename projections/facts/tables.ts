/**
 * `facts` has one row for each public task receipt, `fact_statements` one for each of its statements about an object of the
 * market. The ids that only a workspace may see are in a table of their own, which no query for the public may join. The
 * sums of identities save records of identities from reading all their facts.
 */
export const factTables = `
  create table facts (
    recorded_ms bigint not null,
    hash text collate "C" not null,
    workspace text collate "C" not null,
    seq bigint not null,
    agent text collate "C" not null,
    handle text collate "C" not null,
    vendor text collate "C" not null,
    platform text collate "C" not null,
    capability text collate "C",
    sector text collate "C",
    counterparty text collate "C",
    segment text collate "C",
    workflow text collate "C",
    status text collate "C" not null,
    started_ms bigint not null,
    ended_ms bigint not null,
    latency_ms bigint not null,
    latency_bucket integer not null,
    cost_micros bigint,
    scope_violated boolean not null,
    verified_attestations integer not null,
    outcome_value_micros bigint,
    outcome_baseline_micros bigint,
    outcome_accepted boolean,
    primary key (recorded_ms, hash)
  );
  create table fact_statements (
    recorded_ms bigint not null,
    hash text collate "C" not null,
    workspace text collate "C" not null,
    seq bigint not null,
    ended_ms bigint not null,
    type text collate "C" not null,
    object_id text collate "C",
    statement text not null,
    rfq_id text collate "C",
    respondent text collate "C",
    primary key (recorded_ms, hash, type)
  );
  create table fact_private_ids (
    recorded_ms bigint not null,
    hash text collate "C" not null,
    workspace_id uuid not null,
    invoice_id text collate "C",
    run_id text collate "C",
    primary key (recorded_ms, hash)
  );
  create table fact_attestations (
    recorded_ms bigint not null,
    hash text collate "C" not null,
    position integer not null,
    agent text collate "C" not null,
    type text collate "C" not null,
    issuer text collate "C",
    verified boolean not null,
    primary key (recorded_ms, hash, position)
  );
  create table fact_handles (
    workspace text collate "C" not null,
    handle text collate "C" not null,
    from_seq bigint not null,
    agent text collate "C" not null,
    primary key (workspace, handle, from_seq)
  );
  create table fact_months (
    agent text collate "C" not null,
    month text collate "C" not null,
    tasks bigint not null,
    first_ms bigint not null,
    last_ms bigint not null,
    successes bigint not null,
    failures bigint not null,
    violated bigint not null,
    primary key (agent, month)
  );
  create table fact_capabilities (
    agent text collate "C" not null,
    capability text collate "C" not null,
    tasks bigint not null,
    first_ms bigint not null,
    last_ms bigint not null,
    primary key (agent, capability)
  );
`;

/**
 * The owner of an object is the workspace of its first statement by (recorded_ms, hash). Of one workspace the newest
 * statement has the highest seq.
 */
export const factIndexes = `
  create index on facts (ended_ms, recorded_ms, hash);
  create index on facts (agent, ended_ms);
  create index on facts (agent, recorded_ms, hash) where starts_with(agent, 'agn_');
  create index on facts (agent, capability, ended_ms) where capability is not null;
  create index on facts (capability, ended_ms) where capability is not null;
  create index on facts (capability, recorded_ms, hash) where sector is not null;
  create index on fact_statements (type, object_id, recorded_ms, hash) where object_id is not null;
  create index on fact_statements (type, object_id, workspace, seq) where object_id is not null;
  create index on fact_statements (type, ended_ms);
  create index on fact_statements (rfq_id) where rfq_id is not null;
  create index on fact_statements (respondent, workspace, object_id) where respondent is not null;
  create index on fact_private_ids (workspace_id, invoice_id) where invoice_id is not null;
  create index on fact_private_ids (workspace_id, run_id) where run_id is not null;
  create index on fact_attestations (agent, recorded_ms, hash, position);
  create index on fact_handles (agent);
`;
