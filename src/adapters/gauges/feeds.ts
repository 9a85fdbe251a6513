import { Gauge, type Registry } from 'prom-client';

/** The state of the public feeds; null before the first of them. */
export interface FeedHealth {
  /** The time since the moment that they are made of. */
  readonly ageSeconds: number;
  /** Public receipts that were recorded later. */
  readonly waiting: number;
}

export function feedGauges(registry: Registry): (health: FeedHealth | null) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const age = gauge('counterfoil_feeds_age_seconds', 'Time since the moment that the public feeds are made of.');
  const waiting = gauge('counterfoil_feeds_receipts_waiting', 'Public receipts that were recorded after that moment.');
  return (health) => {
    if (health === null) return;
    age.set(health.ageSeconds);
    waiting.set(health.waiting);
  };
}
