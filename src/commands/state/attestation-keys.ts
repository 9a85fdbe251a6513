import { limits } from '../../../contracts/limits.js';
import { provedIdentities } from '../../../projections/agents/queries.js';
import { attestationKeysOf, existingAttestationKeys } from '../../../projections/attestations/queries.js';
import { isIdentity } from '../../domain/market/fact.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

/** A public key that an admin has added. */
export interface AttestationKeyState {
  readonly id: string;
  readonly name: string | null;
  readonly public_key: string;
  readonly created_at: string;
  /** Of the entry that added the key. */
  readonly receipt_id: string;
}

/** By id. */
type AttestationKeys = ReadonlyMap<string, AttestationKeyState>;

/** All attestation keys of the workspace. */
export const attestationKeys: Slice<true, AttestationKeys> = {
  empty: new Map(),
  async load({ tx, workspaceId }) {
    const rows = await attestationKeysOf(tx, workspaceId, null, limits.attestationKeys);
    return new Map(rows.map((row) => [row.id, row]));
  },
  evolve: stepwise({
    'attestation_key.added': (before, { entry }) => {
      const { key_id: id, name, public_key } = entry.body;
      const { recorded_at: created_at, receipt_id } = entry;
      return new Map(before).set(id, { id, name, public_key, created_at, receipt_id });
    },
    'attestation_key.removed': (before, { entry }) => without(before, entry.body.key_id),
  }),
};

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
    'agent.unlinked': (before, { entry }) => withoutSigner(before, entry.body.agent_id),
    'attestation_key.removed': (before, { entry }) => withoutSigner(before, entry.body.key_id),
  }),
};

const withoutSigner = (before: Signers, signer: string): Signers =>
  new Set([...before].filter((one) => one !== signer));
