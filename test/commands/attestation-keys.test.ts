import { describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { addAttestationKey, removeAttestationKey } from '../../src/commands/attestation-keys.js';
import { recordTasks } from '../../src/commands/record-tasks.js';
import { given } from '../support/given.js';
import { installation, newTask } from '../support/tasks.js';

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
    remove('no one').thenRefused('attestation_key_not_found');
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

describe('an attestation that was verified', () => {
  const identity = `agn_${'a'.repeat(32)}`;
  const check = (signer: string) => ({ state: 'verified', signer }) as const;

  // @covers TASK-ATTESTATION-REVOKED
  it('counts as not checked if its signer is not known any more when the receipt is decided', () => {
    const workspace = given({ signers: new Set(['key', identity]) });
    const record = (id: string) => {
      const task = { ...newTask(id), checks: [check('key'), check(identity)] };
      return workspace.when(recordTasks(installation, workspace.key(), [task]));
    };
    const recorded = (id: string, ...attestation_checks: object[]) =>
      record(id).thenRecorded(['task', { attestation_checks }]);
    const gone = { state: 'not_checked', signer: null };
    recorded('1', check('key'), check(identity));
    const { world } = workspace;
    const owner = workspace.person('owner');
    const { id } = workspace.when(linkAgent(world, owner, { agent_id: identity, name: null }, 'hash')).answer();
    workspace.when(unlinkAgent(world, owner, id)).answer();
    recorded('2', check('key'), gone);
  });

  it('is decided by those of its signers that are known', () => {
    const command = recordTasks(installation, given().key(), [
      { ...newTask('a'), checks: [check('key'), check(identity)] },
      { ...newTask('b'), checks: [check('key'), { state: 'not_checked', signer: null }] },
    ]);
    expect(command.reads.signers).toEqual(['key', identity]);
  });
});
