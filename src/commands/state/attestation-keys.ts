import { limits } from '../../../contracts/limits.js';
import { attestationKeysOf } from '../../../projections/attestations/queries.js';
import { type Slice, stepwise, without } from './slice.js';

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
export type AttestationKeys = ReadonlyMap<string, AttestationKeyState>;

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
