import { hidden } from './leaks.js';
import { taskReceipt } from './task-receipt.js';

/** Every field that the public must not see, each with a text of its own. */
export const values = {
  receipt_id: 'run-of-quetzal-1',
  task_summary: 'the summary of the okapi',
  'a name of an unknown member': 'unknown_of_the_kakapo',
  'an unknown member': 'value of the axolotl',
  'an unknown member of a tool call': 'argument of the pangolin',
  'an unknown member of tokens': 'reasoning of the narwhal',
  model: 'model-tamarin-9',
  session_id: 'session-of-capybara',
  parent_session_id: 'parent-session-of-tapir',
  trace_id: 'fa11ab1efa11ab1efa11ab1efa11ab1e',
  span_id: 'cafe0bad0cafe0ba',
  parent_span_id: 'dead0bee0fdead0b',
  account_id: '7d0c3b1e-5a4f-4d6b-9c8e-2f1a0b3c4d5e',
  tool: 'tool.of.the.wombat',
  'a declared scope': 'scope.of.the.dingo',
  input_hash: 'ab12'.repeat(16),
  output_hash: 'cd34'.repeat(16),
  invoice_id: 'invoice-of-the-lemur',
  'workflow.id': 'workflow-run-of-the-gecko',
  'workflow.step': 'step of the marmot',
  'a type of attestation': 'attestation-of-the-ocelot',
  'a member of an attestation': 'statement of the coypu',
} as const;
export const all = hidden(values);

export const settlement = {
  invoice_id: values.invoice_id,
  rail: 'card',
  currency: 'USD',
  amount: 12,
  status: 'initiated',
};
export const market = {
  schema: 'counterfoil-market/1',
  capability: 'leak-hunting',
  counterparty: 'Public counterparty',
  settlement,
  workflow: { id: values['workflow.id'], name: 'Public workflow', step: values['workflow.step'] },
};
/** A receipt with all of them. */
export const receipt = (more: object = {}) => ({
  ...taskReceipt({ agent_handle: '@leaky', market }),
  receipt_id: values.receipt_id,
  account_id: values.account_id,
  model: values.model,
  session_id: values.session_id,
  parent_session_id: values.parent_session_id,
  trace_id: values.trace_id,
  span_id: values.span_id,
  parent_span_id: values.parent_span_id,
  task_summary: values.task_summary,
  [values['a name of an unknown member']]: { deep: [values['an unknown member']] },
  tool_calls: [
    {
      tool: values.tool,
      ok: true,
      input_hash: values.input_hash,
      output_hash: values.output_hash,
      more: values['an unknown member of a tool call'],
    },
  ],
  tokens: { input: 1, more: values['an unknown member of tokens'] },
  declared_scope: [values['a declared scope']],
  attestations: [{ type: values['a type of attestation'], said: values['a member of an attestation'] }],
  ...more,
});
