import { z } from 'zod';
import { agentIdPattern } from './agents.js';
import { limits } from './limits.js';
import { memoryIn } from './memory.js';
import { textOf } from './text.js';

/** The actions of a batch, as agents send them. `client_ref` comes back with the result of its action. */

/** The most characters are counted by a function, so they are said beside it. */
const text = (most: number) => textOf(most).meta({ maxLength: most });

/** A list whose elements are looked at one by one, up to the first wrong one, and only if there are not too many. */
const textsOf = (count: number, most: number) => {
  const element = textOf(most);
  const words = `must be a list of at most ${count} strings of at most ${most} characters`;
  const list = z.array(z.unknown(), words).meta({ maxItems: count, items: { type: 'string', maxLength: most } });
  return list.transform((values, context): readonly string[] => {
    if (values.length > count) {
      context.addIssue({ code: 'custom', message: `has ${values.length} elements, and ${words}` });
      return z.NEVER;
    }
    const texts: string[] = [];
    for (const [at, value] of values.entries()) {
      const read = element.safeParse(value);
      if (!read.success) {
        context.addIssue({ code: 'custom', path: [at], message: read.error.issues[0]?.message ?? words });
        return z.NEVER;
      }
      texts.push(read.data);
    }
    return texts;
  });
};

const summary = textOf(limits.actionSummaryCharacters)
  .refine((given) => given !== '', `must have 1 to ${limits.actionSummaryCharacters} characters`)
  .meta({ minLength: 1, maxLength: limits.actionSummaryCharacters });

const shared = { client_ref: text(limits.clientRefCharacters).optional() };

const recorded = {
  ...shared,
  summary,
  refs: textsOf(limits.actionRefs, limits.actionRefCharacters).default([]),
  namespace: memoryIn.namespace.schema,
};

const memoryAction = z.strictObject({
  ...shared,
  kind: z.literal('memory'),
  content: memoryIn.content.schema,
  namespace: memoryIn.namespace.schema,
  metadata: memoryIn.metadata.schema,
  source: memoryIn.source.schema,
  playground: memoryIn.playground.schema,
  approval_id: memoryIn.approval_id.schema,
});

const decisionAction = z.strictObject({
  ...recorded,
  kind: z.literal('decision'),
  options: textsOf(limits.actionOptions, limits.actionOptionCharacters).optional(),
  /** The choice. It need not be one of the options: agents also choose what was not on the list. */
  chosen: text(limits.actionOptionCharacters).optional(),
  reason: text(limits.actionReasonCharacters).optional(),
});

const handoffAction = z.strictObject({
  ...recorded,
  kind: z.literal('handoff'),
  to_agent: z
    .string()
    .regex(agentIdPattern, 'must be agn_ and 32 characters of a-z and 2-7')
    .meta({ maxLength: limits.idCharacters }),
  task: text(limits.actionTaskCharacters).optional(),
});

export const actionShapes = { memory: memoryAction, decision: decisionAction, handoff: handoffAction } as const;

type ActionKind = keyof typeof actionShapes;

/** All members that an action of any kind may have, for a description of all kinds in one. Which an action needs depends on its kind. */
export const anyAction = z
  .object({
    ...memoryAction.shape,
    ...decisionAction.shape,
    ...handoffAction.shape,
    kind: z.enum(['memory', 'decision', 'handoff'] satisfies ActionKind[]),
  })
  .partial();

export const isActionKind = (kind: unknown): kind is ActionKind =>
  typeof kind === 'string' && Object.hasOwn(actionShapes, kind);

export type Action = { [K in ActionKind]: z.output<(typeof actionShapes)[K]> }[ActionKind];
