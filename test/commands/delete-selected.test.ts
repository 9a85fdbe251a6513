import { describe, expect, it } from 'vitest';
import { addMemory } from '../../src/commands/add-memory.js';
import { decideApproval, endApproval } from '../../src/commands/approvals.js';
import { bulkDelete } from '../../src/commands/bulk-delete.js';
import { deleteMemory } from '../../src/commands/delete-memory.js';
import { askToDelete, deleteSelected, type Part, PartIsDone } from '../../src/commands/delete-selected.js';
import { createNamespace } from '../../src/commands/namespaces.js';
import { requestDigest } from '../../src/domain/approval.js';
import { bytesOfIds, idList, idsAt } from '../../src/domain/id-list.js';
import { commit } from '../../src/ledger/chain.js';
import { given } from '../support/given.js';

const week = 7 * 24 * 3_600_000;
const filter = '{"filters":{"source":"desk"}}';

/** A workspace with memories that a filter selects, and the commands of a key that deletes them. */
function opened(count: number) {
  const workspace = given();
  const { world, namespaceId } = workspace;
  const key = workspace.key();
  const add = (n: number, namespace?: string) => {
    const memory = {
      content: `pelican ${n}`,
      metadata: '{}',
      source: 'desk',
      sensitive: {},
      label: null,
      playground: false,
    };
    const writing = { ...memory, namespace, approvalId: undefined };
    return workspace.when(addMemory(world, workspace.person('owner'), writing)).answer().memory_id;
  };
  const ids = Array.from({ length: count }, (_, n) => add(n));
  const digest = requestDigest(key, 'bulk_delete', ['filter', filter]);
  const selection = (more: { readonly filter?: string } = {}) => ({
    count,
    filter,
    ids: idList([bytesOfIds(ids)]),
    namespaceIds: [namespaceId],
    fields: ['source'],
    ...more,
  });
  const ask = (afterMs = 0, of = digest) => workspace.when(askToDelete(world, key, of, selection()), afterMs);
  const askedId = (afterMs = 0) =>
    String(ask(afterMs).thenRefused('approval_required', undefined, 'approval.requested').details.approval_id);
  const decide = (id: string, word: 'approved' | 'rejected') =>
    workspace.when(decideApproval(world, workspace.person('owner'), id, word)).answer().receipt_id;
  const remove = (receipt: string, part: Part, of = digest, afterMs = 0) =>
    workspace.when(deleteSelected(world, key, of, receipt, part), afterMs);
  const approval = (id: string) => workspace.state().governance.approvals.get(id);
  return { workspace, world, key, ids, add, digest, ask, askedId, decide, remove, approval };
}

