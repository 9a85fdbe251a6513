import { Counter, Gauge, type Registry } from 'prom-client';
import type { AccountHealth } from './account.js';

/** The state of an engine besides the database, and of those who follow the ledger for it. */
export interface EngineHealth {
  /** As metrics and messages name it: `elasticsearch`. */
  readonly engine: string;
  /** Whether its last answer came in time. */
  readonly isUp: boolean;
  /** A sentence for each problem of which the operator must know although writes are accepted. */
  readonly problems: readonly string[];
  /** How far its followers are behind the ledger, by their names. */
  readonly lags: ReadonlyMap<string, { readonly entries: number; readonly seconds: number }>;
  /** The records that this process has worked on since it started, by what became of them. */
  readonly records?: ReadonlyMap<string, number>;
  /** The number of chains that are not sent to it, by the reason. */
  readonly stoppedChains?: ReadonlyMap<string, number>;
  /** The number of chains that take no appends until their streams are repaired, by the reason. */
  readonly haltedChains?: ReadonlyMap<string, number>;
  /** Deletions that the engine has not confirmed. */
  readonly unconfirmedErasures?: number;
  /** Memories without vectors of the model in use: they are found by words, and embedded later. */
  readonly memoriesWithoutVectors?: number;
  /** The account that pays for transactions of this engine. */
  readonly account?: AccountHealth;
}

export function engineGauges(registry: Registry): (engines: readonly EngineHealth[]) => void {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry] });
  const up = gauge('counterfoil_engine_up', 'Whether the last answer of an engine came in time.', 'engine');
  const entries = gauge(
    'counterfoil_follower_lag_entries',
    'Entries that a follower of the ledger has not worked on yet.',
    'follower',
  );
  const seconds = gauge('counterfoil_follower_lag_seconds', 'Age of the oldest of these entries.', 'follower');
  const erasures = gauge('counterfoil_erasures_pending', 'Deletions that an engine has not confirmed.', 'engine');
  const unembedded = new Gauge({
    name: 'counterfoil_memories_without_vectors',
    help: 'Memories that are found by words only, until the embeddings server has given their vectors; 10,000 at most.',
    registers: [registry],
  });
  const worked = new Counter({
    name: 'counterfoil_engine_records_total',
    help: 'Records of an engine that this process has worked on, by what became of them.',
    labelNames: ['engine', 'outcome'],
    registers: [registry],
  });
  const stopped = gauge(
    'counterfoil_relay_stopped_chains',
    'Chains for which nothing is sent to Kafka; forked: the topic holds entries that are not in the ledger.',
    'reason',
  );
  const halted = gauge(
    'counterfoil_ledger_halted_chains',
    'Chains that take no appends until their streams are repaired; removal: the server removes entries; lost: the stream ends early or is another one.',
    'reason',
  );
  return (engines) => {
    worked.reset();
    for (const { engine, isUp, lags, records = [], ...more } of engines) {
      for (const [outcome, count] of records) worked.inc({ engine, outcome }, count);
      up.set({ engine }, isUp ? 1 : 0);
      const { stoppedChains, haltedChains, unconfirmedErasures, memoriesWithoutVectors } = more;
      if (stoppedChains) {
        for (const reason of ['forked', 'refused']) stopped.set({ reason }, stoppedChains.get(reason) ?? 0);
      }
      if (haltedChains) {
        for (const reason of ['removal', 'lost']) halted.set({ reason }, haltedChains.get(reason) ?? 0);
      }
      if (unconfirmedErasures !== undefined) erasures.set({ engine }, unconfirmedErasures);
      if (memoriesWithoutVectors !== undefined) unembedded.set(memoriesWithoutVectors);
      for (const [follower, lag] of lags) {
        entries.set({ follower }, lag.entries);
        seconds.set({ follower }, lag.seconds);
      }
    }
  };
}
