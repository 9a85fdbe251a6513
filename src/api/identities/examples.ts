import type { IdentityRecord } from '../../../contracts/identities.js';
import { samples } from '../samples.js';
import { identityRecord, noHistory } from './record.js';

export const exampleAgentId = 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs';
export const exampleChallenge = 'AZwxo5hCPh8uQm0RfYk7sZbA9dPq4fWgXhM2nKjTqoyVb3Le5Cr';
export const exampleSignature =
  'qYl8mTq0V3n5uJ1cRk7sZbA9dPq4fWgXhM2nKjTqoyVb3Le5CrHtYsAZ0Yl8mTq0V3n5uJ1cRk7sZbA9dPq4Cg';
export const exampleKey = 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';

/** As a server of the example address answers for a verified identity. */
export const exampleRecord: IdentityRecord = identityRecord(
  {
    agent_id: exampleAgentId,
    public_key: exampleKey,
    vendor: 'Acme',
    agent_name: 'Bot',
    is_verified: true,
    receipt_id: samples.receipt,
    receipt_hash: samples.hash,
    issued_at: samples.at,
    verified_hash: samples.otherHash,
    verified_at: samples.later,
    checkpoint_size: 42,
    anchor_state: 'submitted',
    anchor_tx: null,
  },
  noHistory,
  'memory.example.org',
  null,
);
