import type { Stage } from '../../contracts/memory.js';
import { stagesOfJobs } from '../../projections/ingest/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { isTerminal } from '../domain/pipeline.js';
import type { Surroundings } from './loop.js';

/** Requests that wait until an ingest job has ended. */
interface JobWaits {
  /**
   * Waits until a job has ended, for this time at most.
   * @param signal ends when no one waits for the answer any more
   * @returns the stage of the job at the end; null where it is not known, or where as many requests wait as may
   */
  until(jobId: string, ms: number, signal?: AbortSignal): Promise<Stage | null>;
  /** Jobs may have ended in this process. */
  look(): void;
  count(): number;
  /** Ends all of them. No request waits after that. */
  close(): void;
}

/** Requests that wait in one process. Each holds a connection and nothing else. */
const mostWaits = 256;
/** How often this looks for jobs that another process has ended. */
const lookMs = 250;

interface Wait {
  readonly jobId: string;
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
    const stages = await read((tx) =>
      stagesOfJobs(
        tx,
        seen.map(({ jobId }) => jobId),
      ),
    );
    for (const wait of seen) {
      wait.stage = stages.get(wait.jobId) ?? null;
      // A job that is not there has gone with its memory.
      if (wait.stage === null || isTerminal(wait.stage)) wait.end();
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

  return {
    async until(jobId, ms, signal) {
      if (isClosed || waits.size >= mostWaits || signal?.aborted) return null;
      return new Promise((resolve) => {
        const end = () => {
          if (!waits.delete(wait)) return;
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve(wait.stage);
        };
        const wait: Wait = { jobId, stage: null, end };
        const timer = setTimeout(end, ms);
        signal?.addEventListener('abort', end);
        waits.add(wait);
        if (!isLooking) void keepLooking();
      });
    },
    look: () => napping.abort(),
    count: () => waits.size,
    close() {
      isClosed = true;
      for (const wait of [...waits]) wait.end();
    },
  };
}
