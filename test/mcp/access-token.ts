import { importJWK, SignJWT } from 'jose';
import type { GrantScope } from '../../contracts/grants.js';
import { createSigningKeys } from '../../src/adapters/oauth/keys.js';
import { realWorld } from '../../src/world.js';
import type { Service } from '../http/service.js';

export interface TokenOf {
  readonly grantId: string;
  readonly clientId: string;
  readonly memberId: string;
  readonly scopes: readonly GrantScope[];
}

/** An access token of a grant, signed with the key of the service, as its authorization server signs it. */
export async function accessToken({ app }: Service, { grantId, clientId, memberId, scopes }: TokenOf): Promise<string> {
  const [key] = await createSigningKeys(app.database, realWorld).all();
  if (!key) throw new Error('the service has no key');
  const issuer = 'http://127.0.0.1:8080';
  return new SignJWT({ client_id: clientId, grant_id: grantId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(`${issuer}/mcp`)
    .setSubject(memberId)
    .setJti(realWorld.nonce())
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(await importJWK(key, 'ES256'));
}
