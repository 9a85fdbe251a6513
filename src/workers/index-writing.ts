import { type ClaimedJob, lockJobs, type Passed, passStages } from '../../projections/ingest/jobs.js';
import { addDocuments, type SearchDocument } from '../../projections/search/index.js';
import { addInSteps, finishDocument } from '../../projections/search/steps.js';
import { webhooksOver } from '../../projections/webhooks/queries.js';
import type { Database, Transaction } from '../adapters/database/database.js';
import type { World } from '../world.js';
import { tellWebhooks } from './admission.js';

/** A lost worker's jobs are taken over after this; a job that takes longer renews its lease at every stage and step. */
export const leaseMs = 60_000;
/**
 * Of the texts that are indexed in one transaction, for which others wait on the embedded database. A longer one is added
 * in several transactions.
 */
const groupBytes = 32 * 1024;

/** A memory that is ready to be written to the index. */
export interface Writable {
  readonly job: ClaimedJob;
  readonly document: SearchDocument;
}

interface IndexParts {
  readonly database: Database;
  readonly world: World;
  readonly wakeDeliveries?: () => void;
}

/** Those that are indexed together: as many as fit, and a large one by itself. */
export function groupsOf(indexables: readonly Writable[]): Writable[][] {
  const groups: Writable[][] = [];
  let room = 0;
  for (const one of indexables) {
    const bytes = bytesOf(one);
    const group = groups.at(-1);
    if (group && bytes <= room) group.push(one);
    else groups.push([one]);
    room = (group && bytes <= room ? room : groupBytes) - bytes;
  }
  return groups;
}

const bytesOf = ({ job }: Writable): number => Buffer.byteLength(job.content);

/**
 * Writes a group to the index and its jobs as done.
 * @param before the stages that were passed before this one
 */
export async function index(
  parts: IndexParts,
  owner: string,
  before: Passed,
  group: readonly Writable[],
): Promise<void> {
  const [only] = group;
  const large = only && bytesOf(only) > groupBytes ? only : null;
  if (!large) return finish(parts, owner, before, group, addReady(group));
  // Not done when the memory was deleted or moved, when another worker has it, or when it was taken out of the index
  // meanwhile. In the last case the job is still ours, and the next claim begins again with it.
  const { database, world } = parts;
  const { document, job } = large;
  const added = await addInSteps(document, (work) =>
    database.transaction(async (tx) => {
      const passed: Passed = [...before, ['indexing', world.now()]];
      const held = await passStages(tx, owner, [job.job_id], passed, leaseMs);
      return held.size > 0 && work(tx);
    }),
  );
  if (!added) return;
  await finish(parts, owner, before, group, async (tx) => finishDocument(tx, document, added));
}

/** Adds those documents of a group whose jobs are still held. */
const addReady =
  (group: readonly Writable[]) =>
  async (tx: Transaction, held: ReadonlyMap<string, boolean>): Promise<boolean> => {
    await addDocuments(
      tx,
      group.filter(({ job }) => held.has(job.job_id)).map(({ document }) => document),
    );
    return true;
  };

async function finish(
  { database, world, wakeDeliveries }: IndexParts,
  owner: string,
  before: Passed,
  group: readonly Writable[],
  add: (tx: Transaction, held: ReadonlyMap<string, boolean>) => Promise<boolean>,
): Promise<void> {
  const told = await database.transaction(async (tx) => {
    // Before the jobs, as an append takes them: see there.
    const webhooks = await webhooksOver(
      tx,
      group.map(({ job }) => job.memory_id),
    );
    const jobIds = group.map(({ job }) => job.job_id);
    const indexing = world.now();
    // Locked first: a memory that was deleted meanwhile is not among them and must not be indexed.
    const held = await lockJobs(tx, owner, jobIds);
    if (held.size === 0 || !(await add(tx, held))) return false;
    await passStages(tx, owner, [...held.keys()], [...before, ['indexing', indexing], ['done', indexing]], leaseMs);
    // Of what was admitted before, and was only moved since, webhooks were told then.
    const admitted = new Map(
      group.filter(({ job }) => held.get(job.job_id) === false).map(({ job }) => [job.memory_id, job.content]),
    );
    return tellWebhooks(tx, webhooks, admitted, world);
  });
  if (told) wakeDeliveries?.();
}
