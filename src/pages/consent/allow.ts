import type { Asked } from '../../../contracts/authorization.js';
import { allowClient } from '../../api/grants/allow.js';
import type { PageParts, PersonRequest } from '../page.js';
import type { Choice } from './choice.js';
import { redirectHostOf } from './client.js';

/**
 * Records what the person allows, and answers the client.
 * @returns where the browser continues. @throws Refusal as `allowClient`, and invalid_request for a question that has ended
 */
export async function allow(
  { visitor: { caller }, exchange }: PersonRequest,
  id: string,
  { asked, choice }: { readonly asked: Asked; readonly choice: Choice },
  { authorizations, ...parts }: PageParts,
): Promise<string> {
  const { agentId, namespaces: namespaceIds, scopes } = choice;
  const { clientId, clientName, redirectUri } = asked;
  const client = { clientId, clientName, redirectHost: redirectHostOf(redirectUri) };
  const allowed = { question: id, ...client, agentId, scopes, namespaceIds };
  return allowClient(caller, allowed, parts, (grantId) =>
    authorizations.allow(exchange, id, { grantId, memberId: caller.actor.id ?? '', scopes }),
  );
}
