import { z } from 'zod';
import { anyAction } from '../../../contracts/actions.js';
import { field } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { argument, argumentList, type Words } from '../tools/argument-list.js';

/** Of all members that an action of any kind may have. The words of each say which kinds have it. */
const action: Words = {
  says: 'kind decides which other members it has.',
  members: {
    kind: { says: 'memory: a text to recall later. decision: a choice and why. handoff: another agent takes over.' },
    content: { says: 'memory, required: the text.' },
    metadata: { says: 'memory: fields to filter by later.' },
    source: { says: 'memory: where it is from.' },
    playground: { says: 'memory: true for a test, which searches leave out.' },
    approval_id: { says: 'memory: of an earlier try that a person has approved.', unbounded: true },
    summary: { says: 'decision, handoff, required: one or two sentences.' },
    options: { says: 'decision: the choices.', items: { says: 'One option.', unbounded: true }, unbounded: true },
    chosen: { says: 'decision: the choice made.' },
    reason: { says: 'decision: why.' },
    to_agent: { says: 'handoff, required: agn_ and 32 characters.', unbounded: true },
    task: { says: 'handoff: what is left to do.' },
    refs: {
      says: 'decision, handoff: ids or addresses, kept forever, so nothing personal.',
      items: { says: 'One.', unbounded: true },
      unbounded: true,
    },
    namespace: { says: 'Name or id; the default one without it.' },
    client_ref: { says: 'A label that comes back with the result.', unbounded: true },
  },
};

const idempotencyKey = z.string().min(1).max(255).optional();

export const actionArguments = argumentList('invalid_request', {
  actions: argument(field(z.array(anyAction).min(1).max(limits.mcpActions), 'invalid_request'), {
    says: 'What to record, in order. A wrong argument refuses all.',
    items: action,
  }),
  idempotency_key: argument(
    field(idempotencyKey, 'invalid_request'),
    'A text without spaces, for this call alone: sent again within 24 hours, nothing is recorded twice.',
  ),
});
