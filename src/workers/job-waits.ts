import type { Stage } from '../../contracts/memory.js';
import { stagesOfJobs } from '../../projections/ingest/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { isTerminal } from '../domain/pipeline.js';
import type { Surroundings } from './loop.js';

/** Requests that wait until ingest jobs have ended. */
interface JobWaits {
  /**
   * Waits until a job has ended, for this time at most.
   * @param signal ends when no one waits for the answer any more
   * @returns the stage of the job at the end; null where it is not known, or where as many requests wait as may
   */
  until(jobId: string, ms: number, signal?: AbortSignal): Promise<Stage | null>;
  /**
   * Waits until all of these jobs have ended, for this time at most. It counts as one request.
   * @returns the jobs that have not; null where as many requests wait as may
   */
  all(jobIds: readonly string[], ms: number, signal?: AbortSignal): Promise<readonly string[] | null>;
  /** Jobs may have ended in this process. */
  look(): void;
  count(): number;
  /** Ends all of them. No request waits after that. */
  close(): void;
}

/** Requests that wait in one process. Each holds a connection and nothing else. */
const mostWaits = 256;
/** How often this looks for jobs that another process has ended. */
const lookMs = 100;

interface Wait {
  /** The jobs that have not ended. */
  readonly left: Set<string>;
  /** Of the job that was looked at last. */
  stage: Stage | null;
  end(): void;
}

interface Waiting {
  readonly world: Pick<World, 'sleep'>;
  readonly log: Surroundings['log'];
}

/** One look at the jobs of all requests that wait, while there are any. */
export function createJobWaits({ read }: Pick<Database, 'read'>, { world, log }: Waiting): JobWaits {
  const waits = new Set<Wait>();
  let napping = new AbortController();
  let isLooking = false;
  let isClosed = false;

  async function look(): Promise<void> {
    const seen = [...waits];
    const jobs = new Set(seen.flatMap(({ left }) => [...left]));
    const stages = await read((tx) => stagesOfJobs(tx, [...jobs]));
    for (const wait of seen) {
      for (const id of wait.left) {
        wait.stage = stages.get(id) ?? null;
        // A job that is not there has gone with its memory.
        if (wait.stage === null || isTerminal(wait.stage)) wait.left.delete(id);
      }
      if (wait.left.size === 0) wait.end();
    }
  }

  async function keepLooking(): Promise<void> {
    isLooking = true;
    while (waits.size > 0) {
      napping = new AbortController();
      await look().catch((error) => log.warn({ err: error }, 'the jobs that requests wait for cannot be read'));
      if (waits.size > 0) await world.sleep(lookMs, napping.signal);
    }
    isLooking = false;
  }

  /** @returns the wait when it has ended; null where none may begin */
  async function waitFor(jobIds: readonly string[], ms: number, signal?: AbortSignal): Promise<Wait | null> {
    if (isClosed || waits.size >= mostWaits || signal?.aborted) return null;
    return new Promise((resolve) => {
      const end = () => {
        if (!waits.delete(wait)) return;
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve(wait);
      };
      const wait: Wait = { left: new Set(jobIds), stage: null, end };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
      waits.add(wait);
      if (!isLooking) void keepLooking();
    });
  }

  return {
    until: async (jobId, ms, signal) => (await waitFor([jobId], ms, signal))?.stage ?? null,
    async all(jobIds, ms, signal) {
      const wait = await waitFor(jobIds, ms, signal);
      return wait && [...wait.left];
    },
    look: () => napping.abort(),
    count: () => waits.size,
    close() {
      isClosed = true;
      for (const wait of [...waits]) wait.end();
    },
  };
}
