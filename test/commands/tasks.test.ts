import { describe, expect, it } from 'vitest';
import type { Market } from '../../contracts/market.js';
import { planLimits } from '../../contracts/plans.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { changeWorkspace, provision } from '../../src/commands/change-workspace.js';
import type { Command } from '../../src/commands/command.js';
import { answering, once } from '../../src/commands/once.js';
import { type NewTask, recordTasks, type TaskRecorded } from '../../src/commands/record-tasks.js';
import type { Caller } from '../../src/domain/caller.js';
import { commit } from '../../src/ledger/chain.js';
import { given, type Workspace } from '../support/given.js';
import { installation, newTask } from '../support/tasks.js';

const record = (workspace: Workspace, tasks: readonly NewTask[], by: Caller = workspace.key()) =>
  workspace.when(recordTasks(installation, by, tasks));

/** Destroys the private text of a receipt, and its salt. */
function erase(workspace: Workspace, receiptId: string): void {
  const command: Command<null> = {
    actor: workspace.person('owner').actor,
    reads: {},
    decide: () => ({
      drafts: [{ kind: 'receipt.private_erased', receipt_id: 'rcp_erased', body: { erased_receipt_id: receiptId } }],
      deposits: [],
      answer: () => null,
    }),
  };
  workspace.when(command).answer();
}

const duplicates = (answers: readonly TaskRecorded[]) => answers.map(({ duplicate }) => duplicate);

describe('task receipts that are submitted', () => {
  // @covers TASK-RECORDED TASK-PRIVATE
  it('are one entry each, in the order sent, with the private text in the vault alone', () => {
    const workspace = given();
    const recorded = record(workspace, [newTask('b', { privateText: '{"x":"secret"}' }), newTask('a')]);
    const [first, second] = recorded.thenRecorded(
      ['task', { task: { receipt_id: 'b' }, publication: null, attestation_checks: [] }],
      ['task', { task: { receipt_id: 'a' }, content_commitment: null }],
    );
    const [entry, next] = recorded.entries;
    const [deposit] = recorded.deposits;
    expect(entry?.body).toMatchObject({
      content_commitment: commit(deposit?.salt ?? new Uint8Array(), '{"x":"secret"}'),
    });
    expect(recorded.deposits.map(({ texts }) => texts)).toEqual([{ content: '{"x":"secret"}' }, {}]);
    expect(JSON.stringify(recorded.entries)).not.toContain('secret');
    expect(first).toEqual({
      id: entry?.receipt_id,
      receipt_id: 'b',
      receipt_hash: next?.prev_hash,
      seq: entry?.seq,
      hash: next?.prev_hash,
      prev_hash: entry?.prev_hash,
      scope_violations: null,
      duplicate: false,
    });
    expect(second).toMatchObject({ receipt_id: 'a', seq: (entry?.seq ?? 0) + 1, prev_hash: first?.hash });
  });

  // @covers TASK-DUPLICATE
  it('are duplicates of the same receipt, with its data, also within a batch', () => {
    const workspace = given();
    const [first] = record(workspace, [newTask('a', { privateText: '{"x":1}' })]).answer();
    const again = record(workspace, [newTask('a', { privateText: '{"x":1}' }), newTask('b'), newTask('b')]);
    const answers = again.thenRecorded(['task', { task: { receipt_id: 'b' } }]);
    expect(answers[0]).toEqual({ ...first, duplicate: true });
    expect(answers[2]).toEqual({ ...answers[1], duplicate: true });
    expect(duplicates(answers)).toEqual([true, false, true]);
    expect(duplicates(record(workspace, [newTask('a', { privateText: '{"x":1}' })]).thenRecorded())).toEqual([true]);
  });

  // @covers TASK-CONFLICT ERR-receipt_conflict TASK-ALL-OR-NOTHING
  it('are conflicts when another receipt has the id, in the ledger or in the batch, and nothing is recorded', () => {
    const workspace = given();
    record(workspace, [newTask('a', { privateText: '{"x":1}' })]).answer();
    const other = newTask('a', { privateText: '{"x":2}' });
    record(workspace, [newTask('b'), other]).thenRefused('receipt_conflict', { receipt_id: 'a', index: 1 });
    const error = newTask('c', { task: { status: 'error' } });
    record(workspace, [newTask('c'), error]).thenRefused('receipt_conflict', { receipt_id: 'c', index: 1 });
    record(workspace, [newTask('b'), newTask('c')]).thenRecorded(['task', {}], ['task', {}]);
  });

  // @covers TASK-ERASED-DUPLICATE
  it('are compared by the members that the schema names once the private text was erased', () => {
    const workspace = given();
    const [first] = record(workspace, [newTask('a', { privateText: '{"x":1}' })]).answer();
    erase(workspace, first?.id ?? '');
    const answers = record(workspace, [newTask('a', { privateText: '{"x":2}' })]).thenRecorded();
    expect(answers).toEqual([{ ...first, duplicate: true }]);
    record(workspace, [newTask('a', { task: { model: 'm' } })]).thenRefused('receipt_conflict');
  });

  // @covers TASK-IDEMPOTENT
  it('are answered once for one key, with an answer that shows no text', () => {
    const workspace = given();
    record(workspace, [newTask('a')]).answer();
    const command = answering(recordTasks(installation, workspace.key(), [newTask('a'), newTask('b')]), (data) => ({
      status: 201,
      body: { data },
    }));
    const request = { requestKey: 'k', digest: 'd' };
    workspace.when(once(command, request)).answer();
    expect(workspace.state().answers.get('k')?.reveals).toEqual([]);
    workspace.when(once(command, request)).thenRecorded();
  });
});

