import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { orLate } from '../base/deadline.js';
import { onceASecond } from '../domain/once-a-second.js';
import { absentRoles, type RoleHealth } from '../settings/roles.js';
import { accountGauges } from './gauges/account.js';
import { type Counts, showCounts } from './gauges/counts.js';
import { type EngineHealth, engineGauges } from './gauges/engines.js';
import { type FeedHealth, feedGauges } from './gauges/feeds.js';
import { type LogHealth, logGauges } from './gauges/log.js';
import { roleGauge } from './gauges/roles.js';

/** The state of the clock of the machine. */
export interface ClockHealth {
  readonly inDoubt: boolean;
  /** A sentence for each problem that the operator must solve although writes are accepted. */
  readonly warnings: readonly string[];
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
  roleHealth(): Promise<RoleHealth>;
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
  roleHealth,
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
  const showRoles = roleGauge(registry);
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
        roleHealth().then(showRoles, ignored),
      ]);
      return registry.metrics();
    }),
    warnings: onceASecond(async () => {
      const all = [warningsOf(logHealth), rebuildOf(searchLeft), problemsOf(engineHealth), absentOf(roleHealth)];
      const found = await Promise.all(all.map((each) => orLate(patienceMs, each, [])));
      return [...clockHealth().warnings, ...found.flat()];
    }),
    observe: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: String(status) }, seconds),
  };
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

const absentOf = (roleHealth: Measured['roleHealth']): Promise<readonly string[]> =>
  roleHealth().then(absentRoles, () => []);