describe('a delete by a filter', () => {
  // @covers SELECT-ASKED SELECT-COMMITTED
  it('is filed once, with the filter and the ids in the vault and only a count in the chain', () => {
    const { ask, ids, workspace } = opened(3);
    const first = ask();
    const { details } = first.thenRefused('approval_required', undefined, 'approval.requested');
    const [entry] = first.entries;
    const [deposit] = first.deposits;
    if (entry?.kind !== 'approval.requested' || !deposit) throw new Error('nothing was filed');
    const { content = '', filter: stored = '' } = deposit.texts;
    expect(idsAt(content, 0, 3)).toEqual(ids);
    expect(stored).toBe(filter);
    expect(entry.body.summary).toBe('Delete 3 memories, selected by source.');
    expect(entry.body.selected).toEqual({
      count: 3,
      filter_commitment: commit(deposit.salt, stored),
      ids_commitment: commit(deposit.salt, content),
    });
    expect(JSON.stringify(entry)).not.toMatch(/desk|pelican/);
    for (const id of ids) expect(JSON.stringify(entry)).not.toContain(id);
    ask().thenRefused('approval_required', details);
    expect(workspace.state().memories.size).toBe(3);
  });

  // @covers SELECT-PARTS SELECT-USED
  it('deletes part by part what was approved, names the approval each time, and uses it with the last part', () => {
    const { askedId, decide, remove, ids, add, approval, workspace } = opened(5);
    const id = askedId();
    const later = add(99);
    remove('rcp_0', { done: 0, ids: ids.slice(0, 2), end: 2 }).thenRefused('approval_invalid');
    const receipt = decide(id, 'approved');
    const part = { done: 0, ids: ids.slice(0, 2), end: 2 };
    remove(receipt, part, 'another digest').thenRefused('approval_invalid');
    const first = remove(receipt, part);
    const use = { approval_id: id, done: 2 };
    const answer = first.thenRecorded(['memory.delete', { approval: use }], ['memory.delete', { approval: use }]);
    expect([answer.deleted.length, answer.not_found, answer.left]).toEqual([2, [], 3]);
    expect(approval(id)).toMatchObject({ status: 'approved', selected: { count: 5, done: 2 } });
    // The same part again, by a request that was in progress at the same time.
    expect(() => remove(receipt, part).answer()).toThrow(PartIsDone);
    workspace.when(deleteMemory(workspace.world, workspace.key(), ids[2] ?? '')).answer();
    const last = remove(receipt, { done: 2, ids: ids.slice(2), end: 5 });
    const end = last.thenRecorded(['memory.delete', {}], ['memory.delete', {}]);
    expect([end.deleted.map((one) => one.id), end.not_found, end.left]).toEqual([ids.slice(3), [ids[2]], 0]);
    expect(JSON.stringify(last.entries)).not.toContain('"done"');
    expect(approval(id)?.status).toBe('used');
    expect([...workspace.state().memories.keys()]).toEqual([later]);
    remove(receipt, { done: 2, ids: ids.slice(2), end: 5 }).thenRefused('approval_invalid');
  });

  // @covers SELECT-USED
  it('ends with an entry of its own when nothing is left', () => {
    const { askedId, decide, remove, ids, approval, workspace } = opened(4);
    const id = askedId();
    const receipt = decide(id, 'approved');
    for (const one of ids) workspace.when(deleteMemory(workspace.world, workspace.key(), one)).answer();
    // A part without memories is passed over, as long as it is not the last one.
    expect(() => remove(receipt, { done: 0, ids: ids.slice(0, 2), end: 2 }).answer()).toThrow(PartIsDone);
    const answer = remove(receipt, { done: 0, ids: ids.slice(2), end: 4 }).thenRecorded([
      'approval.ended',
      { approval_id: id, reason: 'nothing_left' },
    ]);
    expect(answer).toEqual({ deleted: [], not_found: ids.slice(2), left: 0 });
    expect(approval(id)?.status).toBe('used');
  });

  // @covers SELECT-REACH
  it('leaves out what was moved where the caller does not reach it', () => {
    const { askedId, decide, remove, ids, add, workspace } = opened(1);
    const { id: elsewhere } = workspace
      .when(createNamespace(workspace.world, workspace.person('owner'), 'away'))
      .answer();
    const far = add(7, elsewhere);
    const receipt = decide(askedId(), 'approved');
    const answer = remove(receipt, { done: 0, ids: [...ids, far], end: 1 }).thenRecorded(['memory.delete', {}]);
    expect(answer.not_found).toEqual([far]);
  });

  // @covers SELECT-ENDS
  it('loses its filter and ids when it is rejected or expires', () => {
    const { askedId, decide, remove, ids, approval, workspace, world } = opened(2);
    const rejected = decide(askedId(), 'rejected');
    remove(rejected, { done: 0, ids, end: 2 }).thenRefused('approval_invalid');
    const id = askedId();
    const end = (afterMs: number) => workspace.when(endApproval(world, id), afterMs);
    end(week - 1).thenRecorded();
    end(week).thenRecorded(['approval.ended', { approval_id: id, reason: 'expired' }]);
    end(week).thenRecorded();
    expect(approval(id)).toMatchObject({ status: 'pending', ended: true });
    // One that was used does not expire this way. A delete by ids does, because it has a list too.
    const used = askedId(week);
    const receipt = workspace.when(decideApproval(world, workspace.person('owner'), used, 'approved'), week).answer();
    remove(receipt.receipt_id, { done: 0, ids, end: 2 }, undefined, week).answer();
    workspace.when(endApproval(world, used), 2 * week).thenRecorded();
    const bulk = workspace.when(bulkDelete(world, workspace.key(), ids, undefined));
    const { details } = bulk.thenRefused('approval_required', undefined, 'approval.requested');
    const by = String(details.approval_id);
    workspace
      .when(endApproval(world, by), 2 * week)
      .thenRecorded(['approval.ended', { approval_id: by, reason: 'expired' }]);
  });

  // @covers ERR-approval_limit
  it('waits for a decision ten times at most', () => {
    const { workspace, world, key, ids, ask, askedId, decide } = opened(1);
    const first = askedId();
    for (let n = 1; n < 10; n += 1)
      ask(0, `digest ${n}`).thenRefused('approval_required', undefined, 'approval.requested');
    ask(0, 'digest 10').thenRefused('approval_limit');
    ask().thenRefused('approval_required', { approval_id: first });
    // Deletes by ids are not among the ten.
    workspace
      .when(bulkDelete(world, key, ids, undefined))
      .thenRefused('approval_required', undefined, 'approval.requested');
    decide(first, 'rejected');
    ask(0, 'digest 10').thenRefused('approval_required', undefined, 'approval.requested');
    // Those that have expired are not counted.
    ask(week, 'digest 11').thenRefused('approval_required', undefined, 'approval.requested');
  });
});
