import { describe, expect, it } from 'vitest';
import type { AskRule } from '../../contracts/entries/entry.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import { given } from '../support/given.js';

const none = { pause_all: false, sensitive: 'redact' } as const;

function opened() {
  const workspace = given();
  const { world } = workspace;
  const owner = workspace.person('owner');
  const admin = workspace.person('admin', 'an admin');
  const set = (rules: Parameters<typeof changeRules>[2], by = owner) => workspace.when(changeRules(world, by, rules));
  return { workspace, world, owner, admin, set };
}

describe('the rules of a workspace', () => {
  // @covers RULE-PAUSE-OWNER ERR-admin_required
  it('are paused and resumed by an owner only, and changed otherwise by an admin too', () => {
    const { set, admin } = opened();
    set({ ...none, pause_all: true }, admin).thenRefused('admin_required');
    set({ ...none, pause_all: true }).thenRecorded(['rules.changed', { pause_all: true }]);
    set({ pause_all: true, sensitive: 'reject' }, admin).thenRecorded(['rules.changed', { sensitive: 'reject' }]);
    set(none, admin).thenRefused('admin_required');
    set(none).thenRecorded(['rules.changed', none]);
  });

  // @covers RULE-ASK-KEPT
  it('leave no entry when nothing changes, and keep what is left out', () => {
    const { set } = opened();
    expect(set(none).thenRecorded()).toBeNull();
    const ask_owner = [{ min_bytes: 10, source: 'x' }] as const;
    set({ ...none, ask_owner }).thenRecorded(['rules.changed', { ask_owner }]);
    expect(set({ ...none, ask_owner: [{ source: 'x', min_bytes: 10 }] }).thenRecorded()).toBeNull();
    set({ ...none, sensitive: 'reject' }).thenRecorded(['rules.changed', { sensitive: 'reject', ask_owner }]);
    set({ ...none, ask_owner: [] }).thenRecorded(['rules.changed', { ask_owner: [] }]);
  });

  it('name only namespaces that there are', () => {
    const { workspace, world, owner, set } = opened();
    const { id } = workspace.when(createNamespace(world, owner, 'work')).answer();
    const ask = (...ask_owner: AskRule[]) => set({ ...none, ask_owner });
    ask({ namespace_id: '00000000-0000-7000-8000-00000000ffff' }).thenRefused('namespace_not_found');
    ask({ namespace_id: id.toUpperCase() }).thenRecorded(['rules.changed', { ask_owner: [{ namespace_id: id }] }]);
    workspace.when(deleteNamespace(world, owner, id, null, 0)).answer();
    ask({ source: 'x' }, { namespace_id: id }).thenRefused('namespace_deleted');
  });
});
