import type { Logger } from 'pino';
import { type ClaimedJob, claimJobs } from '../../projections/ingest/claims.js';
import { nextJob } from '../../projections/ingest/due.js';
import { failJob, type Passed, passStages } from '../../projections/ingest/jobs.js';
import { withoutVectors } from '../../projections/search/queries.js';
import type { SearchIndex } from '../../projections/search/search-index.js';
import type { World } from '../base/world.js';
import type { Vault } from '../commands/vault.js';
import type { Database } from '../database/database.js';
import { backoffMs } from '../domain/pipeline.js';
import type { Prepare } from '../domain/prepared.js';
import type { Embedding } from './embedding.js';
import { groupsOf, index, leaseMs } from './index-writing.js';
import { searchDocuments } from './indexing.js';
import type { DueJob } from './lookout.js';

/**
 * Jobs of a claim, and bytes of their texts. Others wait for the whole of a claim: 64 KiB of the slowest texts take 0.4 s.
 * Measured on two cores: 64 jobs are within 5% of the best and keep the transactions under 50 ms.
 */
const bounds = { short: { jobs: 64, bytes: 64 * 1024 }, long: { jobs: 64, bytes: 256 * 1024 } };
/** How often to look for work without being woken: retries that became due, jobs of killed workers and of other processes. */
const lookMs = 1000;

export interface IngestParts {
  readonly database: Database;
  readonly searchIndex: Pick<SearchIndex, 'put'>;
  readonly embedding: Embedding;
  readonly prepare?: Prepare;
  readonly vault: Vault;
  readonly world: World;
  readonly log: Logger;
  /** There is something to send to webhooks. */
  readonly wakeDeliveries?: () => void;
  /** Memories were indexed without vectors, which must be made later. */
  readonly unembedded?: () => void;
  /** Jobs may have ended. */
  readonly ended?: () => void;
}

/** The jobs that one worker takes: those of short texts or those of long ones, round after round of all workspaces. */
interface IngestLine {
  /** The name of this worker to others on the same store. */
  readonly owner: string;
  readonly isLong: boolean;
  /** The workspace up to which workspaces were served. */
  after: string | null;
}

export const ingestLine = (world: Pick<World, 'nonce'>, isLong: boolean): IngestLine => ({
  owner: world.nonce(),
  isLong,
  after: null,
});

/**
 * Takes queued memories through extracting, chunking, embedding and indexing until they are searchable. While the embedder is away
 * they are searchable by their words, and `reembedding` adds the vectors. There is one such worker for short texts and one for
 * long ones, which run at the same time.
 */
export function ingesting(parts: IngestParts, isLong: boolean): DueJob {
  const line = ingestLine(parts.world, isLong);
  const work = async () => {
    const claimed = await ingestBatch(parts, line);
    if (claimed > 0) parts.ended?.();
    // Not waited for: a process that is given nothing to write also finds out that an outage of the embedder has ended.
    else void parts.embedding.isReady();
    return claimed > 0;
  };
  // After an error leases run out by themselves, so nothing is lost by waiting.
  return {
    name: isLong ? 'ingest of long texts' : 'ingest',
    due: nextJob(isLong),
    isWaiting: () => parts.embedding.health().fault !== null,
    napMs: lookMs,
    work,
  };
}

/** Claims one batch and works it. @returns how many jobs were claimed */
export async function ingestBatch(parts: IngestParts, line: IngestLine): Promise<number> {
  const { database, vault, world } = parts;
  const { owner, isLong, after } = line;
  const { jobs: claimed, last } = await database.transaction((tx) =>
    claimJobs(tx, owner, world.now(), { ...bounds[isLong ? 'long' : 'short'], leaseMs, isLong, after }),
  );
  line.after = last;
  if (claimed.length === 0) return 0;
  const jobs = await vault.genuine(claimed);
  await failAltered(parts, owner, claimed, jobs);
  if (jobs.length === 0) return claimed.length;
  try {
    await work(parts, owner, jobs);
  } catch (error) {
    // One bad job must not hold up its batch: each is tried alone, and only the bad one fails.
    for (const job of jobs) await workAlone(parts, owner, job, error);
  }
  return claimed.length;
}

/** Trying them again would change nothing. Once the text is put right, a retry is for people to ask for. */
async function failAltered(
  { database, world }: IngestParts,
  owner: string,
  claimed: readonly ClaimedJob[],
  genuine: readonly ClaimedJob[],
): Promise<void> {
  const kept = new Set(genuine.map((job) => job.job_id));
  const altered = claimed.filter((job) => !kept.has(job.job_id));
  if (altered.length === 0) return;
  await database.transaction(async (tx) => {
    for (const { job_id } of altered) await failJob(tx, owner, job_id, alteredReason, world.now(), null);
  });
}

const alteredReason = 'the stored text is not what its receipt commits to';

async function workAlone(parts: IngestParts, owner: string, job: ClaimedJob, first: unknown): Promise<void> {
  const { database, world, log } = parts;
  let failure = first;
  try {
    await work(parts, owner, [job]);
    return;
  } catch (error) {
    failure = error;
  }
  const pause = backoffMs(job.attempts + 1);
  const now = world.now();
  const retryAt = pause === null ? null : new Date(now.getTime() + pause);
  log.warn(
    { err: failure, job_id: job.job_id, attempts: job.attempts + 1, final: retryAt === null },
    'ingest job failed',
  );
  await database.transaction((tx) => failJob(tx, owner, job.job_id, reasonOf(failure), now, retryAt));
}

/** For people, and without anything of the content: only what the place that failed says of itself. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown failure';
}

/**
 * One batch through all stages. Every stage may be done twice: what it writes replaces what was there. How far the batch
 * has come is written before the embedder is asked, which may take long, and at the end.
 */
async function work(parts: IngestParts, owner: string, jobs: readonly ClaimedJob[]): Promise<void> {
  const { database, embedding, prepare, world, unembedded } = parts;
  // Text needs no extracting, and cutting it into chunks takes milliseconds, or seconds in a thread.
  const before: Passed = [
    ['chunking', world.now()],
    ['embedding', world.now()],
  ];
  if (!embedding.repeatable) {
    const held = jobs.map((job) => job.job_id);
    await database.transaction((tx) => passStages(tx, owner, held, before, leaseMs));
  }
  const documents = await searchDocuments(
    jobs.map((job) => ({
      memoryId: job.memory_id,
      namespaceId: job.namespace_id,
      textConfig: job.text_config,
      content: job.content,
    })),
    embedding.soon,
    prepare,
  );
  const byMemory = new Map(documents.map((document) => [document.memoryId, document]));
  const writables = jobs.flatMap((job) => {
    const document = byMemory.get(job.memory_id);
    return document ? [{ job, document }] : [];
  });
  for (const group of groupsOf(writables)) await index(parts, owner, before, group);
  if (documents.some(({ model }) => model === withoutVectors)) unembedded?.();
}
