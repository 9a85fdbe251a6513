import { describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { addAttestationKey, removeAttestationKey } from '../../src/commands/attestation-keys.js';
import { given } from '../given.js';

function opened() {
  const workspace = given();
  const owner = workspace.person('owner');
  const add = (publicKey: string, name: string | null = null) =>
    workspace.when(addAttestationKey(workspace.world, owner, { publicKey, name }));
  const remove = (id: string) => workspace.when(removeAttestationKey(workspace.world, owner, id));
  return { workspace, add, remove };
}

describe('an attestation key', () => {
  // @covers ATTESTATION-KEY-ONCE ERR-attestation_key_not_found
  it('is added once, with an entry, and removed once', () => {
    const { add, remove } = opened();
    const added = add('z6Mk1', 'Robot').thenRecorded(['attestation_key.added', { name: 'Robot', public_key: 'z6Mk1' }]);
    expect(added).toMatchObject({ isNew: true, key: { name: 'Robot', public_key: 'z6Mk1' } });
    expect(add('z6Mk1', 'another name').thenRecorded()).toEqual({ isNew: false, key: added.key });
    remove('nobody').thenRefused('attestation_key_not_found');
    const { id } = added.key;
    expect(remove(id).thenRecorded(['attestation_key.removed', { key_id: id }])).toMatchObject({ id, deleted: true });
    remove(id).thenRefused('attestation_key_not_found');
    expect(add('z6Mk1').answer().isNew).toBe(true);
  });

  // @covers LIMIT-ATTESTATION-KEYS ERR-attestation_key_limit
  it('is one of at most 100 of a workspace', () => {
    const { add, remove } = opened();
    const keys = Array.from({ length: limits.attestationKeys }, (_, i) => add(`z${i}`).answer().key);
    add('z100').thenRefused('attestation_key_limit');
    expect(add('z7').answer().key).toEqual(keys[7]);
    remove(keys[0]?.id ?? '').answer();
    expect(add('z100').answer().isNew).toBe(true);
  });
});