describe('the refusals of a batch', () => {
  const fails = { sensitive: { email: 1 } };
  const rules = { pause_all: false, sensitive: 'reject' } as const;

  // @covers TASK-PAUSED
  it('come first from the pause: for keys, and for people in the name of an agent', () => {
    const workspace = given();
    const owner = workspace.person('owner');
    workspace.when(changeRules(workspace.world, owner, { ...rules, pause_all: true })).answer();
    record(workspace, [newTask('a', fails)]).thenRefused('tenant_paused');
    record(workspace, [newTask('a')], { ...owner, agent: 'agn_a' }).thenRefused('tenant_paused');
    record(workspace, [newTask('a')], owner).thenRecorded(['task', {}]);
  });

  // @covers TASK-PLAN
  it('then from the plan, when the actions of the month do not suffice for all that are new', () => {
    const workspace = given();
    record(workspace, [newTask('a')]).answer();
    const owner = workspace.person('owner');
    workspace.when(changeRules(workspace.world, owner, rules)).answer();
    workspace.when(provision(workspace.world, { plan: 'free', memory_api: true })).answer();
    const limit = planLimits.free.actions ?? 0;
    const left = limit - workspace.state().governance.meter.actions;
    const many = Array.from({ length: left }, (_, i) => newTask(`n${i}`));
    record(workspace, [...many, newTask('one more', fails)]).thenRefused('plan_action_limit', { limit });
    record(workspace, [newTask('a'), ...many, newTask('n0')]).thenRecorded(...many.map(() => ['task', {}] as const));
    record(workspace, [newTask('b')]).thenRefused('plan_action_limit', { used: limit });
    expect(duplicates(record(workspace, [newTask('a')]).thenRecorded())).toEqual([true]);
  });

  // @covers TASK-SENSITIVE
  it('then from sensitive values, unless what holds them is recorded already', () => {
    const workspace = given();
    record(workspace, [newTask('a', { ...fails, privateText: '{"x":"[redacted]"}' })]).thenRecorded(['task', {}]);
    workspace.when(changeRules(workspace.world, workspace.person('owner'), rules)).answer();
    const conflict = newTask('a', { task: { status: 'error' } });
    const batch = [conflict, newTask('b', fails)];
    record(workspace, batch).thenRefused('content_rejected', { kinds: { email: 1 }, index: 1 });
    record(workspace, [newTask('b'), conflict]).thenRefused('receipt_conflict', { index: 1 });
    record(workspace, [newTask('a', { ...fails, privateText: '{"x":"[redacted]"}' })]).thenRecorded();
  });
});

