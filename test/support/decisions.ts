import { realWorld } from '../../src/base/world.js';
import { erasePrivate } from '../../src/commands/erase-private.js';
import {
  type DecisionRecorded,
  type NewDecision,
  recordDecision,
  type Stated,
} from '../../src/commands/record-decision.js';
import type { Run } from '../../src/commands/run.js';
import type { Caller } from '../../src/domain/caller.js';
import { privateTextOf } from '../../src/domain/decision.js';

/** An identity that need not exist. */
export const someAgent = `agn_${'c'.repeat(32)}`;

export const aDecision = {
  kind: 'decision',
  refs: ['ticket-417'],
  text: { summary: 'Refund it.', options: ['refund', 'voucher'], chosen: 'refund', reason: 'It was loud.' },
} as const satisfies Stated;

export const aHandoff = {
  kind: 'handoff',
  refs: [],
  toAgent: someAgent,
  text: { summary: 'The guest wants a call.', task: 'Call the guest.' },
} as const satisfies Stated;

/** A decision or a handoff in which redaction has found these kinds of values. */
export function prepared(stated: Stated, sensitive: NewDecision['sensitive'] = {}): NewDecision {
  return { stated, privateText: privateTextOf(stated.text), sensitive };
}

/** Records a decision and a handoff, and others whose texts it erases. */
export async function fillDecisions({ run }: { readonly run: Run }, caller: Caller): Promise<void> {
  const { workspaceId } = caller;
  const owner: Caller = { ...caller, role: 'owner' };
  const record = (stated: Stated): Promise<DecisionRecorded> =>
    run(workspaceId, recordDecision(realWorld, caller, prepared(stated)));
  for (const stated of [aDecision, aHandoff]) {
    await record(stated);
    const { receipt_id: receiptId } = await record(stated);
    await run(workspaceId, erasePrivate(realWorld, owner, { receiptId, clientId: null }));
  }
}
