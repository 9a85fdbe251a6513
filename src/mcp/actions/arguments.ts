import { limits } from '../../../contracts/limits.js';
import type { ArgumentList } from '../tools/arguments.js';

const text = (maxLength: number, description: string) => ({ type: 'string', maxLength, description }) as const;

/** All members that an action of any kind may have. The description of each says which kinds have it. */
const action = {
  type: 'object',
  description: 'One action. kind decides which other members it has.',
  properties: {
    kind: {
      type: 'string',
      enum: ['memory', 'decision', 'handoff'],
      description:
        'memory: store a text that agents can recall later. decision: record a choice and why it was made. handoff: record that ' +
        'another agent takes over.',
    },
    content: {
      type: 'string',
      minLength: 1,
      description: 'memory (required): the text to store, up to 1 MiB. One fact or note in full sentences works best.',
    },
    metadata: { type: 'object', description: 'memory: fields to filter by later, up to 64 KiB of JSON.' },
    source: { type: 'string', description: 'memory: where the text is from, such as the name of a chat or a file.' },
    playground: { type: 'boolean', description: 'memory: true for a test, which searches leave out.' },
    approval_id: text(
      limits.idCharacters,
      'memory: the approval that an earlier try of exactly this action has asked for, once a person has approved it.',
    ),
    summary: {
      type: 'string',
      minLength: 1,
      maxLength: limits.actionSummaryCharacters,
      description: 'decision, handoff (required): what was decided, or what is handed over, in one or two sentences.',
    },
    options: {
      type: 'array',
      maxItems: limits.actionOptions,
      items: text(limits.actionOptionCharacters, 'One option.'),
      description: 'decision: the choices that there were.',
    },
    chosen: text(limits.actionOptionCharacters, 'decision: the choice that was made.'),
    reason: text(limits.actionReasonCharacters, 'decision: why.'),
    to_agent: text(
      limits.idCharacters,
      'handoff (required): the identity of the agent that takes over, agn_ and 32 characters.',
    ),
    task: text(limits.actionTaskCharacters, 'handoff: what is left to do.'),
    refs: {
      type: 'array',
      maxItems: limits.actionRefs,
      items: text(limits.actionRefCharacters, 'One id or address.'),
      description:
        'decision, handoff: ids or addresses of what it is about. They stay in the ledger forever, so they must not be personal.',
    },
    namespace: { type: 'string', description: 'The id or name of a namespace; without it, the default one.' },
    client_ref: text(limits.clientRefCharacters, 'Any label of yours. It comes back with the result of this action.'),
  },
} as const;

export const actionArguments: ArgumentList = {
  schema: {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        minItems: 1,
        maxItems: limits.mcpActions,
        items: action,
        description: 'What to record, in order. A wrong argument anywhere refuses all of them.',
      },
      idempotency_key: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description:
          'Any text without spaces that belongs to this call alone. If the answer is lost, send the same call with the same key ' +
          'within 24 hours: nothing is recorded twice.',
      },
    },
    required: ['actions'],
    additionalProperties: false,
  },
  unknown: 'invalid_request',
  codes: {},
};
