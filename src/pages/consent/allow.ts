import { createHash } from 'node:crypto';
import type { Asked } from '../../../contracts/authorization.js';
import { Refusal } from '../../../contracts/errors.js';
import { runBy } from '../../commands/by-caller.js';
import { createGrant, revokeGrant } from '../../commands/grants.js';
import { answering, once } from '../../commands/once.js';
import { requireAccess } from '../../domain/caller.js';
import type { PageParts, PersonRequest } from '../page.js';
import type { Choice } from './choice.js';
import { redirectHostOf } from './client.js';

const access = 'manage own grants';

/**
 * Records the grant and answers the client. A form that is sent twice makes one grant: its id follows from the question, so a
 * second answer with other choices is refused, and the same answer leads to the same place.
 * @returns where the browser continues. @throws Refusal as `createGrant`, and invalid_request for a question that has ended
 */
export async function allow(
  { visitor: { caller }, exchange }: PersonRequest,
  id: string,
  { asked, choice }: { readonly asked: Asked; readonly choice: Choice },
  { services, rateLimits, authorizations }: PageParts,
): Promise<string> {
  requireAccess(caller, access);
  if (!caller.memoryApi) throw new Refusal('feature_not_enabled');
  await rateLimits.workspace(caller, 'write');
  const { world, requestKeys } = services;
  const run = runBy(services.run, caller, access);
  const grantId = grantIdOf(id, caller.workspaceId);
  const { agentId, namespaces: namespaceIds } = choice;
  const { clientId, clientName, redirectUri } = asked;
  const client = { clientId, clientName, redirectHost: redirectHostOf(redirectUri) };
  // Connecting is what every grant is for; the token has the scopes that the client has requested.
  const scopes = [...new Set(['mcp:tools' as const, ...choice.scopes])];
  let isNew = false;
  const command = answering(
    createGrant(world, caller, { grantId, ...client, agentId, scopes, namespaceIds }),
    (body) => {
      isNew = true;
      return { status: 200, body };
    },
  );
  const choices = Buffer.from(JSON.stringify([agentId, scopes, namespaceIds]), 'utf8');
  await run(caller.workspaceId, once(command, requestKeys(caller, `consent:${grantId}`, '/consent', choices)));
  try {
    const allowed = { grantId, memberId: caller.actor.id ?? '', scopes: choice.scopes };
    return await authorizations.allow(exchange, id, allowed);
  } catch (error) {
    // A client that cannot be answered any more never receives a token for it.
    if (isNew) await run(caller.workspaceId, revokeGrant(world, caller, grantId, 'person'));
    throw error;
  }
}

/** One question has one grant in a workspace. Ids of grants are shown, and ids of questions are not. */
function grantIdOf(id: string, workspaceId: string): string {
  return createHash('sha256').update(`${workspaceId}\n${id}`, 'utf8').digest('base64url').slice(0, 32);
}
