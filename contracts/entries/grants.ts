import { z } from 'zod';
import { entryKind } from './kind.js';

const ids = z.array(z.string()).readonly();

const grantCreated = z.strictObject({
  grant_id: z.string(),
  /** The person who gave the grant. It never reaches more than this person does. */
  member_id: z.string(),
  /** As the authorization server knows the client: an id that it gave out, or the address of a metadata document. */
  client_id: z.string(),
  /** The name that the client gives itself, which is not verified; null when it gives none. */
  client_name: z.string().nullable(),
  /** The host, or the private scheme, that the client receives its codes at. */
  redirect_host: z.string(),
  /** The linked agent in whose name the client acts; null for none. */
  agent_id: z.string().nullable(),
  scopes: z.array(z.string()).readonly(),
  namespace_ids: ids,
  expires_at: z.string(),
});

const grantRevoked = z.strictObject({
  grant_id: z.string(),
  /** The reason of the end: a person or the client ended the grant, or a refresh token was used a second time. */
  reason: z.enum(['person', 'client', 'replayed_token']),
});

/** Grants of OAuth: what a person allows a client to do in this workspace. */
export const grantKinds = {
  'grant.created': entryKind({
    body: grantCreated.readonly(),
    audience: 'governance',
    namespaces: (body) => body.namespace_ids,
  }),
  'grant.revoked': entryKind({ body: grantRevoked.readonly(), audience: 'governance' }),
};
