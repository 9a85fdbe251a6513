import type { ClaimedJob } from '../../projections/ingest/claims.js';
import { lockJobs, type Passed, passStages } from '../../projections/ingest/jobs.js';
import type { SearchDocument } from '../../projections/search/document.js';
import type { LastStep, SearchIndex } from '../../projections/search/search-index.js';
import { webhooksOver } from '../../projections/webhooks/queries.js';
import { inGroups } from '../base/groups.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { queueForWebhooks } from './notifying.js';

/** A lost worker's jobs are taken over after this; a job that takes longer renews its lease at every stage and step. */
export const leaseMs = 60_000;
/**
 * Of the texts that are indexed in one transaction, for which others wait on the embedded database. A longer one is a group
 * of its own.
 */
const groupBytes = 32 * 1024;

/** A memory that is ready to be written to the index. */
interface Writable {
  readonly job: ClaimedJob;
  readonly document: SearchDocument;
}

interface IndexParts {
  readonly database: Database;
  readonly searchIndex: Pick<SearchIndex, 'put'>;
  readonly world: World;
  readonly wakeDeliveries?: () => void;
}

/** Those that are indexed together: as many as fit, and a large one by itself. */
export const groupsOf = (indexables: readonly Writable[]): Writable[][] =>
  inGroups(indexables, ({ job }) => Buffer.byteLength(job.content), { size: groupBytes });

/**
 * Writes a group to the index and its jobs as done. What is not done was deleted or moved, another worker has it, or it was
 * taken out of the index meanwhile. In the last case the job is still ours, and the next claim begins again with it.
 * @param before the stages that were passed before this one
 */
export async function index(
  parts: IndexParts,
  owner: string,
  before: Passed,
  group: readonly Writable[],
): Promise<void> {
  const { database, searchIndex, world } = parts;
  const jobIds = group.map(({ job }) => job.job_id);
  await searchIndex.put(
    group.map(({ document }) => document),
    {
      step: (work) =>
        database.transaction(async (tx) => {
          const passed: Passed = [...before, ['indexing', world.now()]];
          const held = await passStages(tx, owner, jobIds, passed, leaseMs);
          return held.size > 0 && work(tx);
        }),
      last: (memoryIds, work) => {
        const ids = new Set(memoryIds);
        const ending = group.filter(({ job }) => ids.has(job.memory_id));
        return finish(parts, owner, before, ending, work);
      },
    },
  );
}

/** Runs the last step on these memories, and writes their jobs as done. @returns false when none of the jobs is held */
async function finish(
  { database, world, wakeDeliveries }: IndexParts,
  owner: string,
  before: Passed,
  group: readonly Writable[],
  add: LastStep,
): Promise<boolean> {
  let admissions = false;
  const done = await database.transaction(async (tx) => {
    // Before the jobs, as an append takes them: see there.
    const indexing = world.now();
    const memories = group.map(({ job }) => job.memory_id);
    const webhooks = await webhooksOver(tx, memories, indexing);
    // Locked first: a memory that was deleted meanwhile is not among them and must not be indexed.
    const held = await lockJobs(
      tx,
      owner,
      group.map(({ job }) => job.job_id),
    );
    const heldMemories = new Set(group.filter(({ job }) => held.has(job.job_id)).map(({ job }) => job.memory_id));
    if (held.size === 0 || !(await add(tx, (memoryId) => heldMemories.has(memoryId)))) return false;
    await passStages(tx, owner, [...held.keys()], [...before, ['indexing', indexing], ['done', indexing]], leaseMs);
    // Webhooks were sent what was admitted before and was only moved since.
    const admitted = new Map(
      group.filter(({ job }) => held.get(job.job_id) === false).map(({ job }) => [job.memory_id, job.content]),
    );
    admissions = await queueForWebhooks(tx, webhooks, admitted, world);
    return true;
  });
  if (admissions) wakeDeliveries?.();
  return done;
}
