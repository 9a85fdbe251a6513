/** The dashboard of Grafana, `ops/monitoring/dashboard.json`. Panels are added here, and `npm run docs` writes the file. */

interface Series {
  /** PromQL. */
  readonly query: string;
  /** The name in the legend, with labels as `{{label}}`. */
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly description: string;
  /** A unit of Grafana: `s`, `reqps`, `ops`, `bytes`, `short`. */
  readonly unit: string;
  readonly series: readonly Series[];
}

const rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
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
        description: 'How long a request waits for other work of its process.',
        unit: 's',
        series: [{ query: 'nodejs_eventloop_lag_p99_seconds', legend: '{{instance}}' }],
      },
    ],
  },
  {
    title: 'Engines',
    panels: [
      {
        title: 'Appends to the ledger per second',
        description: 'conflict: another process was quicker. late: it took more than 4 s. Both are decided again.',
        unit: 'ops',
        series: [{ query: 'sum by (outcome) (rate(counterfoil_ledger_appends_total[5m]))', legend: '{{outcome}}' }],
      },
      {
        title: 'Engines that answer',
        description: '1: the last answer of the engine came in time.',
        unit: 'short',
        series: [{ query: 'min by (engine) (counterfoil_engine_up)', legend: '{{engine}}' }],
      },
      {
        title: 'Lag of followers, entries',
        description: 'Entries of the ledger that a follower has not worked on yet.',
        unit: 'short',
        series: [{ query: 'max by (follower) (counterfoil_follower_lag_entries)', legend: '{{follower}}' }],
      },
      {
        title: 'Lag of followers, seconds',
        description: 'Age of the oldest of these entries.',
        unit: 's',
        series: [{ query: 'max by (follower) (counterfoil_follower_lag_seconds)', legend: '{{follower}}' }],
      },
      {
        title: 'Records per second',
        description:
          'Records of an engine, by what became of them: taken into the ledger, or sent to the dead letters.',
        unit: 'ops',
        series: [
          {
            query: 'sum by (engine, outcome) (rate(counterfoil_engine_records_total[5m]))',
            legend: '{{engine}} {{outcome}}',
          },
        ],
      },
      {
        title: 'Chains that are not sent to Kafka',
        description:
          'Forked: the topic holds entries that are not in the ledger. Refused: the broker does not take an entry.',
        unit: 'short',
        series: [{ query: 'max by (reason) (counterfoil_relay_stopped_chains)', legend: '{{reason}}' }],
      },
      {
        title: 'Deletions without confirmation',
        description: 'Deletions that an engine has not confirmed. Searches do not show these memories.',
        unit: 'short',
        series: [{ query: 'max by (engine) (counterfoil_erasures_pending)', legend: '{{engine}}' }],
      },
      {
        title: 'Memories without vectors',
        description: 'They are found by words. The embeddings server gives them vectors when it answers.',
        unit: 'short',
        series: [{ query: 'max(counterfoil_memories_without_vectors)', legend: 'memories' }],
      },
      {
        title: 'Rebuild of the search index',
        description:
          'Memories, about, that are not in the index yet after an upgrade. Searches of their workspaces say reindexing.',
        unit: 'short',
        series: [{ query: 'max(counterfoil_search_rebuild_memories)', legend: 'memories' }],
      },
      {
        title: 'Ether of accounts',
        description:
          'The balance of the account that pays, and what was paid today (UTC) or may be paid for the transaction in flight.',
        unit: 'short',
        series: [
          { query: 'min by (purpose) (counterfoil_ethereum_balance_ether)', legend: 'balance {{purpose}}' },
          { query: 'max by (purpose) (counterfoil_ethereum_spent_today_ether)', legend: 'today {{purpose}}' },
        ],
      },
      {
        title: 'Transaction in flight',
        description: 'The age of the transaction that is not in a final block yet.',
        unit: 's',
        series: [{ query: 'max by (purpose) (counterfoil_ethereum_in_flight_seconds)', legend: '{{purpose}}' }],
      },
      {
        title: 'Fee of the transaction in flight, gwei',
        description: 'The highest price of a unit of gas that it offers.',
        unit: 'short',
        series: [{ query: 'max by (purpose) (counterfoil_ethereum_fee_gwei)', legend: '{{purpose}}' }],
      },
      {
        title: 'Anchors on Ethereum',
        description:
          'Checkpoints in the contract. Lost: the block was replaced, and the transaction is sent again. Unproved: final, but no node has shown the proof yet.',
        unit: 'short',
        series: [{ query: 'max by (state) (counterfoil_ethereum_anchors)', legend: '{{state}}' }],
      },
      {
        title: 'Processes with each role',
        description: 'The work of a role that no process has waits.',
        unit: 'short',
        series: [{ query: 'max by (role) (counterfoil_role_processes)', legend: '{{role}}' }],
      },
      {
        title: 'Memory of the processes',
        description: 'Resident memory.',
        unit: 'bytes',
        series: [{ query: 'process_resident_memory_bytes', legend: '{{instance}}' }],
      },
    ],
  },
  {
    title: 'Proofs and public feeds',
    panels: [
      {
        title: 'Age of the newest checkpoint',
        description: 'The time since the transparency log was signed last.',
        unit: 's',
        series: [{ query: 'min(counterfoil_checkpoint_age_seconds)', legend: 'age' }],
      },
      {
        title: 'Checkpoints without a block',
        description: 'Checkpoints that no Bitcoin block is known to hold, neither themselves nor a later one.',
        unit: 'short',
        series: [{ query: 'max(counterfoil_anchor_pending)', legend: 'pending' }],
      },
      {
        title: 'Steps of the anchoring that fail',
        description: '1: the last attempt failed.',
        unit: 'short',
        series: [{ query: 'max by (step) (counterfoil_anchoring_failed)', legend: '{{step}}' }],
      },
      {
        title: 'Age of the public feeds',
        description: 'The time since the moment of which the feeds are made.',
        unit: 's',
        series: [{ query: 'counterfoil_feeds_age_seconds', legend: '{{instance}}' }],
      },
      {
        title: 'Receipts that the feeds do not have yet',
        description: 'Public receipts that were recorded after that moment.',
        unit: 'short',
        series: [{ query: 'counterfoil_feeds_receipts_waiting', legend: '{{instance}}' }],
      },
      {
        title: 'Leaves of the log',
        description: 'Heads of chains that the transparency log holds.',
        unit: 'short',
        series: [{ query: 'max(counterfoil_log_leaves)', legend: 'leaves' }],
      },
      {
        title: 'Open streams',
        description: 'Streams of the terminal.',
        unit: 'short',
        series: [{ query: 'counterfoil_terminal_streams', legend: '{{instance}}' }],
      },
      {
        title: 'Spans without an operation',
        description: 'Spans with attributes of GenAI whose operation is not known. They become no receipts.',
        unit: 'short',
        series: [{ query: 'rate(counterfoil_otlp_spans_without_operation_total[5m])', legend: '{{instance}}' }],
      },
    ],
  },
];

const perRow = 2;
const width = 24 / perRow;
const height = 8;
const datasource = { type: 'prometheus', uid: '$datasource' };

function panelsOf(): object[] {
  let y = 0;
  return rows.flatMap(({ title, panels }) => {
    const header = { type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] };
    const placed = panels.map((panel, at) => {
      const place = { x: (at % perRow) * width, y: y + 1 + Math.floor(at / perRow) * height, w: width, h: height };
      return timeSeries(panel, place);
    });
    y += 1 + Math.ceil(panels.length / perRow) * height;
    return [header, ...placed];
  });
}

const timeSeries = ({ title, description, unit, series }: Panel, gridPos: object) => ({
  type: 'timeseries',
  title,
  description,
  datasource,
  gridPos,
  fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: series.map(({ query, legend }, at) => ({
    refId: String.fromCharCode(65 + at),
    datasource,
    expr: query,
    legendFormat: legend,
  })),
});

/** The file that Grafana imports. */
export function dashboard(): string {
  const document = {
    title: 'Counterfoil',
    uid: 'counterfoil',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panelsOf().map((panel, id) => ({ id: id + 1, ...panel })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
