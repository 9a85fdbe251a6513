import { z } from 'zod';
import { field, type Most } from './input.js';
import { limits } from './limits.js';
import { storableText } from './text.js';

const sensitive = z
  .enum(['redact', 'reject'], 'must be redact or reject')
  .describe('Whether sensitive values are replaced by [redacted], or the write is refused.');

const name = storableText.min(1).max(limits.ruleCharacters);

/** All that it names must apply, and it must name something: an empty rule would hold every write by mistake. */
const askRule = z
  .strictObject({
    namespace_id: z.guid('must be a namespace id').optional(),
    agent_id: name.optional(),
    app_id: name.optional(),
    source: name.optional(),
    min_bytes: z.int('must be a whole number').min(1).max(limits.contentBytes).optional(),
  })
  .refine(
    (rule) => Object.values(rule).some((value) => value !== undefined),
    'must name at least one of namespace_id, agent_id, app_id, source, min_bytes',
  );

const askRules = z
  .array(askRule, 'must be a list of rules')
  .max(limits.askRules)
  .refine((all) => Buffer.byteLength(JSON.stringify(all)) <= limits.rulesBytes, 'must be at most 64 KiB in all')
  .optional()
  .describe('The writes that need an approval. Without it, these rules do not change.');

/** Each list element is an object with at most five members. */
const mostRules: Most = { values: 1 + 6 * limits.askRules, code: 'invalid_request' };

/** The first two must be named, and the third stays as it is: no rule is lifted because a request did not name it. */
export const rulesIn = {
  pause_all: field(
    z.boolean().describe('Whether every agent is paused. Only the owner changes it.'),
    'invalid_request',
  ),
  sensitive: field(sensitive, 'invalid_request'),
  ask_owner: field(askRules, 'invalid_request', { most: mostRules }),
} as const;

export const rules = z
  .object({ pause_all: z.boolean(), sensitive, ask_owner: z.array(askRule) })
  .meta({ id: 'Rules', description: 'What the workspace demands of writes.' });
export const paused = z
  .object({
    since: z.iso.datetime().describe('Since when; other changes of the rules leave it as it is.'),
    by: z
      .string()
      .nullable()
      .describe('The person who has paused them: user.id of that session, and the id of the member.'),
    receipt_id: z.string().describe('The receipt of the change that paused them.'),
  })
  .nullable()
  .meta({ id: 'Paused', description: 'The pause of all agents; null as long as none are paused.' });

export const rulesChanged = rules
  .extend({ receipt_id: z.string().nullable().describe('null if nothing was changed.') })
  .meta({ id: 'RulesChanged' });
