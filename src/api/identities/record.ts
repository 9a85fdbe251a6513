import type { IdentityHistory, IdentityRecord } from '../../../contracts/identities.js';
import type { Erc8004Link } from '../../../projections/agents/erc8004.js';
import { readAnchorTx } from '../../../projections/log/rows.js';
import type { IdentityRow } from '../../../projections/registry/queries.js';

/** The newest attestations are shown, this number of them. */
const attestationsShown = 100;

/** An identity of which no public task receipt is known. */
export const noHistory: IdentityHistory = {
  handle: null,
  capability_registry: [],
  attestations: [],
  operating_history: {
    first_seen: null,
    last_seen: null,
    tasks: 0,
    success_rate: null,
    scope_violation_rate: null,
    months: [],
    disputes: { won: 0, lost: 0, open: 0 },
  },
};

/**
 * @param origin of the checkpoints of this service
 * @param erc8004 the agent of ERC-8004 that is shown in public for the identity; null when it is linked to none
 */
export function identityRecord(
  row: IdentityRow,
  history: IdentityHistory,
  origin: string,
  erc8004: Pick<Erc8004Link, 'chain_id' | 'agent_id'> | null,
): IdentityRecord {
  const { receipt_id, receipt_hash, issued_at } = row;
  return {
    agn_id: row.agent_id,
    handle: history.handle,
    vendor: row.vendor,
    agent_name: row.agent_name,
    public_key: row.public_key,
    status: row.is_verified ? 'verified' : 'issued',
    issued_at,
    capability_registry: history.capability_registry,
    attestation_chain: attestationChain(row, history, origin),
    operating_history: history.operating_history,
    provenance: { registry: origin, receipt_id, receipt_hash },
    ledger_anchor: {
      origin,
      checkpoint_size: row.checkpoint_size,
      ots: row.anchor_state,
      ethereum: readAnchorTx(row.anchor_tx),
      erc8004: erc8004 && { chain_id: erc8004.chain_id, agent_id: erc8004.agent_id },
    },
  };
}

/** The record of a well-formed identifier that this registry has not issued. */
export function unknownRecord(agentId: string): IdentityRecord {
  return {
    agn_id: agentId,
    handle: null,
    vendor: null,
    agent_name: null,
    public_key: null,
    status: 'unverified',
    issued_at: null,
    capability_registry: [],
    attestation_chain: [],
    operating_history: noHistory.operating_history,
    provenance: { registry: null, receipt_id: null, receipt_hash: null },
    ledger_anchor: { origin: null, checkpoint_size: null, ots: null, ethereum: null, erc8004: null },
  };
}

/** The entries of the registry about the identity, and the attestations of its public task receipts; oldest first. */
function attestationChain(row: IdentityRow, { attestations }: IdentityHistory, origin: string) {
  const { issued_at, receipt_hash, verified_at, verified_hash } = row;
  const own = [{ type: 'issued', at: issued_at, issuer: origin, hash: receipt_hash, verified: true }];
  if (verified_at !== null && verified_hash !== null)
    own.push({ type: 'verified', at: verified_at, issuer: origin, hash: verified_hash, verified: true });
  // Entries of the registry come first where times are equal: the sort keeps the order of equal elements.
  const all = [...own, ...attestations].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return all.slice(-attestationsShown);
}
