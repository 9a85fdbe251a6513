import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type Provider from 'oidc-provider';
import type { AuthorizationServer } from '../../../contracts/authorization.js';
import { grantScopes } from '../../../contracts/grants.js';
import { mcpPath } from '../../../contracts/oauth.js';
import { createReadAccessToken } from './access-tokens.js';
import { createAuthorizations, isDocument } from './authorizations.js';
import { createSigningKeys } from './keys.js';
import { library } from './library.js';
import { createProvider, type ProviderParts } from './provider.js';
import { type Prepared, prepared } from './requests.js';
import { findRow } from './rows.js';

type Parts = Omit<ProviderParts, 'resource' | 'readAccessToken'>;

/** The OAuth 2.1 authorization server of this installation. Its state is in the database, so any process answers any request. */
export function openAuthorizationServer(parts: Parts): AuthorizationServer {
  const { issuer, database, world } = parts;
  const resource = `${issuer}${mcpPath}`;
  const keys = createSigningKeys(database, world);
  const readAccessToken = createReadAccessToken({ keys, issuer, resource, world });
  let made: { readonly provider: Provider; readonly kids: string } | undefined;

  async function provider(): Promise<Provider> {
    const [loaded, current] = await Promise.all([library(), keys.all()]);
    const kids = current.map(({ kid }) => kid).join();
    if (made?.kids !== kids)
      made = { kids, provider: createProvider(loaded, current, { ...parts, resource, readAccessToken }) };
    return made.provider;
  }

  return {
    authorizations: createAuthorizations(provider, resource),
    resourceMetadata: {
      resource,
      authorization_servers: [issuer],
      scopes_supported: grantScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Counterfoil',
      resource_documentation: `${issuer}/developers`,
    },
    async prepare(request) {
      const passed = prepared(request);
      const answer = (await provider()).callback();
      return async (response) => {
        await answer(requestFor(request.request, passed, issuer), response);
      };
    },
    async verifyAccessToken(token) {
      const claims = await readAccessToken(token);
      if (claims === null || isDocument(claims.clientId)) return claims;
      // The tokens of a client end with its registration.
      const client = await database.read((tx) => findRow(tx, 'Client', claims.clientId, world.now()));
      return client ? claims : null;
    },
  };
}

/**
 * The request as the library gets it: with a body that was read already, and as if it had been sent to the address of the
 * service, of which the library makes the addresses that it publishes.
 */
function requestFor(request: IncomingMessage, { url, contentType, body }: Prepared, issuer: string) {
  const { host, protocol } = new URL(issuer);
  // Not the socket of the request, which would be closed with the message.
  const passed = new IncomingMessage(new Socket());
  passed.complete = true;
  passed.method = request.method;
  passed.url = url;
  passed.headers = {
    ...request.headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  delete passed.headers['transfer-encoding'];
  if (body.length > 0) passed.push(body);
  passed.push(null);
  return passed;
}
