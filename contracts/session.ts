import { z } from 'zod';
import { field } from './input.js';
import { storableText } from './text.js';

export const roles = ['owner', 'admin', 'member', 'reader', 'none'] as const;

/** Longer passwords are somebody trying what hashing them costs. */
export const signInBody = {
  email: field(storableText.min(1).max(320), 'invalid_request'),
  password: field(z.string().min(1).max(1000), 'invalid_request'),
} as const;

export const session = z
  .object({
    user: z.object({ id: z.uuid(), email: z.string(), role: z.enum(roles) }),
    workspace: z.object({ id: z.uuid(), name: z.string(), plan: z.string() }),
    expires_at: z.iso.datetime().describe('12 hours after its last use.'),
  })
  .meta({ id: 'Session', description: 'Who is signed in.' });

export const signedOut = z.object({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' });
