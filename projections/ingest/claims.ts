import type { Stage } from '../../contracts/memory.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { namespaceRows } from '../namespace/rows.js';

/** A job that a worker holds, with its memory and the fields that prove that its text is the one that the receipt commits to. */
export interface ClaimedJob extends Row {
  job_id: string;
  memory_id: string;
  workspace_id: string;
  stage: Stage;
  attempts: number;
  namespace_id: string;
  text_config: string;
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  content: string;
  metadata: string;
  source: string | null;
  label: string | null;
}

/** Which jobs a worker takes, and how many at a time. */
export interface ClaimBounds {
  readonly leaseMs: number;
  /** Whether it takes the jobs of long texts, or those of short ones. */
  readonly isLong: boolean;
  readonly jobs: number;
  /** Of the texts of these jobs together. A job that has more is claimed alone. */
  readonly bytes: number;
  /** The workspace up to which workspaces were served; null at the beginning. */
  readonly after: string | null;
}

interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** The last workspace of those that were served one after the other; null where there was none. */
  readonly last: string | null;
}

const beforeAll = '00000000-0000-0000-0000-000000000000';
/** The workspaces that are looked at for one claim. Those after them come next. */
const workspacesAtOnce = 64;

/**
 * Leases due jobs to `owner`, round after round of all workspaces in the order of their ids: first a job of the next workspace,
 * however long its text is, then jobs of that one and the following ones, those first with which their workspace has the fewest
 * bytes. So no workspace waits for more than one claim of each other one. Of one workspace the oldest job is first.
 *
 * Rows that another worker is just taking are skipped, and a lease that has run out by the database's clock is taken over; the
 * work of the lost worker is done again, which every stage allows. What `owner` itself still holds is what it has lost hold of,
 * since it claims only when it works on nothing. A job that was never tried is due at any time of the clock of the process that
 * queued it.
 */
export async function claimJobs(tx: Transaction, owner: string, now: Date, bounds: ClaimBounds): Promise<Claimed> {
  const { after } = bounds;
  const claimed = await claimAfter(tx, owner, now, bounds, after ?? beforeAll);
  const isAround = claimed.length === 0 && after !== null;
  const jobs = isAround ? await claimAfter(tx, owner, now, bounds, beforeAll) : claimed;
  return { jobs, last: lastServed(jobs) };
}

type InRound = ClaimedJob & {
  /** The number of its workspace among those that the claim has looked at. */
  place: number;
};

/** Workspaces behind one that has got nothing, because the claim was full, are the next ones. */
function lastServed(jobs: readonly InRound[]): string | null {
  const byPlace = new Map(jobs.map(({ place, workspace_id }) => [place, workspace_id]));
  let place = Math.min(...byPlace.keys());
  while (byPlace.has(place + 1)) place += 1;
  return byPlace.get(place) ?? null;
}

const due = `stage not in ('done', 'failed') and (stage = 'queued' or run_after <= $3)
  and (lease_until is null or lease_until < now() or lease_owner = $1) and is_long = $7`;

function claimAfter(
  tx: Transaction,
  owner: string,
  now: Date,
  { leaseMs, isLong, jobs, bytes }: ClaimBounds,
  after: string,
): Promise<InRound[]> {
  return tx.query<InRound>(
    `with recursive round(workspace_id, place) as (
       (select workspace_id, 1 from jobs where ${due} and workspace_id > $8 order by workspace_id limit 1)
       union all
       select (select workspace_id from jobs where ${due} and workspace_id > r.workspace_id order by workspace_id limit 1), place + 1
         from round r where r.workspace_id is not null and place < ${workspacesAtOnce}),
     share as (select greatest(1, $4::int / greatest(1, count(workspace_id))) as jobs from round),
     first as (
       select r.place, one.* from round r, share cross join lateral (
         select job_id, memory_id, run_after from jobs where ${due} and workspace_id = r.workspace_id
          order by run_after limit share.jobs for update skip locked) one),
     ranked as (
       select f.job_id, f.place, m.size, row_number() over (order by f.place, f.run_after, f.job_id) = 1 as is_first,
              sum(m.size) over (partition by f.place order by f.run_after, f.job_id) as own
         from first f join ${memoryRows} m on m.id = f.memory_id),
     fitting as (
       select job_id, place, row_number() over in_order as number, sum(size) over in_order as bytes from ranked
       window in_order as (order by is_first desc, own, place, job_id rows unbounded preceding)),
     claimed as (
       update jobs j set lease_owner = $1, lease_until = now() + $2 * interval '1 millisecond', updated_at = $3,
              stage = case when stage = 'queued' then 'extracting' else stage end,
              stage_timestamps = jsonb_build_object('extracting', to_jsonb($5::text)) || stage_timestamps
         from fitting f where j.job_id = f.job_id and f.number <= $4 and (f.number = 1 or f.bytes <= $6)
       returning j.job_id, j.memory_id, j.workspace_id, j.receipt_id, j.stage, j.attempts, f.place)
     select j.job_id::text, j.memory_id::text, j.workspace_id::text, j.stage, j.attempts, j.place, m.namespace_id::text,
            n.text_config, m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label
       from claimed j join ${memoryRows} m on m.id = j.memory_id join ${namespaceRows} n on n.id = m.namespace_id
       join ${vaultRows} v on v.receipt_id = j.receipt_id join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq
      order by m.seq`,
    [owner, leaseMs, now.toISOString(), jobs, now.toISOString(), bytes, isLong, after],
  );
}
