import { describe, expect, it } from 'vitest';
import { addMemory } from '../../src/commands/add-memory.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { deleteMemory } from '../../src/commands/delete-memory.js';
import { invalidateMemory, reinstateMemory } from '../../src/commands/invalidate-memory.js';
import { createNamespace } from '../../src/commands/namespaces.js';
import type { Caller } from '../../src/domain/caller.js';
import { commit } from '../../src/ledger/chain.js';
import { given, type Workspace } from '../support/given.js';

/** @returns the id of a new memory */
function add(workspace: Workspace, content: string, namespace?: string): string {
  const memory = { content, metadata: '{}', source: null, sensitive: {}, label: null, namespace, playground: false };
  const caller = workspace.person('owner');
  return workspace.when(addMemory(workspace.world, caller, { ...memory, approvalId: undefined })).answer().memory_id;
}

const invalidate = (
  workspace: Workspace,
  memoryId: string,
  { caller = workspace.key(), reason = 'It was a joke.', supersededBy = null, sensitive = {} }: Partial<Given> = {},
) => workspace.when(invalidateMemory(workspace.world, caller, { memoryId, reason, sensitive, supersededBy }));

interface Given {
  readonly caller: Caller;
  readonly reason: string;
  readonly supersededBy: string | null;
  readonly sensitive: Readonly<Record<string, number>>;
}

const reinstate = (workspace: Workspace, memoryId: string, caller = workspace.key()) =>
  workspace.when(reinstateMemory(workspace.world, caller, memoryId));

const rules = (workspace: Workspace, change: object) =>
  workspace
    .when(changeRules(workspace.world, workspace.person('owner'), { pause_all: false, sensitive: 'redact', ...change }))
    .answer();

const unknown = '00000000-0000-7000-8000-ffffffffffff';

describe('a memory that is invalidated', () => {
  // @covers INVALID-ENTRY INVALID-NO-ACTION
  it('has one entry more, which commits to the reason and contains none of it, and is no action', () => {
    const workspace = given();
    const [first, second] = [add(workspace, 'Ada lives in Porto.'), add(workspace, 'Ada lives in Lisbon.')];
    const { actions } = workspace.state().governance.meter;
    const done = invalidate(workspace, first, { reason: 'She has moved.', supersededBy: second });
    const answer = done.thenRecorded([
      'memory.invalidated',
      { memory_id: first, namespace_id: workspace.namespaceId, superseded_by: second },
    ]);
    const [deposit] = done.deposits;
    expect(answer).toEqual({ id: first, invalidated: true, receipt_id: deposit?.receiptId });
    expect(deposit?.texts).toEqual({ content: 'She has moved.' });
    const content_commitment = commit(deposit?.salt ?? new Uint8Array(), 'She has moved.');
    expect(done.entries[0]?.body).toMatchObject({ content_commitment });
    expect(JSON.stringify(done.entries)).not.toContain('moved.');
    expect(workspace.state().governance.meter.actions).toBe(actions);
  });

  // @covers INVALID-TWICE INVALID-REINSTATE
  it('cannot be invalidated twice, and can be reinstated once', () => {
    const workspace = given();
    const memory = add(workspace, 'Ada lives in Porto.');
    reinstate(workspace, memory).thenRefused('memory_not_invalidated');
    const { receipt_id } = invalidate(workspace, memory).answer();
    invalidate(workspace, memory).thenRefused('memory_invalidated', { receipt_id });
    reinstate(workspace, memory).thenRecorded(['memory.reinstated', { invalidation_receipt_id: receipt_id }]);
    reinstate(workspace, memory).thenRefused('memory_not_invalidated');
  });

  // @covers INVALID-LAST-REASON INVALID-ERASED
  it('has one reason at most, which is destroyed by the next one and with the memory', () => {
    const workspace = given();
    const memory = add(workspace, 'Ada lives in Porto.');
    const first = invalidate(workspace, memory).answer();
    reinstate(workspace, memory).answer();
    const second = invalidate(workspace, memory, { reason: 'Really.' });
    second.thenRecorded(['memory.invalidated', { replaced_receipt_id: first.receipt_id }]);
    workspace
      .when(deleteMemory(workspace.world, workspace.key(), memory))
      .thenRecorded(['memory.delete', { invalidation_receipt_id: second.answer().receipt_id }]);
    invalidate(workspace, memory).thenRefused('memory_not_found');
  });

  // @covers INVALID-DUPLICATE
  it('is what the same text is a duplicate of, and the answer says that it is invalidated', () => {
    const workspace = given();
    const memory = add(workspace, 'Ada lives in Porto.');
    invalidate(workspace, memory).answer();
    const again = { content: 'Ada lives in Porto.', metadata: '{}', source: null, sensitive: {}, label: null };
    const more = { namespace: undefined, playground: false, approvalId: undefined };
    const added = workspace.when(addMemory(workspace.world, workspace.key(), { ...again, ...more }));
    expect(added.thenRecorded()).toMatchObject({ memory_id: memory, duplicate: true, invalidated: true });
  });

  // @covers INVALID-REFUSALS
  it('is refused as writes are: out of reach, paused, sensitive', () => {
    const workspace = given();
    const owner = workspace.person('owner');
    const { id: second } = workspace.when(createNamespace(workspace.world, owner, 'second')).answer();
    const [here, there] = [add(workspace, 'here'), add(workspace, 'there', second)];
    invalidate(workspace, unknown).thenRefused('memory_not_found');
    invalidate(workspace, there).thenRefused('memory_out_of_scope');
    reinstate(workspace, there).thenRefused('memory_out_of_scope');
    invalidate(workspace, here, { supersededBy: there }).thenRefused('memory_out_of_scope');
    invalidate(workspace, here, { supersededBy: unknown }).thenRefused('memory_not_found');
    invalidate(workspace, here, { supersededBy: here }).thenRefused('invalid_superseded_by');
    rules(workspace, { pause_all: true });
    invalidate(workspace, here).thenRefused('tenant_paused');
    reinstate(workspace, here).thenRefused('tenant_paused');
    rules(workspace, { sensitive: 'reject' });
    invalidate(workspace, here, { sensitive: { email: 1 } }).thenRefused('content_rejected', { kinds: { email: 1 } });
    invalidate(workspace, here, { caller: owner }).thenRecorded(['memory.invalidated', { memory_id: here }]);
  });
});
