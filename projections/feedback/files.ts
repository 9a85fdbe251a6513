import type { Row, Transaction } from '../../src/database/database.js';

/** The counted receipts of one workspace. */
export interface WorkspaceSpan {
  readonly workspaceId: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
}

/** The feedback about an agent for one epoch. */
export interface StoredFeedback {
  readonly agnId: string;
  readonly epoch: string;
  readonly toMs: number;
  readonly chainId: number;
  readonly registry: string;
  readonly agentId: string;
  /** The account that gives it. */
  readonly client: string;
  readonly value: number;
  readonly hash: string;
  readonly spans: readonly WorkspaceSpan[];
  readonly root: string;
}

interface StoredRow extends Row {
  agn_id: string;
  epoch: string;
  to_ms: number;
  chain_id: number;
  registry: string;
  agent_id: string;
  client: string;
  value: number;
  hash: string;
  spans: string;
  root: string;
}

const columns = 'agn_id, epoch, to_ms, chain_id, registry, agent_id, client, value, hash, spans, root';

const fromRow = ({ agn_id, epoch, to_ms, chain_id, agent_id, spans, ...row }: StoredRow): StoredFeedback => ({
  ...row,
  agnId: agn_id,
  epoch,
  toMs: to_ms,
  chainId: chain_id,
  agentId: agent_id,
  spans: JSON.parse(spans),
});

/** The bytes of a file, as they were made. */
export async function storedFile(tx: Transaction, agnId: string, epoch: string): Promise<Uint8Array | null> {
  const [row] = await tx.query<{ bytes: Uint8Array }>(
    'select bytes from feedback_files where agn_id = $1 and epoch = $2',
    [agnId, epoch],
  );
  return row?.bytes ?? null;
}

/** Stores a file. One that was made before stays as it is. */
export async function storeFeedback(tx: Transaction, made: StoredFeedback, bytes: Uint8Array): Promise<void> {
  await tx.query(
    `insert into feedback_files (${columns}, bytes, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'made') on conflict (agn_id, epoch) do nothing`,
    [
      made.agnId,
      made.epoch,
      made.toMs,
      made.chainId,
      made.registry,
      made.agentId,
      made.client,
      made.value,
      made.hash,
      JSON.stringify(made.spans),
      made.root,
      bytes,
    ],
  );
}

export async function feedbackFor(tx: Transaction, agnId: string, epoch: string): Promise<StoredFeedback | null> {
  const [row] = await tx.query<StoredRow>(`select ${columns} from feedback_files where agn_id = $1 and epoch = $2`, [
    agnId,
    epoch,
  ]);
  return row === undefined ? null : fromRow(row);
}

/** For each of these agents with feedback the moment before which all of its receipts are counted. */
export async function countedUntil(tx: Transaction, agnIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ agn_id: string; to_ms: number }>(
    'select agn_id, max(to_ms) as to_ms from feedback_files where agn_id = any($1::text[]) group by agn_id',
    [agnIds],
  );
  return new Map(rows.map(({ agn_id, to_ms }) => [agn_id, to_ms]));
}

/** The oldest feedback that was not given yet and may be tried now. */
export async function feedbackToGive(tx: Transaction, now: Date): Promise<StoredFeedback | null> {
  const [row] = await tx.query<StoredRow>(
    `select ${columns} from feedback_files
      where state = 'made' and (retry_at is null or retry_at <= $1) order by to_ms, agn_id limit 1`,
    [now.toISOString()],
  );
  return row === undefined ? null : fromRow(row);
}

type Named = Pick<StoredFeedback, 'agnId' | 'epoch'>;

/** Ends feedback that was not given yet. It changes no other feedback. */
export async function endFeedback(
  tx: Transaction,
  { agnId, epoch }: Named,
  state: 'emitted' | 'refused' | 'withdrawn',
  problem: string | null,
): Promise<void> {
  await tx.query(
    `update feedback_files set state = $3, problem = $4, retry_at = null where agn_id = $1 and epoch = $2 and state = 'made'`,
    [agnId, epoch, state, problem],
  );
}

/** Leaves feedback to a later attempt. */
export async function postponeFeedback(
  tx: Transaction,
  { agnId, epoch }: Named,
  problem: string,
  retryAt: Date,
): Promise<void> {
  await tx.query(
    `update feedback_files set problem = $3, retry_at = $4 where agn_id = $1 and epoch = $2 and state = 'made'`,
    [agnId, epoch, problem, retryAt.toISOString()],
  );
}

interface FeedbackHealth {
  /** The feedback that was not given yet: how much it is, and the end of its oldest epoch. */
  readonly waiting: number;
  readonly since: number | null;
  /** Sentences about feedback that the registry does not take, of the newest epochs. */
  readonly problems: readonly string[];
}

/** Sentences that are shown at most. */
const mostProblems = 5;

/** @param afterMs feedback of epochs that ended before is not reported any more when it was refused */
export async function feedbackHealth(tx: Transaction, afterMs: number): Promise<FeedbackHealth> {
  const [counts] = await tx.query<{ waiting: number; since: number | null }>(
    `select count(*) as waiting, min(to_ms) as since from feedback_files where state = 'made'`,
  );
  const rows = await tx.query<{ problem: string }>(
    `select problem from feedback_files
      where problem is not null and (state = 'made' or (state = 'refused' and to_ms > $1))
      order by to_ms desc, agn_id limit ${mostProblems}`,
    [afterMs],
  );
  return {
    waiting: counts?.waiting ?? 0,
    since: counts?.since ?? null,
    problems: rows.map(({ problem }) => problem),
  };
}
