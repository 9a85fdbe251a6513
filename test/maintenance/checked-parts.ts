/** The labels under which `fsck` reports its progress, in their order: the ledger, the trees, and every read model. */
export const checkedParts = [
  'ledger',
  'trees',
  'namespace',
  'account',
  'agents',
  'attestations',
  'webhooks',
  'memory',
  'receipts',
  'tasks',
  'facts',
  'approvals',
  'meter',
  'log',
  'registry',
  'search',
];
