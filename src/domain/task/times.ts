import { compareInstants, instantOf } from '../../../contracts/instant.js';
import { limits } from '../../../contracts/limits.js';
import type { Issue } from './refused.js';

interface Times {
  readonly started_at: string;
  readonly ended_at: string;
}

/** @param now milliseconds since 1970 */
export function faultsOfTimes({ started_at, ended_at }: Times, now: number): Issue[] {
  const [started, ended] = [instantOf(started_at), instantOf(ended_at)];
  if (!started || !ended) return [];
  if (compareInstants(ended, started) < 0) return [{ path: 'ended_at', message: 'must not be before started_at' }];
  const latest = { ms: now + limits.receiptAheadMs, finer: '' };
  if (compareInstants(ended, latest) <= 0) return [];
  return [{ path: 'ended_at', message: "must not be more than 5 minutes after the service's clock" }];
}
