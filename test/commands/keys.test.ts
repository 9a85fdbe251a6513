import { describe, expect, it } from 'vitest';
import { runBy } from '../../src/commands/by-caller.js';
import { bindKey, createKey, makeKafkaSecret, type NewKey, revokeKey } from '../../src/commands/keys.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import type { Run } from '../../src/commands/run.js';
import type { Access, Caller } from '../../src/domain/caller.js';
import { given } from '../support/given.js';

const nowhere = '00000000-0000-7000-8000-00000000ffff';

function opened() {
  const workspace = given();
  const { world } = workspace;
  const owner = workspace.person('owner');
  const namespace = (name: string) => workspace.when(createNamespace(world, owner, name)).answer().id;
  const create = (namespaces?: readonly string[], more: Partial<NewKey> = {}) => {
    const key = { name: 'k', scopes: [], namespaces, user_id: null, agent_id: null, app_id: null, ...more };
    return workspace.when(createKey(world, owner, key, 'hash of a secret'));
  };
  const bind = (id: string, namespaces: readonly string[]) => workspace.when(bindKey(world, owner, id, namespaces));
  const revoke = (id: string) => workspace.when(revokeKey(world, owner, id));
  return { workspace, world, owner, namespace, create, bind, revoke };
}

describe('a key', () => {
  it('is bound to the namespaces that it names, to the default one without, or to none', () => {
    const { workspace, world, owner, namespace, create } = opened();
    const id = namespace('work');
    const gone = namespace('gone');
    workspace.when(deleteNamespace(world, owner, gone, null, 0)).answer();
    create().thenRecorded(['key.created', { namespace_ids: [workspace.namespaceId] }]);
    create(['work', id, 'default']).thenRecorded(['key.created', { namespace_ids: [id, workspace.namespaceId] }]);
    create([]).thenRecorded(['key.created', { namespace_ids: [] }]);
    create([gone]).thenRefused('namespace_deleted');
    create(['gone']).thenRefused('namespace_not_found');
    create([nowhere]).thenRefused('namespace_not_found');
    const provenance = { user_id: 'u', agent_id: 'a', app_id: 'p', scopes: ['memory.read'] } as const;
    create(undefined, provenance).thenRecorded(['key.created', provenance]);
  });

  it('keeps the hash of its secret in the vault, and commits to it', () => {
    const { create } = opened();
    const made = create();
    expect(JSON.stringify(made.entries)).not.toContain('hash of a secret');
    expect(made.deposits).toMatchObject([{ texts: { content: 'hash of a secret' } }]);
  });

  // @covers ERR-key_not_found
  it('is bound again, loses a namespace that is deleted, and is gone once it is revoked', () => {
    const { workspace, world, owner, namespace, create, bind, revoke } = opened();
    const [a, b] = [namespace('a'), namespace('b')];
    const { key_id, receipt_id } = create(['a']).answer();
    bind(key_id, ['b', 'a']).thenRecorded(['key.bound', { key_id, namespace_ids: [b, a] }]);
    workspace.when(deleteNamespace(world, owner, b, null, 0)).answer();
    expect(workspace.state().keys.get(key_id)?.namespaceIds).toEqual([a]);
    bind(key_id, [b]).thenRefused('namespace_deleted');
    bind(nowhere, ['a']).thenRefused('key_not_found');
    revoke(key_id).thenRecorded(['key.revoked', { key_id, created_receipt_id: receipt_id }]);
    revoke(key_id).thenRefused('key_not_found');
    bind(key_id, ['a']).thenRefused('key_not_found');
  });
});

describe('a secret for records of Kafka', () => {
  // @covers KREC-SECRET
  it('is made for a key that is not revoked, and only its id is in the chain', () => {
    const { workspace, world, owner, create, revoke } = opened();
    const { key_id } = create().answer();
    const make = (id: string, secret: string) => workspace.when(makeKafkaSecret(world, owner, id, secret));
    make(key_id, 'first').thenRecorded(['key.kafka_secret_made', { key_id, secret_id: 'first' }]);
    expect(make(key_id, 'second').deposits).toEqual([]);
    make(nowhere, 'third').thenRefused('key_not_found');
    revoke(key_id).answer();
    make(key_id, 'fourth').thenRefused('key_not_found');
  });
});

describe('a right that was taken while a request was in progress', () => {
  it('is missing when the command is decided', async () => {
    const { workspace, world, namespace, create, bind, revoke } = opened();
    const a = namespace('a');
    const { key_id } = create(['a', 'default']).answer();
    const run: Run = async (_workspace, command) => workspace.when(command).answer();
    const createBy = (caller: Caller, access: Access) =>
      runBy(run, caller, access)(caller.workspaceId, createNamespace(world, caller, 'another'));
    const key = workspace.key([workspace.namespaceId, a], { id: key_id });
    bind(key_id, []).answer();
    await expect(createBy(key, 'memory.write')).rejects.toMatchObject({ code: 'key_has_no_namespaces' });
    bind(key_id, ['default']).answer();
    await expect(createBy(key, 'memory.write')).rejects.toMatchObject({ code: 'namespace_out_of_scope' });
    revoke(key_id).answer();
    await expect(createBy(key, 'memory.write')).rejects.toMatchObject({ code: 'unauthorized' });
    const noOne = workspace.person('owner', nowhere);
    await expect(createBy(noOne, 'manage namespaces')).rejects.toMatchObject({ code: 'session_expired' });
    const agent = { ...workspace.person('owner'), agent: 'agn_unlinked' };
    await expect(createBy(agent, 'manage namespaces')).rejects.toMatchObject({ code: 'agent_not_linked' });
  });
});
