import type { Row } from './panel.js';

/** Engines, proofs and public feeds. */
export const engineRows: readonly Row[] = [
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
