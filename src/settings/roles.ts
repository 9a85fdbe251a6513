/**
 * What a process on a store does. Every process answers /healthz, /readyz and /metrics; the work of a role that no process has
 * waits until one has it.
 */
export const roles = [
  // Answers requests and serves the pages.
  'http',
  // Makes memories searchable, in Elasticsearch too, and takes task receipts from Kafka.
  'ingest',
  // Sends what is queued for webhooks, and entries to Kafka.
  'webhooks',
  // Signs checkpoints of the transparency log and anchors them.
  'anchoring',
  // Removes deleted memories from the search index and expired state of the authorization server, embeds again after a change of
  // the model, closes the days of the public market, ends expired approvals, and tidies the embedded database.
  'upkeep',
] as const;

export type Role = (typeof roles)[number];
