import type { AttestationKeyRemoved } from '../../contracts/attestation-keys.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { Command } from './command.js';
import { nothing, recording } from './record.js';
import type { AttestationKeyState } from './state/attestation-keys.js';

interface AttestationKeyAdded {
  readonly isNew: boolean;
  readonly key: AttestationKeyState;
}

/**
 * Adds a public key with which attestations may be signed. A key that was added before stays as it is, and is the answer.
 * @param publicKey as multikey
 * @throws Refusal attestation_key_limit
 */
export function addAttestationKey(
  world: World,
  caller: Caller,
  { publicKey, name }: { readonly publicKey: string; readonly name: string | null },
): Command<AttestationKeyAdded> {
  const id = world.id();
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { attestationKeys: true },
    decide(state, recordedAt) {
      const existing = [...state.attestationKeys.values()].find((key) => key.public_key === publicKey);
      if (existing) return nothing({ isNew: false, key: existing });
      if (state.attestationKeys.size >= limits.attestationKeys) throw new Refusal('attestation_key_limit');
      const body = { key_id: id, name, public_key: publicKey };
      const key = { id, name, public_key: publicKey, created_at: recordedAt, receipt_id: record.receipt };
      return record.entry({ kind: 'attestation_key.added', body }, { isNew: true, key });
    },
  };
}

/**
 * Removes an attestation key. What it has signed before stays verified, because receipts never change.
 * @throws Refusal attestation_key_not_found
 */
export function removeAttestationKey(world: World, caller: Caller, id: string): Command<AttestationKeyRemoved> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { attestationKeys: true },
    decide(state) {
      if (!state.attestationKeys.has(id)) throw new Refusal('attestation_key_not_found');
      return record.entry(
        { kind: 'attestation_key.removed', body: { key_id: id } },
        { id, deleted: true, receipt_id: record.receipt },
      );
    },
  };
}
