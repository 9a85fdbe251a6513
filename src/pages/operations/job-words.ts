import type { z } from 'zod';
import type { operationJob } from '../../api/service/job-shapes.js';
import { type StateKind, state } from '../components/state.js';
import { type Html, html } from '../html.js';
import { duration, grouped } from './parts.js';

export type Job = z.output<typeof operationJob>;
export type Kind = Job['kind'];

/** The noun for a job of a kind. */
export const nouns: Readonly<Record<Kind, string>> = { fsck: 'check', replay: 'rebuild' };

const states: Readonly<Record<Job['state'], readonly [StateKind, string]>> = {
  queued: ['waits', 'Waits for a process'],
  running: ['waits', 'Running'],
  done: ['verified', 'Done'],
  failed: ['failed', 'Failed'],
  interrupted: ['not-checked', 'Interrupted'],
};

export function stateOf({ state: of, fault_count: faults }: Pick<Job, 'state' | 'fault_count'>): Html {
  if (faults) return state('failed', faults === 1 ? '1 fault' : `${grouped(faults)} faults`);
  return state(...states[of]);
}

/** How a job has ended, as the verb of a sentence. */
export function endOf({ state: of, fault_count: faults }: Job): string {
  if (of === 'failed') return 'failed';
  if (of === 'interrupted') return 'was interrupted';
  if (faults) return faults === 1 ? 'found 1 fault' : `found ${grouped(faults)} faults`;
  return faults === 0 ? 'found no fault' : 'was done';
}

export const isOpen = ({ ended_at }: Job): boolean => ended_at === null;

/** How far the part is that is in progress. The parts that follow are not known before they begin. */
export function progressOf({ progress }: Job): Html | undefined {
  if (progress === null) return undefined;
  const { part, done, total } = progress;
  return html`<p><progress max="${Math.max(1, total)}" value="${Math.min(done, total)}" aria-label="${part}"></progress></p>
<p class="hint">${part}: ${grouped(done)} of ${grouped(total)}</p>`;
}

/** How long it took, in seconds; null for a job that has not ended, or never began. */
export function secondsOf({ started_at, ended_at }: Job): number | null {
  if (started_at === null || ended_at === null) return null;
  return Math.max(0, Date.parse(ended_at) - Date.parse(started_at)) / 1000;
}

export function tookOf(job: Job): string {
  const seconds = secondsOf(job);
  return seconds === null ? '–' : lasting(seconds);
}

const lasting = (seconds: number): string => (seconds < 1 ? 'less than 1 s' : duration(seconds));

/** How long a job of this kind will take, by the rate of the last one that came to its end with everything. */
export function estimate(kind: Kind, jobs: readonly Job[], entries: number): string {
  const last = jobs.find((job) => job.kind === kind && job.state === 'done' && job.read_models === null);
  const seconds = last ? secondsOf(last) : null;
  if (!last?.entries || seconds === null)
    return `The ledger has ${grouped(entries)} entries. How long it takes is known when the first one has ended.`;
  const now = (seconds / last.entries) * entries;
  return `The last one took ${lasting(seconds)} for ${grouped(last.entries)} entries. At that rate the ${grouped(entries)} entries of now take ${now < 1 ? '' : 'about '}${lasting(now)}.`;
}