describe('statements about the market', () => {
  const at = '2026-02-01T00:00:00Z';
  const object = { capability: 'review', quantity: 1 };
  const market = (more: Partial<Market>) => ({
    task: { market: { schema: 'counterfoil-market/1' as const, ...more } },
  });
  const settlement = (id: string, status: NonNullable<Market['settlement']>['status'], invoice_id = 'i1') =>
    newTask(id, market({ settlement: { invoice_id, rail: 'card', currency: 'USD', amount: 1, status } }));
  type Dispute = NonNullable<Market['dispute']>;
  const dispute = (id: string, status: Dispute['status'], tier: Dispute['tier']) => {
    const parties = { claimant: 'a', respondent: 'b', opened_at: at, ruling: 'split' } as const;
    return newTask(id, market({ dispute: { case_id: 'c1', claim_type: 'late', status, tier, ...parties } }));
  };
  const issues = (type: string) => ({ issues: [{ path: `market.${type}.status` }] });

  // @covers TASK-TRANSITION
  it('of a settlement follow one another as the rules allow, and may be repeated', () => {
    const workspace = given();
    record(workspace, [settlement('1', 'initiated'), settlement('2', 'failed'), settlement('3', 'initiated')]).answer();
    record(workspace, [settlement('4', 'initiated'), settlement('5', 'refunded')]).thenRefused('invalid_receipt', {
      index: 1,
      ...issues('settlement'),
    });
    record(workspace, [settlement('4', 'settled'), settlement('5', 'refunded')]).answer();
    record(workspace, [settlement('6', 'initiated')]).thenRefused('invalid_receipt', { index: 0 });
    record(workspace, [settlement('7', 'refunded', 'i2')]).answer();
  });

  // @covers TASK-TRANSITION
  it('of an open rfq, auction or forward end it, and of an ended one they stay', () => {
    const rfq = (status: NonNullable<Market['rfq']>['status'], rfq_id: string) =>
      market({ rfq: { rfq_id, ...object, expires_at: at, status } });
    const auction = (status: NonNullable<Market['auction']>['status'], auction_id: string) =>
      market({ auction: { auction_id, ...object, type: 'english', closes_at: at, status } });
    const forward = (status: NonNullable<Market['forward']>['status'], forward_id: string) =>
      market({ forward: { forward_id, ...object, unit_price_usd: 1, delivery_at: at, status } });
    const cases = [
      ...(['filled', 'expired', 'cancelled'] as const).map((end) => ['rfq', rfq('open', end), rfq(end, end)] as const),
      ...(['cleared', 'failed'] as const).map((end) => ['auction', auction('open', end), auction(end, end)] as const),
      ...(['delivered', 'defaulted', 'cancelled'] as const).map(
        (end) => ['forward', forward('open', end), forward(end, end)] as const,
      ),
    ];
    for (const [type, open, ended] of cases) {
      const workspace = given();
      const say = (id: string, said: typeof open) => record(workspace, [newTask(id, said)]);
      say('1', open).thenRecorded(['task', {}]);
      say('2', ended).thenRecorded(['task', {}]);
      say('3', ended).thenRecorded(['task', {}]);
      say('4', open).thenRefused('invalid_receipt', issues(type));
    }
  });

  // @covers TASK-TRANSITION
  it('of a resolved dispute open it again with a higher tier only', () => {
    const workspace = given();
    record(workspace, [dispute('1', 'open', 'automated'), dispute('2', 'resolved', 'panel')]).answer();
    record(workspace, [dispute('3', 'open', 'panel')]).thenRefused('invalid_receipt', issues('dispute'));
    record(workspace, [dispute('3', 'open', 'automated')]).thenRefused('invalid_receipt', issues('dispute'));
    record(workspace, [dispute('3', 'open', 'appeal')]).thenRecorded(['task', {}]);
  });

  it('of a duplicate are not stated again, and a conflict is found before a wrong step', () => {
    const workspace = given();
    record(workspace, [settlement('1', 'initiated'), settlement('2', 'settled')]).answer();
    record(workspace, [settlement('1', 'initiated'), settlement('3', 'refunded')]).thenRecorded(['task', {}]);
    record(workspace, [settlement('4', 'failed'), settlement('1', 'failed')]).thenRefused('receipt_conflict');
  });
});

