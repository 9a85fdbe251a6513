import { z } from 'zod';
import { anyAction } from '../../../contracts/actions.js';
import { field } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { argument, argumentList, type Words } from '../tools/argument-list.js';

/** Of all members that an action of any kind may have. The words of each say which kinds have it. */
const action: Words = {
  says: 'One action. kind decides which other members it has.',
  members: {
    kind: {
      says:
        'memory: store a text that agents can recall later. decision: record a choice and why it was made. handoff: record that ' +
        'another agent takes over.',
    },
    content: {
      says: 'memory (required): the text to store, up to 1 MiB. One fact or note in full sentences works best.',
    },
    metadata: { says: 'memory: fields to filter by later, up to 64 KiB of JSON.' },
    source: { says: 'memory: where the text is from, such as the name of a chat or a file.' },
    playground: { says: 'memory: true for a test, which searches leave out.' },
    approval_id: {
      says: 'memory: the approval that an earlier try of exactly this action has asked for, once a person has approved it.',
    },
    summary: {
      says: 'decision, handoff (required): what was decided, or what is handed over, in one or two sentences.',
    },
    options: { says: 'decision: the choices that there were.', items: { says: 'One option.' } },
    chosen: { says: 'decision: the choice that was made.' },
    reason: { says: 'decision: why.' },
    to_agent: { says: 'handoff (required): the identity of the agent that takes over, agn_ and 32 characters.' },
    task: { says: 'handoff: what is left to do.' },
    refs: {
      says: 'decision, handoff: ids or addresses of what it is about. They stay in the ledger forever, so they must not be personal.',
      items: { says: 'One id or address.' },
    },
    namespace: { says: 'The id or name of a namespace; without it, the default one.' },
    client_ref: { says: 'Any label of yours. It comes back with the result of this action.' },
  },
};

const idempotencyKey = z.string().min(1).max(255).optional();

export const actionArguments = argumentList('invalid_request', {
  actions: argument(field(z.array(anyAction).min(1).max(limits.mcpActions), 'invalid_request'), {
    says: 'What to record, in order. A wrong argument anywhere refuses all of them.',
    items: action,
  }),
  idempotency_key: argument(
    field(idempotencyKey, 'invalid_request'),
    'Any text without spaces that belongs to this call alone. If the answer is lost, send the same call with the same key ' +
      'within 24 hours: nothing is recorded twice.',
  ),
});
