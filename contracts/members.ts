import { z } from 'zod';
import { field } from './input.js';
import { roles } from './session.js';
import { storableText } from './text.js';

/** Without spaces and control characters: what is stored is shown in terminals and logs. */
export const emailAddress = storableText
  .max(320)
  // The description has the first of the two: readers of patterns in Python know no \p.
  .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
  .refine((given) => !/[\p{Cc}\p{Cf}]/u.test(given), 'must be an e-mail address');
const role = z.enum(roles, `must be one of ${roles.join(', ')}`);

export const memberIn = {
  email: field(emailAddress, 'invalid_request'),
  role: field(role, 'invalid_request'),
  password: field(
    z
      .string()
      .min(12, 'must have at least 12 characters')
      .max(1000)
      .optional()
      .describe(
        'Without it, a password is generated. A person who has a password from another workspace keeps that one.',
      ),
    'invalid_request',
  ),
} as const;

export const memberChangeIn = { role: field(role, 'invalid_request') } as const;

const member = z
  .object({ id: z.uuid(), email: z.string(), role, created_at: z.iso.datetime() })
  .meta({ id: 'Member', description: 'A person of the workspace.' });
export const memberAdded = member
  .extend({
    email: z
      .string()
      .nullable()
      .describe('Null if the request is repeated with its Idempotency-Key after the person was removed.'),
    receipt_id: z.string(),
    password: z
      .string()
      .nullable()
      .describe(
        'The generated password, shown once; null if one was given, if the request is repeated, or if the person keeps the password from another workspace.',
      ),
  })
  .meta({ id: 'MemberAdded' });
export const memberList = z.object({ data: z.array(member) }).meta({ id: 'MemberList' });
export const memberChanged = member
  .extend({ receipt_id: z.string().nullable().describe('null if nothing was changed.') })
  .meta({ id: 'MemberChanged' });
export const memberRemoved = z
  .object({ id: z.uuid(), removed: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'MemberRemoved' });
