import type { Registry } from 'prom-client';
import { type Show, shownBy } from './group.js';

/** The work that waits in the store, for every process together. */
export interface Backlog {
  readonly jobs: { readonly waiting: number; readonly failed: number; readonly oldestSeconds: number };
  readonly deliveries: { readonly waiting: number; readonly oldestSeconds: number; readonly failingWebhooks: number };
  /** The seconds until each lease ends; below zero when its holder has gone without giving it back. */
  readonly leases: ReadonlyMap<string, number>;
}

export const backlogGauges = (registry: Registry): Show<Backlog> =>
  shownBy<Backlog>(registry, (gauge) => {
    const jobs = gauge(
      'counterfoil_ingest_jobs',
      'Jobs that make memories searchable: those that wait or are worked on, and those that have failed; 100,000 at most are counted.',
      ['state'],
    );
    const oldestJob = gauge(
      'counterfoil_ingest_oldest_seconds',
      'Time since the oldest job that is not done was queued; 0 without one.',
    );
    const deliveries = gauge(
      'counterfoil_webhook_deliveries_waiting',
      'Deliveries to webhooks that were not made yet; 100,000 at most are counted.',
    );
    const oldestDelivery = gauge(
      'counterfoil_webhook_oldest_seconds',
      'Time for which the delivery that is due for the longest time has been due; 0 without one.',
    );
    const failing = gauge('counterfoil_webhooks_failing', 'Webhooks whose last delivery has failed.');
    const leases = gauge(
      'counterfoil_lease_seconds',
      'Time until the lease of work that one process does at a time ends; below 0: its process has gone without giving it back.',
      ['lease'],
    );
    return (backlog) => {
      jobs.set({ state: 'waiting' }, backlog.jobs.waiting);
      jobs.set({ state: 'failed' }, backlog.jobs.failed);
      oldestJob.set(backlog.jobs.oldestSeconds);
      deliveries.set(backlog.deliveries.waiting);
      oldestDelivery.set(backlog.deliveries.oldestSeconds);
      failing.set(backlog.deliveries.failingWebhooks);
      for (const [lease, seconds] of backlog.leases) leases.set({ lease }, seconds);
    };
  });
