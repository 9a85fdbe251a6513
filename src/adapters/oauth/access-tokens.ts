import { errors, type JWTPayload, jwtVerify } from 'jose';
import { type GrantScope, grantScopes } from '../../../contracts/grants.js';
import type { World } from '../../base/world.js';
import type { SigningKeys } from './keys.js';

/** The claims of an access token that this installation has signed for its resource. */
interface AccessTokenClaims {
  readonly id: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly memberId: string;
  readonly scopes: readonly GrantScope[];
  /** Seconds of the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

interface Parts {
  readonly keys: Pick<SigningKeys, 'publicKey'>;
  readonly issuer: string;
  readonly resource: string;
  readonly world: Pick<World, 'now'>;
}

/** @returns null for anything but a valid access token (RFC 9068) of this installation for `resource` */
export type ReadAccessToken = (token: string) => Promise<AccessTokenClaims | null>;

class UnknownKey extends Error {}

export function createReadAccessToken({ keys, issuer, resource, world }: Parts): ReadAccessToken {
  return async (token) => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid = '' }) => {
          const key = await keys.publicKey(kid);
          if (!key) throw new UnknownKey();
          return key;
        },
        {
          algorithms: ['ES256'],
          issuer,
          audience: resource,
          typ: 'at+jwt',
          requiredClaims: ['exp', 'iat', 'jti', 'sub'],
          currentDate: world.now(),
        },
      );
      return claimsOf(payload);
    } catch (error) {
      if (error instanceof UnknownKey || error instanceof errors.JOSEError) return null;
      throw error;
    }
  };
}

function claimsOf({ jti, sub, iat, exp, client_id, grant_id, scope }: JWTPayload): AccessTokenClaims | null {
  if (jti === undefined || sub === undefined || iat === undefined || exp === undefined) return null;
  if (typeof client_id !== 'string' || typeof grant_id !== 'string') return null;
  const named = typeof scope === 'string' ? scope.split(' ') : [];
  return {
    id: jti,
    grantId: grant_id,
    clientId: client_id,
    memberId: sub,
    scopes: grantScopes.filter((one) => named.includes(one)),
    issuedAt: iat,
    expiresAt: exp,
  };
}
