import { importJWK, SignJWT } from 'jose';
import type { GrantScope } from '../../contracts/grants.js';
import { createSigningKeys } from '../../src/adapters/oauth/keys.js';
import { realWorld } from '../../src/base/world.js';
import { ask } from '../http/ask.js';
import type { Service } from '../http/service.js';

export interface TokenOf {
  readonly grantId: string;
  readonly clientId: string;
  readonly memberId: string;
  readonly scopes: readonly GrantScope[];
}

/** Registers an OAuth client as clients do it themselves. @returns its id */
export async function registeredClient({ app }: Service): Promise<string> {
  const origin = app.server.listeningOrigin;
  const { json } = await ask(origin, 'GET', '/.well-known/oauth-authorization-server');
  const { pathname } = new URL(json.registration_endpoint);
  const client = { client_name: 'Desk', redirect_uris: ['https://desk.example.org/callback'] };
  const headers = { 'content-type': 'application/json' };
  const registered = await ask(origin, 'POST', pathname, { headers, body: JSON.stringify(client) });
  return registered.json.client_id;
}

/** An access token of a grant, signed with the key of the service, as its authorization server signs it. */
export async function accessToken({ app }: Service, { grantId, clientId, memberId, scopes }: TokenOf): Promise<string> {
  const [key] = await createSigningKeys(app.database, realWorld).all();
  if (!key) throw new Error('the service has no key');
  const { json } = await ask(app.server.listeningOrigin, 'GET', '/.well-known/oauth-protected-resource');
  return new SignJWT({ client_id: clientId, grant_id: grantId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
    .setIssuer(json.authorization_servers[0])
    .setAudience(json.resource)
    .setSubject(memberId)
    .setJti(realWorld.nonce())
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(await importJWK(key, 'ES256'));
}
