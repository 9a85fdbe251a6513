import { receiptsOfIdentity } from '../../../projections/facts/of-identity.js';
import type { StoredFeedback, WorkspaceSpan } from '../../../projections/feedback/files.js';
import { coveringCheckpoint, workspacesOfReceipts } from '../../../projections/feedback/queries.js';
import type { Database } from '../../database/database.js';
import { type EpochCounts, openEpoch } from '../../domain/erc8004/counts.js';
import { feedbackOf } from '../../domain/erc8004/feedback.js';
import type { Place } from '../../domain/market/fact.js';
import type { DueEpoch } from './due.js';

/** Receipts of one page. */
const pageReceipts = 1000;

interface MadeFeedback {
  readonly feedback: StoredFeedback;
  readonly bytes: Uint8Array;
}

export interface FeedbackParts {
  readonly database: Database;
  /** The account that will give the feedback. */
  readonly client: string;
  /** Signs a checkpoint that covers everything that is recorded. @throws when the log cannot be signed */
  checkpoint(): Promise<unknown>;
}

/**
 * The feedback for an epoch. No receipt with a time in it may be recorded any more.
 * @param onPage is called before each page. @returns whether to continue
 * @returns null when `onPage` has ended it
 */
export async function makeFeedback(
  { database, client, checkpoint: sign }: FeedbackParts,
  { agent, id, fromMs, toMs }: DueEpoch,
  onPage: () => Promise<boolean>,
): Promise<MadeFeedback | null> {
  const counts = await countReceipts(database, agent.agnId, { fromMs, toMs }, onPage);
  if (counts === null || counts.tasks === 0) return null;
  const spans = await spansOf(database, counts);
  const covering = () => database.read((tx) => coveringCheckpoint(tx, spans));
  const checkpoint = (await covering()) ?? (await sign().then(covering));
  if (checkpoint === null) throw new Error('no checkpoint covers the receipts of an epoch');
  const { agnId, chainId, registry, agentId } = agent;
  const common = { agnId, epoch: id, toMs, chainId, registry, agentId, client };
  const createdAt = new Date(checkpoint.signedAt).toISOString();
  const { value, bytes, hash } = feedbackOf({ ...common, fromMs, checkpoint: checkpoint.note, createdAt }, counts);
  return { feedback: { ...common, value, hash, spans, root: counts.root }, bytes };
}

async function countReceipts(
  database: Database,
  agnId: string,
  { fromMs, toMs }: Pick<DueEpoch, 'fromMs' | 'toMs'>,
  onPage: () => Promise<boolean>,
): Promise<EpochCounts | null> {
  const fold = openEpoch();
  let after: Place = { recorded_ms: fromMs, hash: '' };
  for (;;) {
    if (!(await onPage())) return null;
    const last = after;
    const page = await database.read((tx) => receiptsOfIdentity(tx, agnId, last, toMs, pageReceipts));
    for (const fact of page) fold.add(fact);
    const end = page.at(-1);
    if (page.length < pageReceipts || end === undefined) return fold.counts();
    after = end;
  }
}

/** @throws when the ledger does not have a receipt that the facts are of */
async function spansOf(database: Database, { spans }: EpochCounts): Promise<WorkspaceSpan[]> {
  const workspaces = await database.read((tx) =>
    workspacesOfReceipts(
      tx,
      spans.map(({ hash }) => hash),
    ),
  );
  return spans.map(({ hash, fromSeq, toSeq, count }) => {
    const workspaceId = workspaces.get(hash);
    if (workspaceId === undefined) throw new Error(`the ledger has no receipt ${hash}`);
    return { workspaceId, fromSeq, toSeq, count };
  });
}
