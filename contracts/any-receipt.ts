import { z } from 'zod';
import { names, namesIncluded } from './names.js';
import { receipt } from './receipt.js';

const refs = z.array(z.string()).describe('Ids and addresses of what it is about, as they were sent.');
const gone = 'Absent once the text was erased.';
const summary = z.string().optional().describe(gone);
const isErased = z.boolean().describe('Whether the text was erased.');

/** A decision as the API gives it: its entry, and what it says. */
const decisionReceipt = receipt
  .extend({
    kind: z.literal('decision'),
    private_erased: isErased,
    decision: z.object({
      summary,
      options: z.array(z.string()).optional().describe('The choices that there were.'),
      chosen: z.string().optional().describe('The choice, which need not be one of the options.'),
      reason: z.string().optional(),
      refs,
    }),
  })
  .meta({ id: 'DecisionReceipt', description: 'A decision that an agent has recorded.' });

/** A handoff as the API gives it. */
const handoffReceipt = receipt
  .extend({
    kind: z.literal('handoff'),
    private_erased: isErased,
    handoff: z.object({
      summary,
      task: z.string().optional().describe('What is left to do.'),
      to_agent: z.string().describe('The identity that takes over. It need not be linked to the workspace.'),
      refs,
    }),
  })
  .meta({ id: 'HandoffReceipt', description: 'Work that an agent has handed to another one.' });

const { id, seq, hash, prev_hash, recorded_at, actor, anchor_state, anchor_tx, ots_proof, erc8004_emitted_at } =
  receipt.shape;

/** A task receipt as the API gives it: what was submitted, and what the service has recorded about it. */
const taskReceipt = z
  .object({
    id,
    receipt_id: z.string().describe('The id that the client has chosen.'),
    kind: z.literal('task'),
    seq,
    hash,
    prev_hash,
    recorded_at,
    actor,
    task: z
      .record(z.string(), z.unknown())
      .describe(
        'The receipt as it was submitted: the members that the schema names by their values, all other members byte for byte. ' +
          'Once the private text was erased, only the members that the schema names, without task_summary.',
      ),
    private_erased: z.boolean().describe('Whether the private text was erased.'),
    scope_violations: z
      .array(z.string())
      .nullable()
      .describe(
        'The tools outside of the declared scope, in the order of their first call; null when none was declared.',
      ),
    attestations: z
      .array(z.looseObject({ type: z.string(), state: z.enum(['verified', 'not_checked']) }))
      .describe('The attestations as they were sent, each with the result of its check.'),
    anchor_state,
    anchor_tx,
    ots_proof,
    erc8004_emitted_at,
  })
  .meta({ id: 'TaskReceipt', description: 'A task receipt that a platform has submitted.' });

/** Receipts of tasks, decisions and handoffs have shapes of their own. */
export const anyReceipt = z.union([taskReceipt, decisionReceipt, handoffReceipt, receipt]);

export const receiptQuery = { include: namesIncluded } as const;

/** The same with the names of the ids in it. */
export const namedReceipt = z.union([
  taskReceipt.extend({ names }).meta({ id: 'NamedTaskReceipt' }),
  decisionReceipt.extend({ names }).meta({ id: 'NamedDecisionReceipt' }),
  handoffReceipt.extend({ names }).meta({ id: 'NamedHandoffReceipt' }),
  receipt.extend({ names }).meta({ id: 'NamedReceipt' }),
]);

/** A receipt of a trace, with the receipts of the spans below it. */
const traceNode = z
  .object({
    receipt: anyReceipt,
    get children() {
      return z.array(traceNode);
    },
  })
  .meta({ id: 'TraceNode' });

export const receiptTrace = z
  .object({
    data: z
      .array(traceNode)
      .describe('The receipts without a parent in this trace, in the order in which they were recorded.'),
    truncated: z.boolean().describe('Whether the trace has more receipts than are shown.'),
  })
  .meta({ id: 'ReceiptTrace', description: 'The receipts of a trace, or of a session, as a tree.' });

export const privateErased = z
  .object({
    id: z.string().describe('The id that the service has given the receipt whose text was erased.'),
    private_erased: z.literal(true),
    receipt_id: z.string().describe('The receipt of the erasure; that of the first one when it is repeated.'),
  })
  .meta({ id: 'PrivateErased' });
