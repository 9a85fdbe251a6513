import type { Row, Transaction } from '../../src/database/database.js';

interface DisputeCounts extends Row {
  agent: string;
  won: number;
  lost: number;
  open: number;
}

/**
 * Cases that may count against an identity: those against a handle that a workspace has recorded as the identity, those
 * of workspaces that have a public receipt of it, and those that two workspaces state against it. One workspace alone
 * could state any number of cases, so their statements are not read unless there is a second one.
 */
const candidates = `
  select h.agent, s.object_id from fact_handles h
    join fact_statements s on s.workspace = h.workspace and s.respondent in (h.handle, h.agent)
   where h.agent = any($1::text[])
  union
  select a.agent, s.object_id from unnest($1::text[]) a(agent) cross join lateral (
    select object_id from fact_statements where respondent = a.agent
     group by object_id having min(workspace) <> max(workspace)) s
   where (select min(workspace) from fact_statements where respondent = a.agent)
      <> (select max(workspace) from fact_statements where respondent = a.agent)`;

/** The statements of the newest state of a case in each workspace but the owner's. */
const newestOfOthers = `
  select distinct on (workspace) statement, respondent from fact_statements
   where type = 'dispute' and object_id = c.object_id and workspace <> o.workspace order by workspace, seq desc`;

const statusOf = (row: string) => `${row}.statement::json->>'status'`;
const rulingOf = (row: string) => `${row}.statement::json->>'ruling'`;

/**
 * The cases that count against each identity, by their state: the newest statement of the owner. These are the cases of the
 * market's state (src/domain/market/state/cases.ts), and a test compares the two.
 */
export function disputeCounts(tx: Transaction, agents: readonly string[]): Promise<DisputeCounts[]> {
  return tx.query<DisputeCounts>(
    `select c.agent, count(*) filter (where ${statusOf('n')} = 'resolved' and ${rulingOf('n')} = 'rejected') as won,
            count(*) filter (where ${statusOf('n')} = 'resolved' and ${rulingOf('n')} in ('upheld', 'split')) as lost,
            count(*) filter (where ${statusOf('n')} = 'open') as open
       from (${candidates}) c
       cross join lateral (select workspace from fact_statements where type = 'dispute' and object_id = c.object_id
          order by recorded_ms, hash limit 1) o
       cross join lateral (select statement, respondent, seq from fact_statements
          where type = 'dispute' and object_id = c.object_id and workspace = o.workspace
          order by seq desc limit 1) n
      where case when n.respondent = c.agent then
              exists (select 1 from fact_handles h where h.agent = c.agent and h.workspace = o.workspace)
              or exists (select 1 from (${newestOfOthers}) x where x.respondent = n.respondent
                 and ${statusOf('x')} = ${statusOf('n')} and ${rulingOf('x')} is not distinct from ${rulingOf('n')})
            else c.agent = (
              select h.agent from fact_handles h
               where h.workspace = o.workspace and h.handle = n.respondent and h.from_seq <= n.seq
               order by h.from_seq desc limit 1) end
      group by c.agent`,
    [agents],
  );
}
