import type { Registry } from 'prom-client';
import { type Show, shownBy } from './group.js';

/** The state of the public feeds; null before the first of them. */
export interface FeedHealth {
  /** The time since the moment that they are made of. */
  readonly ageSeconds: number;
  /** Public receipts that were recorded later. */
  readonly waiting: number;
}

export const feedGauges = (registry: Registry): Show<FeedHealth> =>
  shownBy<FeedHealth>(registry, (gauge) => {
    const age = gauge('counterfoil_feeds_age_seconds', 'Time since the moment that the public feeds are made of.');
    const waiting = gauge(
      'counterfoil_feeds_receipts_waiting',
      'Public receipts that were recorded after that moment.',
    );
    return (health) => {
      age.set(health.ageSeconds);
      waiting.set(health.waiting);
    };
  });
