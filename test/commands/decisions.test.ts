import { describe, expect, it } from 'vitest';
import { planLimits } from '../../contracts/plans.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { provision } from '../../src/commands/change-workspace.js';
import { erasePrivate } from '../../src/commands/erase-private.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import { answering, keysOfParts, once, type RequestKey } from '../../src/commands/once.js';
import { type NewDecision, prepareDecision, recordDecision } from '../../src/commands/record-decision.js';
import { emptyState } from '../../src/commands/state/state.js';
import type { Caller } from '../../src/domain/caller.js';
import { redactJson } from '../../src/domain/redaction/writing.js';
import { commit } from '../../src/ledger/chain.js';
import { aDecision, aHandoff, prepared, someAgent } from '../support/decisions.js';
import { begun, given, type Workspace } from '../support/given.js';

const record = (workspace: Workspace, decision: NewDecision = prepared(aDecision), by: Caller = workspace.key()) =>
  workspace.when(recordDecision(workspace.world, by, decision));

const rules = { pause_all: false, sensitive: 'redact' } as const;
const setRules = (workspace: Workspace, more: object) =>
  workspace.when(changeRules(workspace.world, workspace.person('owner'), { ...rules, ...more })).answer();

describe('a decision or a handoff', () => {
  // @covers DECISION-ENTRY DECISION-VAULT
  it('is one entry that names namespace and references, with the text in the vault alone', () => {
    const workspace = given();
    const recorded = record(workspace);
    const { namespaceId: namespace_id } = workspace;
    const answer = recorded.thenRecorded(['decision', { namespace_id, refs: ['ticket-417'] }]);
    const [entry] = recorded.entries;
    const [{ salt, texts } = { salt: new Uint8Array(), texts: {} }] = recorded.deposits;
    const text = '{"summary":"Refund it.","options":["refund","voucher"],"chosen":"refund","reason":"It was loud."}';
    expect(texts).toEqual({ content: text });
    expect(entry?.body).toEqual({ namespace_id, refs: ['ticket-417'], content_commitment: commit(salt, text) });
    const next = record(workspace, prepared(aHandoff));
    expect(answer).toEqual({ receipt_id: entry?.receipt_id, receipt_hash: next.entries[0]?.prev_hash });
    next.thenRecorded(['handoff', { namespace_id, refs: [], to_agent: someAgent }]);
    expect(next.deposits[0]?.texts).toEqual({
      content: '{"summary":"The guest wants a call.","task":"Call the guest."}',
    });
  });

  // @covers DECISION-NAMESPACE
  it('goes to the namespace that it names, or to the default one', () => {
    const workspace = given();
    const { world } = workspace;
    const owner = workspace.person('owner');
    const { id } = workspace.when(createNamespace(world, owner, 'night desk')).answer();
    const to = (namespace: string, by = workspace.key([workspace.namespaceId, id])) =>
      record(workspace, prepared({ ...aDecision, namespace }), by);
    to('night desk').thenRecorded(['decision', { namespace_id: id }]);
    to(id).thenRecorded(['decision', { namespace_id: id }]);
    to('nowhere').thenRefused('namespace_not_found');
    to(id, workspace.key()).thenRefused('namespace_out_of_scope');
    record(workspace, undefined, workspace.key([])).thenRefused('key_has_no_namespaces');
    workspace.when(deleteNamespace(world, owner, id, null, 0)).answer();
    to(id).thenRefused('namespace_deleted');
  });

  // @covers DECISION-ORDER DECISION-PAUSE DECISION-PLAN DECISION-SENSITIVE
  it('is refused in the order namespace, pause, plan, sensitive values', () => {
    const actions = planLimits.free.actions ?? 0;
    const meter = { month: begun.slice(0, 7), actions: actions - 1, memories: 0 };
    const workspace = given({ governance: { ...emptyState.governance, meter } });
    workspace.when(provision(workspace.world, { plan: 'free', memory_api: true })).answer();
    record(workspace).thenRecorded(['decision', {}]);
    setRules(workspace, { pause_all: true, sensitive: 'reject' });
    const found = (namespace?: string) => prepared({ ...aDecision, namespace }, { email: 1 });
    record(workspace, found('nowhere')).thenRefused('namespace_not_found');
    record(workspace, found()).thenRefused('tenant_paused');
    setRules(workspace, { sensitive: 'reject' });
    record(workspace, found()).thenRefused('plan_action_limit', { limit: actions, used: actions });
    workspace.when(provision(workspace.world, { plan: 'enterprise', memory_api: true })).answer();
    record(workspace, found()).thenRefused('content_rejected', { kinds: { email: 1 } });
    record(workspace).thenRecorded(['decision', {}]);
    setRules(workspace, {});
    record(workspace, found()).thenRecorded(['decision', {}]);
  });

  // @covers DECISION-RULES
  it('is not held by rules that ask an owner', () => {
    const workspace = given();
    setRules(workspace, { ask_owner: [{ namespace_id: workspace.namespaceId }, { min_bytes: 0 }] });
    record(workspace).thenRecorded(['decision', {}]);
    record(workspace, prepared(aHandoff)).thenRecorded(['handoff', {}]);
  });

  // @covers DECISION-METER
  it('is one action of the meter', () => {
    const workspace = given();
    const { actions } = workspace.state().governance.meter;
    record(workspace).answer();
    record(workspace, prepared(aHandoff)).answer();
    expect(workspace.state().governance.meter.actions).toBe(actions + 2);
  });

  // @covers DECISION-REDACTED
  it('is redacted in every text, and counts what was found by kind', async () => {
    const redactTexts = async (_owner: string, texts: readonly string[]) => texts.map(redactJson);
    const mail = 'write to ada@example.org';
    const text = { summary: mail, options: [mail], chosen: mail, reason: mail };
    const { privateText, sensitive } = await prepareDecision(redactTexts, 'a workspace', { ...aDecision, text });
    const redacted = 'write to [redacted]';
    expect(JSON.parse(privateText)).toEqual({
      summary: redacted,
      options: [redacted],
      chosen: redacted,
      reason: redacted,
    });
    expect(sensitive).toEqual({ email: 4 });
    const handed = await prepareDecision(redactTexts, 'a workspace', {
      ...aHandoff,
      text: { summary: mail, task: mail },
    });
    expect(JSON.parse(handed.privateText)).toEqual({ summary: redacted, task: redacted });
  });
});

