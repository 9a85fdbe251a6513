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
  // the model, closes the days of the public market, ends expired approvals, carries out the checks and rebuilds that operators start,
  // and tidies the embedded database.
  'upkeep',
] as const;

export type Role = (typeof roles)[number];

/** The number of processes that have each role. */
export type RoleHealth = ReadonlyMap<Role, number>;

const waiting: Readonly<Record<Role, string>> = {
  http: 'requests and pages are not answered',
  ingest: 'searches do not find memories that wait for a job, and task receipts in Kafka wait',
  webhooks: 'nothing is sent to webhooks or to Kafka',
  anchoring: 'the transparency log is not anchored',
  upkeep:
    'deleted memories stay in the search index, approvals do not expire, days of the public market do not close, and checks and rebuilds of operators wait',
};

/** A sentence for each role that no process has. */
export function absentRoles(held: RoleHealth): readonly string[] {
  return roles
    .filter((role) => (held.get(role) ?? 0) === 0)
    .map(
      (role) =>
        `No process has the role ${role}: ${waiting[role]}. Start a process whose ROLES contains ${role}, or leave ROLES unset.`,
    );
}
