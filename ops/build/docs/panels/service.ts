import type { Row } from './panel.js';

/** Requests, work and the database. */
export const serviceRows: readonly Row[] = [
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests per second, by status',
        description: 'Answers of all processes.',
        unit: 'reqps',
        series: [{ query: 'sum by (status) (rate(counterfoil_http_request_seconds_count[5m]))', legend: '{{status}}' }],
      },
      {
        title: 'Time to answer',
        description: 'Half of the requests, 95 and 99 of 100 were answered within this time.',
        unit: 's',
        series: [0.5, 0.95, 0.99].map((quantile) => ({
          query: `histogram_quantile(${quantile}, sum by (le) (rate(counterfoil_http_request_seconds_bucket[5m])))`,
          legend: `p${100 * quantile}`,
        })),
      },
      {
        title: 'Slowest routes (p95)',
        description: 'The ten routes whose slowest requests take longest.',
        unit: 's',
        series: [
          {
            query:
              'topk(10, histogram_quantile(0.95, sum by (le, method, route) (rate(counterfoil_http_request_seconds_bucket[5m]))))',
            legend: '{{method}} {{route}}',
          },
        ],
      },
      {
        title: 'Delay of the event loop (p99)',
        description: 'How long a request waits for other work of its process, and the 0.1 s between two measurements.',
        unit: 's',
        series: [{ query: 'nodejs_eventloop_lag_p99_seconds', legend: '{{instance}}' }],
      },
      {
        title: 'Answers of 503 per second, by cause',
        description: 'The kind of the fault, or the code of the refusal.',
        unit: 'reqps',
        series: [{ query: 'sum by (cause) (rate(counterfoil_unavailable_total[5m]))', legend: '{{cause}}' }],
      },
      {
        title: 'Versions',
        description: 'The processes of each version.',
        unit: 'short',
        series: [{ query: 'count by (version) (counterfoil_build_info)', legend: '{{version}}' }],
      },
    ],
  },
  {
    title: 'Work',
    panels: [
      {
        title: 'Commands and entries per second',
        description: 'Appended to the ledger by all processes.',
        unit: 'ops',
        series: [
          { query: 'sum(rate(counterfoil_commands_total[5m]))', legend: 'commands' },
          { query: 'sum(rate(counterfoil_entries_total[5m]))', legend: 'entries' },
        ],
      },
      {
        title: 'Commands in one append',
        description: 'The average. Commands that wait for one chain are appended together.',
        unit: 'short',
        series: [
          {
            query:
              'sum(rate(counterfoil_commands_total[5m])) / sum(rate(counterfoil_ledger_appends_total{outcome="appended"}[5m]))',
            legend: 'commands',
          },
        ],
      },
      {
        title: 'Memories that are not searchable yet',
        description: 'Jobs that wait or are worked on, and those that have failed.',
        unit: 'short',
        series: [{ query: 'max by (state) (counterfoil_ingest_jobs)', legend: '{{state}}' }],
      },
      {
        title: 'Oldest job',
        description: 'The time since it was queued.',
        unit: 's',
        series: [{ query: 'max(counterfoil_ingest_oldest_seconds)', legend: 'age' }],
      },
      {
        title: 'Deliveries to webhooks',
        description: 'Deliveries that were not made yet, and webhooks whose last delivery has failed.',
        unit: 'short',
        series: [
          { query: 'max(counterfoil_webhook_deliveries_waiting)', legend: 'waiting' },
          { query: 'max(counterfoil_webhooks_failing)', legend: 'failing webhooks' },
        ],
      },
      {
        title: 'Attempts to deliver per second',
        description: 'Pending: it is tried again. Dead: it was given up.',
        unit: 'ops',
        series: [{ query: 'sum by (outcome) (rate(counterfoil_webhook_attempts_total[5m]))', legend: '{{outcome}}' }],
      },
      {
        title: 'Oldest delivery that is due',
        description: 'The time for which it has been due.',
        unit: 's',
        series: [{ query: 'max(counterfoil_webhook_oldest_seconds)', legend: 'age' }],
      },
      {
        title: 'Leases',
        description: 'The time until each lease ends. Below 0: its process has gone without giving it back.',
        unit: 's',
        series: [{ query: 'max by (lease) (counterfoil_lease_seconds)', legend: '{{lease}}' }],
      },
      {
        title: 'Workers that fail',
        description: '1: the last step of the worker failed.',
        unit: 'short',
        series: [{ query: 'max by (worker) (counterfoil_worker_failing) == 1', legend: '{{worker}}' }],
      },
      {
        title: 'Certificates',
        description: 'The time until the certificate of a setting ends.',
        unit: 's',
        series: [{ query: 'min by (setting) (counterfoil_certificate_seconds)', legend: '{{setting}}' }],
      },
    ],
  },
  {
    title: 'Database and disk',
    panels: [
      {
        title: 'Database that answers',
        description: '1: it has answered in time.',
        unit: 'short',
        series: [{ query: 'counterfoil_database_up', legend: '{{instance}}' }],
      },
      {
        title: 'Connections to the database',
        description: 'Open connections, in use and idle.',
        unit: 'short',
        series: [{ query: 'sum by (pool, state) (counterfoil_database_connections)', legend: '{{pool}} {{state}}' }],
      },
      {
        title: 'Callers that wait for a connection',
        description: 'They wait for at most five seconds.',
        unit: 'short',
        series: [{ query: 'max by (pool) (counterfoil_database_waiting)', legend: '{{pool}}' }],
      },
      {
        title: 'Work of the database',
        description: 'Transactions and statements a second, and messages to the thread of the embedded database.',
        unit: 'ops',
        series: ['transactions', 'statements', 'messages'].map((of) => ({
          query: `sum(rate(counterfoil_database_${of}_total[5m]))`,
          legend: of,
        })),
      },
      {
        title: 'Free space',
        description: 'Of the disk that holds DATA_DIR.',
        unit: 'bytes',
        series: [{ query: 'counterfoil_free_bytes', legend: '{{instance}}' }],
      },
    ],
  },
];
