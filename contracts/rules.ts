import { z } from 'zod';
import { field } from './input.js';

const sensitive = z
  .enum(['redact', 'reject'], 'must be redact or reject')
  .describe('What becomes of sensitive values: replaced by [redacted], or the write is refused.');

/** Both must be named: a rule that is left out would be one that is lifted by mistake. */
export const rulesIn = {
  pause_all: field(z.boolean().describe('No agent writes; only the owner sets or lifts it.'), 'invalid_request'),
  sensitive: field(sensitive, 'invalid_request'),
  ask_owner: field(
    z.array(z.never(), 'must be an empty list: rules that ask the owner are not built yet').default([]),
    'invalid_request',
  ),
} as const;

export const rules = z
  .object({ pause_all: z.boolean(), sensitive, ask_owner: z.array(z.never()) })
  .meta({ id: 'Rules', description: 'What the workspace asks of writes.' });
export const rulesChanged = rules
  .extend({ receipt_id: z.string().nullable().describe('null where nothing was changed.') })
  .meta({ id: 'RulesChanged' });
