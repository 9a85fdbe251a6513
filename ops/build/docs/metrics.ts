import { createMetrics } from '../../../src/adapters/metrics.js';
import { code, page, table } from './markdown.js';

/** The reference of the metrics, from what a process without a store shows of them. */
export async function metricReference(): Promise<string> {
  const lead =
    'What `/metrics` shows, in the text format of Prometheus, beside the metrics of Node (`nodejs_…`, `process_…`). Each process\n' +
    'answers for itself. Values of the whole store, such as the jobs that wait, are the same in every process, so take their\n' +
    'maximum and not their sum. A value whose source does not answer within two seconds is left out.';
  const found = [...(await texts()).matchAll(/^# HELP (counterfoil_\w+) (.*)\n# TYPE \S+ (\w+)$/gm)];
  const rows = found.map(([, name = '', help = '', type = '']) => [code(name), type, help]).sort();
  return page('Metrics', lead, [table(['metric', 'type', 'meaning'], rows)]);
}

function texts(): Promise<string> {
  const silent = () => Promise.reject(new Error('there is no store'));
  const none = () => new Map<string, number>();
  const { metrics } = createMetrics({
    clockHealth: () => ({ inDoubt: false, warnings: [] }),
    logHealth: silent,
    feedHealth: silent,
    searchLeft: silent,
    openStreams: () => 0,
    counts: {
      appends: none,
      appended: () => ({ commands: 0, entries: 0 }),
      deliveries: none,
      spansWithoutOperation: () => 0,
      altered: () => 0,
    },
    engineHealth: silent,
    roleHealth: silent,
    backlog: silent,
    databaseAnswers: silent,
    freeSpace: silent,
    process: {
      pools: () => [],
      workers: () => [],
      certificates: [],
      build: { version: '', node: '' },
      now: () => new Date(0),
    },
  });
  return metrics();
}
