import { parseCookie, stringifySetCookie } from 'cookie';
import { errors as jwtErrors, jwtVerify, SignJWT } from 'jose';
import { Refusal } from '../../contracts/errors.js';
import type { Origin } from './csrf.js';

export interface SessionCookie {
  is(request: Origin): boolean;
  /** @throws Refusal unauthorized, session_expired */
  read(request: Origin): Promise<{ id: string; issuedAt: Date; expiresAt: Date }>;
  write(id: string, expiresAt: Date): Promise<string>;
  /** A cookie that removes it. */
  readonly none: string;
}

const name = 'service_session';

/**
 * The cookie that names a session: a token (JWT, HS256) that this service has signed.
 * @param secret at least 32 bytes, the same in every process on the store
 */
export function createSessionCookie(secret: Uint8Array, baseUrl: string, now: () => Date): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const set = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure });
  return {
    none: set('', 0),
    is: (request) => tokenIn(request) !== undefined,
    async read(request) {
      const token = tokenIn(request);
      if (token === undefined) throw new Refusal('unauthorized', 'Nobody is signed in.');
      try {
        const options = { algorithms: ['HS256'], issuer: baseUrl, currentDate: now() };
        const { jti, iat, exp } = (await jwtVerify(token, secret, options)).payload;
        if (jti === undefined || iat === undefined || exp === undefined) throw new Refusal('unauthorized');
        return { id: jti, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) };
      } catch (error) {
        if (error instanceof jwtErrors.JWTExpired) throw new Refusal('session_expired');
        throw new Refusal('unauthorized', 'The session cookie is not one of this service.');
      }
    },
    async write(id, expiresAt) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(baseUrl)
        .setJti(id)
        .setIssuedAt(now())
        .setExpirationTime(expiresAt)
        .sign(secret);
      return set(token, Math.round((expiresAt.getTime() - now().getTime()) / 1000));
    },
  };
}

function tokenIn({ headers: { cookie } }: Origin): string | undefined {
  return typeof cookie === 'string' ? parseCookie(cookie)[name] : undefined;
}
