import { provedIdentities } from '../../../projections/agents/queries.js';
import { existingAttestationKeys } from '../../../projections/attestations/queries.js';
import { isIdentity } from '../../domain/market/fact.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** Identities, and ids of attestation keys. */
export type Signers = ReadonlySet<string>;

/** Those of these signers whose attestations the workspace still believes. */
export const signers: Slice<readonly string[], Signers> = {
  empty: new Set(),
  async load({ tx, workspaceId }, reads) {
    const all = distinct(reads);
    if (all.length === 0) return new Set();
    const known = await Promise.all([
      provedIdentities(tx, workspaceId, all.filter(isIdentity)),
      existingAttestationKeys(
        tx,
        workspaceId,
        all.filter((one) => !isIdentity(one)),
      ),
    ]);
    return new Set(known.flat());
  },
  evolve: stepwise({
    'agent.unlinked': (before, { entry }) => without(before, entry.body.agent_id),
    'attestation_key.removed': (before, { entry }) => without(before, entry.body.key_id),
  }),
};

const without = (before: Signers, signer: string): Signers => new Set([...before].filter((one) => one !== signer));
