import type Provider from 'oidc-provider';
import type { Authorizations, Exchange } from '../../../contracts/authorization.js';
import { Refusal } from '../../../contracts/errors.js';
import { type GrantScope, grantScopes } from '../../../contracts/grants.js';
import { destinationOf } from '../../domain/oauth-redirect.js';
import { library } from './library.js';

/** The questions of clients that wait for the answers of people. */
export function createAuthorizations(provider: () => Promise<Provider>, resource: string): Authorizations {
  /** The question of this id, if this browser was asked it: the library has set a signed cookie with the id. */
  async function questionOf({ request, response }: Exchange, id: string) {
    const server = await provider();
    const { errors } = await library();
    try {
      const question = await server.interactionDetails(request, response);
      return question.uid === id ? { server, question } : null;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    }
  }

  async function requireQuestion(exchange: Exchange, id: string) {
    const found = await questionOf(exchange, id);
    if (found) return found;
    throw new Refusal(
      'invalid_request',
      'This request of an application has ended, or was begun in another browser. Begin again in the application.',
    );
  }

  const answer = { mergeWithLastSubmission: false };

  return {
    async asked(exchange, id) {
      const found = await questionOf(exchange, id);
      if (!found) return null;
      const { client_id: clientId, redirect_uri: redirectUri, scope } = found.question.params;
      const client = await found.server.Client.find(String(clientId));
      if (!client) return null;
      return {
        clientId: client.clientId,
        clientName: client.clientName ?? null,
        clientHost: hostOf(isDocument(client.clientId) ? client.clientId : client.clientUri),
        destination: destinationOf(String(redirectUri)),
        scopes: scopesIn(scope),
      };
    },
    async allow({ request, response }, id, { grantId, memberId, scopes }) {
      const { server, question } = await requireQuestion({ request, response }, id);
      const { client_id: clientId, scope } = question.params;
      const grant = new server.Grant({ accountId: memberId, clientId: String(clientId) });
      grant.jti = grantId;
      // The scopes of the resource are also scopes of the server, and each is granted as both.
      grant.addOIDCScope([...scopes, ...namesIn(scope).filter((name) => name === 'offline_access')]);
      grant.addResourceScope(resource, [...scopes]);
      await grant.save();
      const result = { login: { accountId: memberId }, consent: { grantId }, select_account: {} };
      return server.interactionResult(request, response, result, answer);
    },
    async deny({ request, response }, id) {
      const { server } = await requireQuestion({ request, response }, id);
      const result = { error: 'access_denied', error_description: 'The person did not allow it.' };
      return server.interactionResult(request, response, result, answer);
    },
  };
}

const namesIn = (scope: unknown): readonly string[] => (typeof scope === 'string' ? scope.split(' ') : []);

function scopesIn(scope: unknown): readonly GrantScope[] {
  const names = namesIn(scope);
  return grantScopes.filter((one) => names.includes(one));
}

/** Whether a client is known by its metadata document, whose address is its id. */
export const isDocument = (clientId: string): boolean => clientId.startsWith('https://');

const hostOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : null;