describe('the erasure of the text of a decision', () => {
  const erase = (workspace: Workspace, receiptId: string) =>
    workspace.when(erasePrivate(workspace.world, workspace.person('admin'), { receiptId, clientId: null }));
  const nothing: readonly [] = [];

  // @covers DECISION-ERASE
  it('is one entry that names the receipt and its namespace, is no action, and happens once', () => {
    const workspace = given();
    const { namespaceId: namespace_id } = workspace;
    for (const stated of [aDecision, aHandoff]) {
      const { receipt_id: id } = record(workspace, prepared(stated)).answer();
      const { actions } = workspace.state().governance.meter;
      const erased = erase(workspace, id);
      const answer = erased.thenRecorded(['receipt.private_erased', { erased_receipt_id: id, namespace_id }]);
      expect(answer).toEqual({ id, private_erased: true, receipt_id: erased.entries[0]?.receipt_id });
      expect(erase(workspace, id).thenRecorded(...nothing)).toEqual(answer);
      expect(workspace.state().governance.meter.actions).toBe(actions);
    }
  });

  // @covers DECISION-ERASE
  it('is refused for a receipt of another kind', () => {
    const workspace = given();
    erase(workspace, 'rcp_of_nothing').thenRefused('receipt_not_found');
    const { receipt_id: id } = record(workspace).answer();
    const asTask = { receiptId: id, clientId: 'run-1' };
    workspace.when(erasePrivate(workspace.world, workspace.person('admin'), asTask)).thenRefused('receipt_not_found');
  });
});

describe('the keys of the parts of a batch', () => {
  const answered = (workspace: Workspace, key: RequestKey, summary = 'one') => {
    const stated = { ...aDecision, text: { ...aDecision.text, summary } };
    const command = recordDecision(workspace.world, workspace.key(), prepared(stated));
    return workspace.when(
      once(
        answering(command, (body) => ({ status: 201, body })),
        key,
      ),
    );
  };
  const keys = (digest: string) => keysOfParts({ requestKey: 'k', digest }, 3);
  const nothing: readonly [] = [];

  // @covers ACTIONS-ONCE ACTIONS-ONCE-REUSED
  it('are those of one request as soon as one part was recorded', () => {
    const workspace = given();
    const [first, second, third] = keys('one');
    expect(new Set([first, second, third].map((key) => key?.requestKey)).size).toBe(3);
    answered(workspace, second ?? null).answer();
    answered(workspace, second ?? null).thenRecorded(...nothing);
    for (const key of keys('another')) answered(workspace, key).thenRefused('idempotency_key_reused');
    answered(workspace, first ?? null).thenRecorded(['decision', {}]);
    // It shows no text, so it stays when the text is erased.
    expect(workspace.state().answers.get(second?.requestKey ?? '')?.reveals).toEqual([]);
    answered(workspace, { requestKey: 'k', digest: 'of another operation' }).thenRecorded(['decision', {}]);
    answered(workspace, third ?? null).thenRefused('idempotency_key_reused');
  });
});
