import { describe, expect, it } from 'vitest';
import { planLimits } from '../../contracts/plans.js';
import { addMemory, type NewMemory } from '../../src/commands/add-memory.js';
import { decideApproval } from '../../src/commands/approvals.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { provision } from '../../src/commands/change-workspace.js';
import { deleteMemory } from '../../src/commands/delete-memory.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import { emptyState } from '../../src/commands/state/state.js';
import type { Caller } from '../../src/domain/caller.js';
import { commit } from '../../src/ledger/chain.js';
import { begun, given, type Workspace } from '../support/given.js';

const memory = (content: string, more: Partial<NewMemory> = {}): NewMemory => ({
  content,
  metadata: '{}',
  source: null,
  sensitive: {},
  label: null,
  namespace: undefined,
  playground: false,
  approvalId: undefined,
  ...more,
});

const add = (workspace: Workspace, caller: Caller, content: string, more?: Partial<NewMemory>, afterMs?: number) =>
  workspace.when(addMemory(workspace.world, caller, memory(content, more)), afterMs);

/** Only content that is there already is added again without an entry. */
const nothing: readonly [] = [];

describe('a memory that is added', () => {
  // @covers ADD-ACCEPTED MEM-RECEIPT
  it('is one entry that commits to what the vault holds, and contains none of it', () => {
    const workspace = given();
    const added = add(workspace, workspace.key(), 'a secret', {
      metadata: '{"a":1.0}',
      source: 'notes',
      label: 'a.txt',
    });
    const { job_id, memory_id } = added.thenRecorded([
      'memory.write',
      { namespace_id: workspace.namespaceId, content_bytes: 8, playground: false },
    ]);
    const [entry] = added.entries;
    const [deposit] = added.deposits;
    expect(entry?.body).toMatchObject({
      memory_id,
      job_id,
      content_commitment: commit(deposit?.salt ?? new Uint8Array(), 'a secret'),
      metadata_commitment: commit(deposit?.salt ?? new Uint8Array(), '{"a":1.0}'),
      source_commitment: commit(deposit?.salt ?? new Uint8Array(), 'notes'),
      label_commitment: commit(deposit?.salt ?? new Uint8Array(), 'a.txt'),
    });
    expect(JSON.stringify(entry)).not.toMatch(/secret|notes|a\.txt/);
    expect(added.answer()).toMatchObject({ duplicate: false, stage: 'queued' });
  });

  // @covers ADD-DUPLICATE ADD-AFTER-DELETE ADD-DUPLICATE-TOGETHER
  it('is no write when the namespace holds the same content, and one again after a delete', () => {
    const workspace = given();
    const key = workspace.key();
    const { memory_id, job_id } = add(workspace, key, 'once').answer();
    const same = add(workspace, key, 'once', { metadata: '{"other":1}', source: 'elsewhere' });
    expect(same.thenRecorded(...nothing)).toMatchObject({ memory_id, job_id, duplicate: true, stage: 'queued' });
    const { id } = workspace.when(createNamespace(workspace.world, workspace.person('owner'), 'other')).answer();
    const both = workspace.key([workspace.namespaceId, id]);
    add(workspace, both, 'once', { namespace: id }).thenRecorded(['memory.write', { namespace_id: id }]);
    workspace.when(deleteMemory(workspace.world, key, memory_id)).answer();
    expect(add(workspace, key, 'once').answer().memory_id).not.toBe(memory_id);
  });

  // @covers ADD-DUPLICATE-IGNORED
  it('says what a duplicate has ignored, and nothing of what was not given or is the same', () => {
    const workspace = given();
    const key = workspace.key();
    add(workspace, key, 'tea', { metadata: '{"a": 1, "b": [true]}', source: 'chat' });
    const same = { metadata: '{"b":[true],"a":1.0}', source: 'chat' };
    expect(add(workspace, key, 'tea').answer()).not.toHaveProperty('ignored');
    expect(add(workspace, key, 'tea', same).answer()).not.toHaveProperty('ignored');
    const other = add(workspace, key, 'tea', { metadata: '{"a":2}', source: 'mail', playground: true });
    expect(other.thenRecorded(...nothing)).toMatchObject({ ignored: ['metadata', 'source', 'playground'] });
  });

  // @covers ADD-PROMOTES
  it('makes a test memory a real one, once, with a receipt', () => {
    const workspace = given();
    const key = workspace.key();
    const { memory_id } = add(workspace, key, 'tea', { playground: true, source: 'try' }).answer();
    expect(add(workspace, key, 'tea', { playground: true }).thenRecorded(...nothing)).toMatchObject({
      duplicate: true,
    });
    const real = add(workspace, workspace.key(), 'tea', { source: 'chat' });
    const answer = real.thenRecorded(['memory.promoted', { memory_id, namespace_id: workspace.namespaceId }]);
    expect(answer).toMatchObject({ memory_id, duplicate: true, ignored: ['source'] });
    expect(answer.promotion_receipt_id).toBe(real.entries[0]?.receipt_id);
    expect(real.deposits).toEqual([]);
    expect(add(workspace, key, 'tea').thenRecorded(...nothing)).not.toHaveProperty('promotion_receipt_id');
    workspace.when(deleteMemory(workspace.world, key, memory_id)).answer();
    expect(add(workspace, key, 'tea').answer()).toMatchObject({ duplicate: false });
  });

  // @covers ADD-PROMOTES
  it('is promoted only as a real write would be: not while agents are paused, and held by the same rules', () => {
    const workspace = given();
    const [key, owner] = [workspace.key(), workspace.person('owner')];
    add(workspace, key, 'tea', { playground: true }).answer();
    const open = { pause_all: false, sensitive: 'redact', ask_owner: [] } as const;
    const ask_owner = [{ source: 'chat' }];
    workspace.when(changeRules(workspace.world, owner, { ...open, ask_owner })).answer();
    add(workspace, key, 'tea', { source: 'chat', playground: true }).thenRecorded(...nothing);
    const held = add(workspace, key, 'tea', { source: 'chat' }).thenRefused(
      'approval_required',
      {},
      'approval.excerpt',
      'approval.requested',
    );
    const approvalId = String(held.details.approval_id);
    workspace.when(decideApproval(workspace.world, owner, approvalId, 'approved')).answer();
    const approved = add(workspace, key, 'tea', { source: 'chat', approvalId });
    approved.thenRecorded(['memory.promoted', { approval: { approval_id: approvalId } }]);
    add(workspace, key, 'other', { source: 'chat', approvalId }).thenRefused('approval_invalid');
    add(workspace, key, 'coffee', { playground: true }).answer();
    workspace.when(changeRules(workspace.world, owner, { ...open, pause_all: true })).answer();
    add(workspace, key, 'coffee').thenRefused('tenant_paused');
  });

  // @covers ADD-ORDER
  it('goes to the default namespace, to one by its id or name, and to none that the caller does not reach', () => {
    const workspace = given();
    const { world } = workspace;
    const owner = workspace.person('owner');
    const { id } = workspace.when(createNamespace(world, owner, 'work')).answer();
    const { id: gone } = workspace.when(createNamespace(world, owner, 'gone')).answer();
    workspace.when(deleteNamespace(world, owner, gone, null, 0)).answer();
    const key = workspace.key([workspace.namespaceId, gone]);
    add(workspace, key, 'a').thenRecorded(['memory.write', { namespace_id: workspace.namespaceId }]);
    add(workspace, workspace.key([id]), 'b', { namespace: 'work' }).thenRecorded([
      'memory.write',
      { namespace_id: id },
    ]);
    add(workspace, workspace.key([id]), 'c', { namespace: id }).thenRecorded(['memory.write', { namespace_id: id }]);
    add(workspace, key, 'd', { namespace: 'nowhere' }).thenRefused('namespace_not_found');
    add(workspace, key, 'd', { namespace: 'work' }).thenRefused('namespace_out_of_scope');
    add(workspace, key, 'd', { namespace: gone }).thenRefused('namespace_deleted');
    add(workspace, key, 'd', { namespace: 'gone' }).thenRefused('namespace_not_found');
    add(workspace, workspace.key([]), 'd').thenRefused('key_has_no_namespaces');
    // A namespace that is named after the id of another one does not take its place.
    workspace.when(createNamespace(world, owner, workspace.namespaceId)).answer();
    add(workspace, key, 'e', { namespace: workspace.namespaceId }).thenRecorded([
      'memory.write',
      { namespace_id: workspace.namespaceId },
    ]);
  });

  // @covers RULE-PAUSE RULE-PAUSE-READS RULE-REJECT ADD-ORDER ERR-tenant_paused ERR-content_rejected
  it('is refused in the order namespace, pause, plan, redaction', () => {
    const workspace = given();
    const { world } = workspace;
    const owner = workspace.person('owner');
    const key = workspace.key();
    const wrong = { sensitive: { email: 2 } };
    workspace.when(changeRules(world, owner, { pause_all: false, sensitive: 'reject' })).answer();
    add(workspace, key, 'x', wrong).thenRefused('content_rejected', { kinds: { email: 2 } });
    workspace.when(provision(world, { plan: 'free', memory_api: true })).answer();
    const limit = planLimits.free.memories ?? 0;
    const full = given({
      ...workspace.state(),
      governance: { ...workspace.state().governance, meter: { month: '2026-01', actions: 0, memories: limit } },
    });
    add(full, full.key(), 'x', wrong).thenRefused('plan_memory_limit', { current_plan: 'free', limit, used: limit });
    full.when(changeRules(full.world, full.person('owner'), { pause_all: true, sensitive: 'reject' })).answer();
    add(full, full.key(), 'x', wrong).thenRefused('tenant_paused');
    add(full, full.key(), 'x', { ...wrong, namespace: 'nowhere' }).thenRefused('namespace_not_found');
    // People continue while agents are paused, but not in the name of an agent.
    add(full, full.person('member'), 'x').thenRefused('plan_memory_limit');
    add(full, { ...full.person('member'), agent: 'agn_x' }, 'x').thenRefused('tenant_paused');
  });

  // @covers PLAN-FREE-ACTIONS PLAN-FREE-MEMORIES ERR-plan_action_limit ERR-plan_memory_limit
  it.each([
    ['actions', 'plan_action_limit'],
    ['memories', 'plan_memory_limit'],
  ] as const)('takes the last of the %s that a plan has, and not one more', (what, code) => {
    const limit = planLimits.free[what] ?? 0;
    const meter = { month: '2026-01', actions: 0, memories: 0, [what]: limit - 1 };
    const workspace = given({ governance: { ...emptyState.governance, plan: 'free', meter } });
    workspace.when(provision(workspace.world, { plan: 'free', memory_api: true })).answer();
    const key = workspace.key();
    const { memory_id } = add(workspace, key, 'the last one').answer();
    add(workspace, key, 'one more').thenRefused(code, { current_plan: 'free', limit, used: limit });
    // What is there already needs no room, and the next month has actions again.
    expect(add(workspace, key, 'the last one').thenRecorded(...nothing).duplicate).toBe(true);
    const nextMonth = Date.parse('2026-02-01T00:00:00.000Z') - Date.parse(begun);
    if (what === 'actions') {
      add(workspace, key, 'one more', {}, nextMonth - 1).thenRefused(code);
      add(workspace, key, 'one more', {}, nextMonth).answer();
    } else {
      add(workspace, key, 'one more', {}, nextMonth).thenRefused(code);
      workspace.when(deleteMemory(workspace.world, key, memory_id), nextMonth).answer();
      add(workspace, key, 'one more', {}, nextMonth).answer();
    }
  });

  it('meets no limit on a plan that does not stop', () => {
    const meter = { month: '2026-01', actions: 10 ** 9, memories: 10 ** 9 };
    for (const plan of ['pro', 'team', 'enterprise'] as const) {
      const workspace = given({ governance: { ...emptyState.governance, meter } });
      workspace.when(provision(workspace.world, { plan, memory_api: true })).answer();
      add(workspace, workspace.key(), 'x').thenRecorded(['memory.write', {}]);
    }
  });

  it('sees what the same batch has decided before it', () => {
    const workspace = given();
    const key = workspace.key();
    const answers = Array.from({ length: 20 }, () => add(workspace, key, 'at once').answer());
    expect(new Set(answers.map(({ memory_id }) => memory_id)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  });
});

describe('a memory that is deleted', () => {
  // @covers DEL-ANSWER DEL-RECEIPT-KEPT DEL-TWICE DEL-GONE
  it('is one entry that names the receipt of its write, and cannot be deleted twice', () => {
    const workspace = given();
    const key = workspace.key();
    const written = add(workspace, key, 'x');
    const { memory_id: id } = written.answer();
    const deleted = workspace.when(deleteMemory(workspace.world, key, id));
    const { receipt_id } = deleted.thenRecorded([
      'memory.delete',
      { memory_id: id, namespace_id: workspace.namespaceId, write_receipt_id: written.entries[0]?.receipt_id },
    ]);
    expect(deleted.answer()).toEqual({ id, deleted: true, receipt_id });
    workspace.when(deleteMemory(workspace.world, key, id)).thenRefused('memory_not_found');
  });

  it('is out of scope for a caller that does not reach its namespace, and stays', () => {
    const workspace = given();
    const { memory_id } = add(workspace, workspace.key(), 'x').answer();
    const other = workspace.key(['00000000-0000-7000-8000-00000000ffff']);
    workspace.when(deleteMemory(workspace.world, other, memory_id)).thenRefused('memory_out_of_scope');
    expect(workspace.state().memories.has(memory_id)).toBe(true);
  });
});
