import type { EntryKind } from '../contracts/entries/entry.js';
import type { Recorded } from '../contracts/entries/recorded.js';
import type { OnFault } from '../src/base/faults.js';
import type { Transaction } from '../src/database/database.js';
import { accountProjection } from './account/projection.js';
import { agentsProjection } from './agents/projection.js';
import { approvalsProjection } from './approvals/projection.js';
import { attestationKeysProjection } from './attestations/projection.js';
import { closesProjection } from './closes/projection.js';
import { closeFileFaults } from './closes/stored.js';
import { decisionsProjection } from './decisions/projection.js';
import { factsProjection } from './facts/projection.js';
import { feedbackProjection } from './feedback/projection.js';
import { grantsProjection } from './grants/projection.js';
import { jobFaults } from './ingest/check.js';
import { jobsOfMemories } from './ingest/jobs.js';
import { logProjection } from './log/projection.js';
import { lostProjection } from './lost/projection.js';
import { memoryProjection } from './memory/projection.js';
import { meterProjection } from './meter/projection.js';
import { namespaceProjection } from './namespace/projection.js';
import { atOnce, type Fold, inOrder, type Projection } from './projection.js';
import { recallsProjection } from './recalls/projection.js';
import { receiptsProjection } from './receipts/projection.js';
import { registryProjection } from './registry/projection.js';
import { searchProjection } from './search/projection.js';
import { tasksProjection } from './tasks/projection.js';
import { forgottenAccounts } from './terminal/rows.js';
import { forgottenUses } from './uses/uses.js';
import { notedAdmissions } from './webhooks/admissions.js';
import { deliveryFaults } from './webhooks/check.js';
import { droppedDeliveries } from './webhooks/deliveries.js';
import { webhooksProjection } from './webhooks/projection.js';

/** The read models that are built from entries only, in the order in which entries are applied to them. */
const fromEntries: readonly Projection[] = [
  namespaceProjection,
  accountProjection,
  agentsProjection,
  grantsProjection,
  attestationKeysProjection,
  webhooksProjection,
  memoryProjection,
  lostProjection,
  receiptsProjection,
  recallsProjection,
  tasksProjection,
  decisionsProjection,
  factsProjection,
  approvalsProjection,
  meterProjection,
  logProjection,
  registryProjection,
  closesProjection,
  feedbackProjection,
];

/** Every read model. The ingest pipeline fills the search index; entries only remove and move memories in it. */
export const projections: readonly Projection[] = [...fromEntries, searchProjection];

/** Look for rows beside the read models that do not agree with them: each reports them. */
export const orphanChecks: readonly ((tx: Transaction, found: OnFault) => Promise<void>)[] = [
  jobFaults,
  deliveryFaults,
  closeFileFaults,
];

/** Tables beside the read models whose rows reveal what a memory says. */
export const revealingProgress: readonly string[] = ['jobs'];

/**
 * The kinds that change no read model but the receipts and the meter, on purpose. A new kind is in this list, or a read model
 * names it: a test says so.
 */
export const receiptsOnly: readonly EntryKind[] = [
  // The request, which comes in the same append, names its receipt.
  'approval.excerpt',
];

/** The other folds that follow entries, by the names of what they change. */
export const besides = {
  'ingest jobs': jobsOfMemories,
  deliveries: droppedDeliveries,
  admissions: notedAdmissions,
  'uses of credentials': forgottenUses,
  'accounts of the terminal': forgottenAccounts,
} as const satisfies Readonly<Record<string, Fold>>;

const everything = inOrder(
  atOnce([...fromEntries.map(({ fold }) => fold), jobsOfMemories, droppedDeliveries, notedAdmissions]),
  // This must run after the memories, some of which it indexes, and after the jobs. Indexing locks the row of the job, so a delete has waited for the end of the indexing by
  // now, and removes all rows of the memory.
  searchProjection.fold,
  forgottenUses,
  forgottenAccounts,
);

/** Hands entries to every read model and to the ingest jobs, inside the transaction of their append. */
export const project = (tx: Transaction, recorded: readonly Recorded[]): Promise<void> =>
  everything.apply(tx, recorded);
