import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { orLate } from '../base/deadline.js';
import { onceASecond } from '../domain/once-a-second.js';
import { absentRoles, type RoleHealth } from '../settings/roles.js';
import { accountGauges } from './gauges/account.js';
import { type Counts, showCounts } from './gauges/counts.js';
import { databaseGauge, freeSpaceGauge } from './gauges/database.js';
import { type EngineHealth, engineGauges } from './gauges/engines.js';
import { type FeedHealth, feedGauges } from './gauges/feeds.js';
import { type Show, shownBy } from './gauges/group.js';
import { type LogHealth, logGauges } from './gauges/log.js';
import { type ProcessHealth, processGauges } from './gauges/process.js';
import { requestMetrics } from './gauges/requests.js';
import { roleGauge } from './gauges/roles.js';
import { type Backlog, backlogGauges } from './gauges/work.js';

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
  feedHealth(): Promise<FeedHealth | null>;
  /** About how many memories a rebuild of the search index has not come to; null when there is no rebuild. */
  searchLeft(): Promise<number | null>;
  openStreams(): number;
  readonly counts: Counts;
  /** One of each engine that the settings name. */
  engineHealth(): Promise<readonly EngineHealth[]>;
  roleHealth(): Promise<RoleHealth>;
  backlog(): Promise<Backlog>;
  /** Rejects when the database does not answer. */
  databaseAnswers(): Promise<unknown>;
  /** The free bytes of the disk that holds the data directory. */
  freeSpace(): Promise<number>;
  readonly process: ProcessHealth;
}

/** How long metrics wait for what they show, in milliseconds. Prometheus gives up after ten seconds. */
const metricsPatienceMs = 2000;

/**
 * How often the delay of the event loop is measured, which is the least that it can be. Every 10 ms, as by default, took 1 % of a
 * processor, two thirds of what an idle service took.
 */
const lagPrecisionMs = 100;

/** Prometheus metrics of this process and of the store, the metrics of Node, and the warnings of readiness. */
export function createMetrics(measured: Measured) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs });
  const observe = requestMetrics(registry);
  showCounts(registry, measured.counts);
  processGauges(registry, measured.process);
  plainGauges(registry, measured);
  const readings = readingsOf(registry, measured);
  return {
    metrics: onceASecond(async () => {
      await Promise.all(readings.map((read) => read()));
      return registry.metrics();
    }),
    warnings: onceASecond(async () => {
      const all = warningsOf(measured);
      const found = await Promise.all(all.map((each) => orLate(warningsPatienceMs, each, [])));
      return [...measured.clockHealth().warnings, ...found.flat()];
    }),
    observe,
  };
}

function plainGauges(registry: Registry, { openStreams, clockHealth }: Measured): void {
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
}

/** Every question to the store and to engines, each with the gauges that show its answer. */
function readingsOf(registry: Registry, measured: Measured): readonly (() => Promise<void>)[] {
  const showEngines = engineGauges(registry);
  const showAccounts = accountGauges(registry);
  const showUp = databaseGauge(registry);
  return [
    reading(measured.databaseAnswers, (answer) => showUp(answer !== null)),
    reading(measured.logHealth, logGauges(registry)),
    reading(measured.feedHealth, feedGauges(registry)),
    reading(async () => (await measured.searchLeft()) ?? 0, rebuildGauge(registry)),
    reading(measured.engineHealth, (engines) => {
      if (engines === null) return;
      showEngines(engines);
      showAccounts(engines);
    }),
    reading(measured.roleHealth, roleGauge(registry)),
    reading(measured.backlog, backlogGauges(registry)),
    reading(measured.freeSpace, freeSpaceGauge(registry)),
  ];
}

/** A source that does not answer in time has no values, and the other metrics are shown all the same. */
const reading =
  <T>(read: () => Promise<T | null>, show: Show<T>) =>
  async () =>
    show(
      await orLate(
        metricsPatienceMs,
        read().catch(() => null),
        null,
      ),
    );

const rebuildGauge = (registry: Registry): Show<number> =>
  shownBy<number>(registry, (gauge) => {
    const left = gauge(
      'counterfoil_search_rebuild_memories',
      'Memories, about, that the rebuild of the search index after an upgrade has not come to yet.',
    );
    return (memories) => left.set(memories);
  });

/** The longest time for which a readiness request waits for the warnings. */
const warningsPatienceMs = 1000;

/** No warnings of a part that does not answer, because that is reported already. */
function warningsOf(measured: Measured): readonly Promise<readonly string[]>[] {
  const of = <T>(read: () => Promise<T>, sentences: (reading: T) => readonly string[]) =>
    read().then(sentences, () => []);
  return [
    of(measured.logHealth, ({ warnings }) => warnings),
    of(measured.searchLeft, (left) =>
      left === null
        ? []
        : [
            `After an upgrade the search index is being built again: about ${left} memories are not in it yet. Until then searches may miss them and say reindexing, and lists with q are refused.`,
          ],
    ),
    of(measured.engineHealth, (engines) => engines.flatMap(({ problems }) => problems)),
    of(measured.roleHealth, absentRoles),
  ];
}
