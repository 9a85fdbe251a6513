import { describe, expect, it } from 'vitest';
import { receiptId } from '../../src/base/world.js';
import { erasePrivate } from '../../src/commands/erase-private.js';
import { commit } from '../../src/ledger/chain.js';
import { given, type Workspace } from '../support/given.js';

/** A workspace with task receipts of these ids of clients. @returns the service's ids in the same order */
function withTasks(workspace: Workspace, ...clientIds: readonly string[]): string[] {
  return clientIds.map((clientId) => {
    const receipt = receiptId(workspace.world);
    const salt = workspace.world.random(32);
    const content = '{"task_summary":"read the mail"}';
    const task = {
      receipt_id: clientId,
      agent_handle: '@bot',
      platform: 'sdk',
      started_at: '2026-01-15T11:00:00Z',
      ended_at: '2026-01-15T11:00:01Z',
      status: 'success',
    } as const;
    const body = {
      task,
      scope_violations: null,
      content_commitment: commit(salt, content),
      sent_digest: '00'.repeat(32),
      attestation_checks: [],
      publication: null,
    };
    workspace
      .when({
        actor: workspace.key().actor,
        reads: {},
        decide: () => ({
          drafts: [{ kind: 'task', receipt_id: receipt, body }],
          deposits: [{ receiptId: receipt, salt, texts: { content } }],
          answer: () => null,
        }),
      })
      .answer();
    return receipt;
  });
}

const nothing: readonly [] = [];

describe('the erasure of a private text', () => {
  const erase = (workspace: Workspace, receiptId: string, clientId: string) =>
    workspace.when(erasePrivate(workspace.world, workspace.person('admin'), { receiptId, clientId }));

  // @covers TASK-ERASE
  it('is one entry that names the task receipt, and is no action', () => {
    const workspace = given();
    const [first = '', other = ''] = withTasks(workspace, 'run-1', 'run-2');
    const { actions } = workspace.state().governance.meter;
    const erased = erase(workspace, first, 'run-1');
    const answer = erased.thenRecorded(['receipt.private_erased', { erased_receipt_id: first }]);
    expect(answer).toEqual({ id: first, private_erased: true, receipt_id: erased.entries[0]?.receipt_id });
    expect(erased.deposits).toEqual([]);
    expect(workspace.state().governance.meter.actions).toBe(actions);
    expect(workspace.state().tasks.get('run-1')).toMatchObject({ salt: null, erasureReceiptId: answer.receipt_id });
    expect(workspace.state().tasks.get('run-2')).toMatchObject({
      entry: { receipt_id: other },
      salt: expect.any(Uint8Array),
      erasureReceiptId: null,
    });
  });

  // @covers TASK-ERASE-AGAIN
  it('writes nothing the second time, and answers with the receipt of the first', () => {
    const workspace = given();
    const [first = ''] = withTasks(workspace, 'run-1');
    const once = erase(workspace, first, 'run-1').answer();
    expect(erase(workspace, first, 'run-1').thenRecorded(...nothing)).toEqual(once);
  });

  // @covers TASK-ERASE
  it('is refused for a receipt that is not there, or that has another of the two ids', () => {
    const workspace = given();
    const [first = '', second = ''] = withTasks(workspace, 'run-1', 'run-2');
    erase(workspace, first, 'run-3').thenRefused('receipt_not_found');
    erase(workspace, second, 'run-1').thenRefused('receipt_not_found');
    erase(workspace, first, 'run-2').thenRefused('receipt_not_found');
  });
});
