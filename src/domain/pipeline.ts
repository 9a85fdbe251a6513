import { limits } from '../../contracts/limits.js';
import type { Stage } from '../../contracts/memory.js';
import { pauseAfter } from '../base/backoff.js';

/**
 * A moved memory with at most these bytes of content and metadata is indexed in the same step. A longer one gets its
 * job again.
 */
export const movedAtOnceBytes = 4096;

/**
 * The longest text of a memory that counts as short. A worker of its own makes short texts searchable, so that none waits for a
 * long one, which takes up to seconds. Jobs store whether their text is long: another bound needs a migration.
 */
const shortBytes = 4096;

export const isLong = (contentBytes: number): boolean => contentBytes > shortBytes;

interface JobTimes {
  readonly stage: Stage;
  readonly attempts: number;
  readonly queuedAt: string;
  readonly updatedAt: string;
}

export function isTerminal(stage: Stage): boolean {
  return stage === 'done' || stage === 'failed';
}

/** Whether the job is not finished more than four hours after it was queued. */
export function isStalled(job: JobTimes, now: Date): boolean {
  return !isTerminal(job.stage) && now.getTime() - Date.parse(job.queuedAt) > limits.ingestStalledMs;
}

/** A person may queue a job again when it failed, stalled, or made no progress for fifteen minutes. */
export function isRetryable(job: JobTimes, now: Date): boolean {
  if (job.stage === 'failed') return true;
  if (job.stage === 'done') return false;
  return isStalled(job, now) || now.getTime() - Date.parse(job.updatedAt) >= limits.ingestIdleMs;
}

/** The time before the next poll: short at first, then a tenth of the job's age, at most 30 s. */
export function pollAfterMs(job: JobTimes, now: Date): number | null {
  if (isTerminal(job.stage) || isStalled(job, now)) return null;
  const age = now.getTime() - Date.parse(job.queuedAt);
  return Math.round(Math.min(30_000, Math.max(250, age / 10)));
}

export function memoryStatus(stage: string): 'pending' | 'ready' | 'failed' {
  if (stage === 'done') return 'ready';
  return stage === 'failed' ? 'failed' : 'pending';
}

const failing = { firstMs: 1000, longestMs: 64_000, factor: 4 };

/** The pause before attempt `attempts + 1` of a stage: 1 s, 4 s, 16 s, 64 s. Null when there is no further attempt. */
export function backoffMs(attempts: number): number | null {
  return attempts >= limits.ingestAttempts ? null : pauseAfter(failing, attempts - 1);
}
