import { describe, expect, it } from 'vitest';
import { addMemory } from '../../src/commands/add-memory.js';
import { createNamespace, deleteNamespace, moveMemories, renameNamespace } from '../../src/commands/namespaces.js';
import { given, type Workspace } from '../support/given.js';

const nowhere = '00000000-0000-7000-8000-00000000ffff';

/** A workspace whose namespaces got these names before white space was compared. */
function openedWith(...names: readonly string[]) {
  const made = names.map((name, at) => ({
    id: `${nowhere.slice(0, -1)}${at}`,
    name,
    isDefault: false,
    deleted: false,
    textConfig: 'english',
  }));
  const counts = new Map(made.map(({ id }) => [id, 0]));
  return opened(given({ namespaces: made, counts }));
}

function opened(workspace = given()) {
  const { world } = workspace;
  const owner = () => workspace.person('owner');
  return {
    workspace,
    create: (name: string) => workspace.when(createNamespace(world, owner(), name)),
    rename: (id: string, name: string) => workspace.when(renameNamespace(world, owner(), id, name)),
    remove: (id: string, moveTo: string | null = null, moved = 0) =>
      workspace.when(deleteNamespace(world, owner(), id, moveTo, moved)),
    move: (from: string, to: string, ids: readonly string[]) =>
      workspace.when(moveMemories(world, owner(), from, to, ids)),
  };
}

const write = (workspace: Workspace, content: string, namespace: string): string => {
  const memory = {
    content,
    metadata: '{}',
    source: null,
    sensitive: {},
    label: null,
    namespace,
    playground: false,
    approvalId: undefined,
  };
  return workspace.when(addMemory(workspace.world, workspace.person('owner'), memory)).answer().memory_id;
};

describe('a namespace', () => {
  // @covers ERR-namespace_name_conflict
  it('has a name that no other living one has', () => {
    const { create, rename, remove } = opened();
    create('default').thenRefused('namespace_name_conflict');
    const { id } = create('work').thenRecorded(['namespace.created', { name: 'work', is_default: false }]);
    create('work').thenRefused('namespace_name_conflict');
    const { id: other } = create('play').answer();
    rename(other, 'work').thenRefused('namespace_name_conflict');
    rename(other, 'play').thenRecorded();
    rename(other, 'leisure').thenRecorded(['namespace.renamed', { namespace_id: other, name: 'leisure' }]);
    create('play').answer();
    remove(id).answer();
    create('work').thenRecorded(['namespace.created', { name: 'work' }]);
    rename(id, 'again').thenRefused('namespace_deleted');
    rename(nowhere, 'again').thenRefused('namespace_not_found');
  });

  it('has a name that differs from others in more than the kind of white space', () => {
    const { workspace, create, rename, remove } = opened();
    const { id } = create('team a').thenRecorded(['namespace.created', { name: 'team a' }]);
    for (const space of ['\u00a0', '\u1680', '\u2003', '\u2007', '\u202f', '\u3000']) {
      create(`team${space}a`).thenRefused('namespace_name_conflict');
      rename(workspace.namespaceId, `team${space}a`).thenRefused('namespace_name_conflict');
    }
    create('team  a').answer();
    create('teama').answer();
    rename(id, 'team\u00a0a').thenRecorded(['namespace.renamed', { name: 'team\u00a0a' }]);
    write(workspace, 'to the one with other white space', 'team\u2009a');
    remove(id, 'team\ta').thenRefused('invalid_move_to');
    expect(workspace.state().counts.get(id)).toBe(1);
  });

  it('keeps a name of an earlier version that another one has with other white space', () => {
    const { workspace, create, rename } = openedWith('work', 'team a', 'team\u00a0a');
    const [, plain, noBreak] = workspace.state().namespaces.map(({ id }) => id);
    write(workspace, 'one', 'team a');
    write(workspace, 'two', 'team\u00a0a');
    write(workspace, 'three', 'team\u00a0a');
    expect([plain, noBreak].map((id) => workspace.state().counts.get(id ?? ''))).toEqual([1, 2]);
    expect(() => write(workspace, 'x', 'team\u2003a')).toThrow(/Several namespaces/);
    rename(noBreak ?? '', 'team\u00a0a').thenRecorded();
    rename(noBreak ?? '', 'team\u2003a').thenRefused('namespace_name_conflict');
    create('team\u00a0a').thenRefused('namespace_name_conflict');
    rename(noBreak ?? '', 'team b').answer();
    write(workspace, 'x', 'team\u2003a');
  });

  // @covers ERR-namespace_not_empty ERR-cannot_delete_default_namespace ERR-invalid_move_to
  it('is deleted when nothing is in it, and never when it is the default one', () => {
    const { workspace, create, remove } = opened();
    remove(workspace.namespaceId).thenRefused('cannot_delete_default_namespace');
    remove(nowhere).thenRefused('namespace_not_found');
    const { id } = create('work').answer();
    write(workspace, 'a', id);
    write(workspace, 'b', id);
    remove(id).thenRefused('namespace_not_empty', { memory_count: 2 });
    remove(id, id).thenRefused('invalid_move_to');
    remove(id, 'work').thenRefused('invalid_move_to');
    remove(id, nowhere).thenRefused('namespace_not_found');
    const { id: last } = create('last').answer();
    write(workspace, 'the last one', last);
    remove(last).thenRefused('namespace_not_empty', { memory_count: 1 });
    const { id: empty } = create('empty').answer();
    remove(empty).thenRecorded(['namespace.deleted', { namespace_id: empty, moved_to: null, moved: 0 }]);
    remove(empty).thenRefused('namespace_deleted');
    remove(id, empty).thenRefused('namespace_deleted');
  });

  it('gives its memories to another one first, each with an entry, and passes over what has gone', () => {
    const { workspace, create, remove, move } = opened();
    const { id: from } = create('from').answer();
    const { id: to } = create('to').answer();
    const ids = ['a', 'b'].map((content) => write(workspace, content, from));
    const elsewhere = write(workspace, 'c', workspace.namespaceId);
    const moved = move(from, 'to', [...ids, elsewhere, nowhere]).thenRecorded(
      ...ids.map((memory_id) => ['memory.moved', { memory_id, from, to }] as const),
    );
    expect(moved).toBe(2);
    expect(move(from, to, ids).thenRecorded()).toBe(0);
    expect(workspace.state().counts.get(to)).toBe(2);
    remove(from, to, 2).thenRecorded(['namespace.deleted', { namespace_id: from, moved_to: to, moved: 2 }]);
    remove(to).thenRefused('namespace_not_empty', { memory_count: 2 });
    move(workspace.namespaceId, to, [elsewhere]).thenRefused('cannot_delete_default_namespace');
    move(from, to, ids).thenRefused('namespace_deleted');
  });
});
