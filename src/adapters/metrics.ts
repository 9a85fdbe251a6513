import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { orLate } from '../base/deadline.js';
import { onceASecond } from '../domain/once-a-second.js';
import { type AccountHealth, accountGauges } from './account-gauges.js';

/** The state of the transparency log and its anchoring, for monitoring. */
export interface LogHealth {
  readonly leaves: number;
  /** The time since the newest checkpoint was signed; null before the first one. */
  readonly checkpointAgeSeconds: number | null;
  /** The number of checkpoints for which no Bitcoin block is known, neither for themselves nor for a later checkpoint. */
  readonly unanchored: number;
  /** Each step of the anchoring, and whether its last attempt failed. */
  readonly failing: ReadonlyMap<string, boolean>;
  /** A sentence for each problem that the operator must solve although writes are accepted. */
  readonly warnings: readonly string[];
}

/** The state of the clock of the machine. */
export interface ClockHealth {
  readonly inDoubt: boolean;
  /** A sentence for each problem that the operator must solve although writes are accepted. */
  readonly warnings: readonly string[];
}

/** The state of the public feeds; null before the first of them. */
export interface FeedHealth {
  /** The time since the moment that they are made of. */
  readonly ageSeconds: number;
  /** Public receipts that were recorded later. */
  readonly waiting: number;
}

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

/** Counts of this process since its start. */
interface Counts {
  /** Appends to the ledger, by what became of them. */
  appends(): ReadonlyMap<string, number>;
  /** Spans that look like those of GenAI and have no operation. */
  spansWithoutOperation(): number;
}

/** The values that are read together with the metrics. */
export interface Measured {
  clockHealth(): ClockHealth;
  logHealth(): Promise<LogHealth>;
  altered(): number;
  feedHealth(): Promise<FeedHealth | null>;
  /** About how many memories a rebuild of the search index has not come to; null when there is no rebuild. */
  searchLeft(): Promise<number | null>;
  openStreams(): number;
  readonly counts: Counts;
  /** One of each engine that the settings name. */
  engineHealth(): Promise<readonly EngineHealth[]>;
}

/** Prometheus metrics of this process: requests by route pattern, the public log and feeds, streams, and the metrics of Node. */
export function createMetrics({
  clockHealth,
  logHealth,
  altered,
  feedHealth,
  searchLeft,
  openStreams,
  counts,
  engineHealth,
}: Measured) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const showLog = logGauges(registry);
  const showFeeds = feedGauges(registry);
  const searchRebuild = new Gauge({
    name: 'counterfoil_search_rebuild_memories',
    help: 'Memories, about, that the rebuild of the search index after an upgrade has not come to yet.',
    registers: [registry],
  });
  const showEngines = engineGauges(registry);
  const showAccounts = accountGauges(registry);
  const requests = new Histogram({
    name: 'counterfoil_http_request_seconds',
    help: 'Time to answer a request, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  new Counter({
    name: 'counterfoil_altered_contents_total',
    help: 'Stored texts that were not what their receipts commit to when they were about to be shown, sent or indexed.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(altered());
    },
  });
  showCounts(registry, counts);
  new Gauge({
    name: 'counterfoil_terminal_streams',
    help: 'Streams of the terminal that are open in this process.',
    registers: [registry],
    collect() {
      this.set(openStreams());
    },
  });
  new Gauge({
    name: 'counterfoil_clock_in_doubt',
    help: 'Whether nothing is recorded, because the clock of the machine may be wrong.',
    registers: [registry],
    collect() {
      this.set(clockHealth().inDoubt ? 1 : 0);
    },
  });
  return {
    metrics: onceASecond(async () => {
      // When the database does not answer, the other metrics are still shown.
      const ignored = () => undefined;
      await Promise.all([
        logHealth().then(showLog, ignored),
        feedHealth().then(showFeeds, ignored),
        searchLeft().then((left) => searchRebuild.set(left ?? 0), ignored),
        engineHealth().then((engines) => {
          showEngines(engines);
          showAccounts(engines);
        }, ignored),
      ]);
      return registry.metrics();
    }),
    warnings: onceASecond(async () => {
      const all = [warningsOf(logHealth), rebuildOf(searchLeft), problemsOf(engineHealth)];
      const found = await Promise.all(all.map((each) => orLate(patienceMs, each, [])));
      return [...clockHealth().warnings, ...found.flat()];
    }),
    observe: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: String(status) }, seconds),
  };
}

function showCounts(registry: Registry, { appends, spansWithoutOperation }: Counts): void {
  new Counter({
    name: 'counterfoil_ledger_appends_total',
    help: 'Appends to the ledger by this process; conflict: another process was quicker, and the commands are decided again.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of appends()) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'counterfoil_otlp_spans_without_operation_total',
    help: 'Spans with attributes of GenAI whose operation is not known, so that they became no receipts.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(spansWithoutOperation());
    },
  });
}

/** The longest time for which a readiness request waits for the warnings. */
const patienceMs = 1000;

/** No warnings when the database does not answer, because that is reported already. */
const warningsOf = (logHealth: () => Promise<LogHealth>): Promise<readonly string[]> =>
  logHealth().then(
    ({ warnings }) => warnings,
    () => [],
  );

const rebuildOf = (searchLeft: Measured['searchLeft']): Promise<readonly string[]> =>
  searchLeft().then(
    (left) =>
      left === null
        ? []
        : [
            `After an upgrade the search index is being built again: about ${left} memories are not in it yet. Until then searches may miss them and say reindexing, and lists with q are refused.`,
          ],
    () => [],
  );

const problemsOf = (engineHealth: Measured['engineHealth']): Promise<readonly string[]> =>
  engineHealth().then(
    (engines) => engines.flatMap(({ problems }) => problems),
    () => [],
  );

function engineGauges(registry: Registry): (engines: readonly EngineHealth[]) => void {
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

function feedGauges(registry: Registry): (health: FeedHealth | null) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const age = gauge('counterfoil_feeds_age_seconds', 'Time since the moment that the public feeds are made of.');
  const waiting = gauge('counterfoil_feeds_receipts_waiting', 'Public receipts that were recorded after that moment.');
  return (health) => {
    if (health === null) return;
    age.set(health.ageSeconds);
    waiting.set(health.waiting);
  };
}

function logGauges(registry: Registry): (health: LogHealth) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const leaves = gauge('counterfoil_log_leaves', 'Leaves of the public log.');
  const age = gauge('counterfoil_checkpoint_age_seconds', 'Time since the newest checkpoint was signed.');
  const unanchored = gauge(
    'counterfoil_anchor_pending',
    'Checkpoints that no Bitcoin block is known to hold, neither themselves nor a later one.',
  );
  const failed = new Gauge({
    name: 'counterfoil_anchoring_failed',
    help: 'Whether a step of the anchoring could not be done when it was last tried; checkpoint: the log is not signed.',
    labelNames: ['step'],
    registers: [registry],
  });
  return (health) => {
    leaves.set(health.leaves);
    if (health.checkpointAgeSeconds !== null) age.set(health.checkpointAgeSeconds);
    unanchored.set(health.unanchored);
    for (const [step, failing] of health.failing) failed.set({ step }, failing ? 1 : 0);
  };
}
