/** The meaning of a kind of entry: the end of a sentence that begins with its actor, and more about it where that is not enough. */
interface Meaning {
  readonly did: string;
  readonly note?: string;
}

/** Every kind of entry that a version of the service has written. A verifier that meets another kind shows its body only. */
export const meanings: Readonly<Record<string, Meaning>> = {
  'workspace.created': { did: 'created the workspace' },
  'workspace.renamed': { did: 'renamed the workspace' },
  'workspace.provisioned': {
    did: 'changed what the workspace may use',
    note: 'The operator sets the plan, the actions that were agreed, and the memory API.',
  },
  'workspace.publishing_changed': {
    did: 'changed whether task receipts of the workspace are public',
    note: 'It holds for the task receipts after this entry.',
  },
  'rules.changed': { did: 'changed the rules for writes' },
  'member.added': {
    did: 'added a member',
    note: 'The commitment is to the account, which no bundle shows.',
  },
  'member.changed': { did: 'changed the role of a member' },
  'member.password_changed': {
    did: 'changed the password of a member',
    note: 'Grants that the person gave before end with it.',
  },
  'member.removed': { did: 'removed a member' },
  'namespace.created': { did: 'created a namespace' },
  'namespace.renamed': { did: 'renamed a namespace' },
  'namespace.deleted': { did: 'deleted a namespace' },
  'key.created': { did: 'made an API key' },
  'key.bound': { did: 'changed the namespaces of an API key' },
  'key.revoked': { did: 'revoked an API key' },
  'key.kafka_secret_made': {
    did: 'made the secret with which an API key signs records of Kafka',
    note: 'Earlier secrets of the key end.',
  },
  'agent.linked': { did: 'linked an agent to the workspace' },
  'agent.unlinked': { did: 'ended the link of an agent' },
  'agent.erc8004_linked': { did: 'linked an identity to an agent in a registry of ERC-8004' },
  'agent.erc8004_unlinked': { did: 'ended the link of an identity to a registry of ERC-8004' },
  'erc8004.emitted': {
    did: 'gave feedback about an agent on a chain',
    note: 'It counts the receipts of the workspace from `from_seq` to `to_seq` that are about the agent.',
  },
  'agent_key.created': { did: 'made a key for an agent' },
  'agent_key.bound': { did: 'changed the namespaces of the key of an agent' },
  'agent_key.revoked': { did: 'revoked the key of an agent' },
  'attestation_key.added': { did: 'added a key that attestations may be signed with' },
  'attestation_key.removed': { did: 'removed a key that attestations could be signed with' },
  'webhook.created': {
    did: 'created a webhook',
    note: 'The commitment is to address, secret and pattern, which no bundle shows.',
  },
  'webhook.deleted': { did: 'deleted a webhook' },
  'memory.write': { did: 'wrote a memory' },
  'memory.invalidated': {
    did: 'marked a memory as no longer valid',
    note: 'The content is the reason. Searches leave the memory out unless they ask for such ones.',
  },
  'memory.reinstated': { did: 'made a memory valid again' },
  'memory.promoted': { did: 'made a test memory a real one' },
  'memory.moved': { did: 'moved a memory to another namespace' },
  'memory.delete': {
    did: 'deleted a memory',
    note: 'Its texts and their salt were destroyed with it.',
  },
  'memory.recall': {
    did: 'searched memories',
    note: 'The results are the memories that were found, each with the hash of the receipt of its write. A bundle shows the query if the one who has searched had it added.',
  },
  'approval.requested': { did: 'asked for an approval', note: 'A request was held until a person decides about it.' },
  'approval.excerpt': {
    did: 'kept the beginning of a held write',
    note: 'People decide by it. It is destroyed with their decision, or when the request expires.',
  },
  approval: { did: 'decided about an approval' },
  'approval.ended': {
    did: 'ended an approval',
    note: 'It expired, or none of its memories was left. The filter and the ids of a delete were destroyed, or the beginning of a write.',
  },
  'log.key_added': { did: 'added a signing key to the log' },
  'log.key_ended': { did: 'ended a signing key of the log' },
  'log.succeeded': { did: 'ended the log, which had lost signed leaves, and began the log that follows it' },
  'log.heads_added': { did: 'added heads of chains to the log' },
  'log.turn': {
    did: 'named the next turn of the signer of the log',
    note: 'Only the directory of keys that knows the turn, of which the entry has the SHA-256, signs from then on',
  },
  'checkpoint.signed': { did: 'signed a checkpoint of the log' },
  'checkpoint.cosigned': { did: 'added cosignatures of witnesses to a checkpoint' },
  'anchor.submitted': { did: 'submitted a checkpoint to calendars of OpenTimestamps' },
  'anchor.attested': { did: 'got the timestamp of a checkpoint, which names a block of Bitcoin' },
  'anchor.confirmed': { did: 'found the timestamp of a checkpoint in a block of Bitcoin' },
  'anchor.mined': {
    did: 'found the anchor of a checkpoint in a block of Ethereum',
    note: 'The block can be replaced.',
  },
  'anchor.final': { did: 'found that the block with the anchor of a checkpoint is final' },
  'anchor.lost': { did: 'found that a block does not hold the anchor of a checkpoint' },
  task: { did: 'submitted a task receipt' },
  'receipt.private_erased': { did: 'erased the private text of a receipt' },
  'identity.issued': { did: 'issued an identity' },
  'identity.verified': { did: 'recorded that the key of an identity is held' },
  'index.closed': { did: 'closed a day of the public market' },
  decision: { did: 'recorded a decision' },
  handoff: { did: 'handed work to another agent' },
  'grant.created': {
    did: 'allowed a client to act in the workspace',
    note: 'It replaces an earlier grant of the same person to the same client in the name of the same agent.',
  },
  'grant.revoked': { did: 'ended what a client was allowed' },
};
