import { z } from 'zod';
import { field } from './input.js';
import { paused } from './rules.js';
import { storableText } from './text.js';

export const roles = ['owner', 'admin', 'member', 'reader', 'none'] as const;

const workspaceId = z.uuid('must be the id of a workspace').toLowerCase();

/** Longer passwords only serve to make hashing expensive. */
export const signInBody = {
  email: field(storableText.min(1).max(320), 'invalid_request'),
  password: field(z.string().min(1).max(1000), 'invalid_request'),
  workspace_id: field(
    workspaceId.optional().describe('The workspace in which the session begins; absent: the one that was used last.'),
    'invalid_request',
  ),
} as const;

export const providerQuery = {
  next: field(
    z
      .string()
      .max(2048)
      .optional()
      .describe('The path of a page of this service with which the browser continues; another address is ignored.'),
    'invalid_request',
  ),
} as const;

export const sessionIn = { workspace_id: field(workspaceId, 'invalid_request') } as const;

const newPassword = z.string().min(12, 'must have at least 12 characters').max(1000);

export const passwordIn = {
  old_password: field(z.string().min(1).max(1000), 'invalid_request'),
  new_password: field(newPassword, 'invalid_request'),
} as const;

export const passwordChanged = z.object({ changed: z.literal(true), receipt_id: z.string() }).meta({
  id: 'PasswordChanged',
  description: 'The new password is that of the person in all workspaces. All other sessions of the person have ended.',
});

export const sessionList = z
  .object({
    data: z.array(
      z.object({
        id: z.uuid(),
        created_at: z.iso.datetime(),
        expires_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable().describe('To about a minute; null if it is not known.'),
        browser: z
          .string()
          .nullable()
          .describe('The browser that has signed in, such as Firefox on Linux; null for another client.'),
        current: z.boolean().describe('Whether this request belongs to this session.'),
      }),
    ),
  })
  .meta({ id: 'SessionList' });

export const sessionEnded = z.object({ id: z.string(), ended: z.literal(true) }).meta({ id: 'SessionEnded' });

export const session = z
  .object({
    user: z
      .object({ id: z.uuid(), email: z.string(), role: z.enum(roles) })
      .describe('The person as a member of the workspace of the session. The id is that of the membership.'),
    workspace: z
      .object({ id: z.uuid(), name: z.string(), plan: z.string() })
      .describe('The workspace that the session is in: requests with its cookie are requests to this workspace.'),
    workspaces: z
      .array(z.object({ id: z.uuid(), name: z.string(), plan: z.string(), role: z.enum(roles) }))
      .describe('All workspaces of the person, with the role in each, in the order in which the person came to them.'),
    paused,
    operator: z
      .boolean()
      .describe('Whether the person is an operator of the service, who may call GET /v1/operations.'),
    expires_at: z.iso.datetime().describe('12 hours after its last use.'),
  })
  .meta({ id: 'Session', description: 'The person who is signed in.' });

export const signedOut = z.object({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' });