describe('the publication of a task receipt', () => {
  const publish = (workspace: Workspace, publish_task_receipts: boolean) => {
    const { tags } = installation;
    const change = { name: undefined, publish_task_receipts };
    return workspace.when(changeWorkspace(workspace.world, tags, workspace.person('owner'), change));
  };
  const tagOf = (workspace: Workspace) => installation.tags.workspace(workspace.id);
  const vendors = (workspace: Workspace, task: NonNullable<Parameters<typeof newTask>[1]>['task'] & {}, id: string) => {
    const [entry] = record(workspace, [newTask(id, { task })]).entries;
    return entry?.kind === 'task' ? entry.body.publication : undefined;
  };

  // @covers TASK-PUBLISHED WORKSPACE-PUBLISHES
  it('is recorded while the switch of the workspace is on, and each switch is one entry', () => {
    const workspace = given();
    publish(workspace, false).thenRecorded();
    record(workspace, [newTask('a')]).thenRecorded(['task', { publication: null }]);
    const public_tag = tagOf(workspace);
    expect(public_tag).toMatch(/^[0-9a-f]{16}$/);
    publish(workspace, true).thenRecorded([
      'workspace.publishing_changed',
      { publish_task_receipts: true, public_tag },
    ]);
    publish(workspace, true).thenRecorded();
    const publication = { workspace: public_tag, agent_id: null, vendor: 'sdk' };
    record(workspace, [newTask('b')]).thenRecorded(['task', { publication }]);
    publish(workspace, false).thenRecorded(['workspace.publishing_changed', { publish_task_receipts: false }]);
    record(workspace, [newTask('c')]).thenRecorded(['task', { publication: null }]);
  });

  // @covers TASK-PUBLISHED
  it('names the identity that the handle is linked to with proof, and the vendor as stated, of the identity, or the platform', () => {
    const workspace = given();
    publish(workspace, true).answer();
    const market = (vendor: string) => ({ market: { schema: 'counterfoil-market/1', vendor } as const });
    expect(vendors(workspace, market(' Ve\u0308ndor '), '1')).toMatchObject({ agent_id: null, vendor: 'V\u00ebndor' });
    expect(vendors(workspace, market(' \u2003'), '2')).toMatchObject({ vendor: 'sdk' });
    link(workspace, { handle: '@archive', vendor: 'Acme ', proof: { challenge: 'c', signature: 's' } });
    expect(vendors(workspace, market(' '), '3')).toMatchObject({ agent_id: 'agn_one', vendor: 'Acme' });
    expect(vendors(workspace, market('Other'), '4')).toMatchObject({ agent_id: 'agn_one', vendor: 'Other' });
    expect(vendors(workspace, { agent_handle: '@other' }, '5')).toMatchObject({ agent_id: null, vendor: 'sdk' });
  });

  it('names no identity of a link without proof', () => {
    const workspace = given();
    publish(workspace, true).answer();
    link(workspace, { handle: '@archive' });
    expect(vendors(workspace, {}, '1')).toMatchObject({ agent_id: null });
  });

  function link(workspace: Workspace, more: object): void {
    const linked = { link_id: workspace.world.id(), agent_id: 'agn_one', name: null, token_commitment: '0'.repeat(64) };
    const command: Command<null> = {
      actor: workspace.person('owner').actor,
      reads: {},
      decide: () => ({
        drafts: [{ kind: 'agent.linked', receipt_id: `rcp_${linked.link_id}`, body: { ...linked, ...more } }],
        deposits: [],
        answer: () => null,
      }),
    };
    workspace.when(command).answer();
  }
});
