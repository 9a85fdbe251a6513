import { parseCookie, stringifySetCookie } from 'cookie';
import { errors as jwtErrors, jwtVerify, SignJWT } from 'jose';
import { Refusal } from '../../contracts/errors.js';
import type { SignInAttempt } from '../api/answer.js';
import type { SessionToken } from '../api/session/sessions.js';

/** The part of a request that shows its origin. */
export interface Origin {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface SessionCookie {
  is(request: Origin): boolean;
  /** @throws Refusal unauthorized, session_expired */
  read(request: Origin): Promise<SessionToken>;
  /** The header that sets the cookie, or removes it. */
  write(session: { readonly id: string; readonly expiresAt: Date } | null): Promise<string>;
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
    is: (request) => tokenIn(request) !== undefined,
    async read(request) {
      const token = tokenIn(request);
      if (token === undefined) throw new Refusal('unauthorized', 'No one is signed in.');
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
    async write(session) {
      if (session === null) return set('', 0);
      const { id, expiresAt } = session;
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

/** The cookie in which a browser keeps the secrets of a sign-in with a provider until it returns. */
export interface AttemptCookie {
  /** The header that sets the cookie, or removes it. */
  write(attempt: SignInAttempt | null): Promise<string>;
  /** @returns null where there is none, it is not of this service or it has ended */
  read(request: Origin): Promise<SignInAttempt | null>;
}

const attemptName = 'service_sign_in';
const attemptSeconds = 600;

/** @param secret another than that of sessions, so that neither token is ever taken for the other */
export function createAttemptCookie(secret: Uint8Array, baseUrl: string, path: string, now: () => Date): AttemptCookie {
  const secure = baseUrl.startsWith('https:');
  const set = (value: string, maxAge: number) =>
    // Lax and not strict: the browser comes back from the site of the provider.
    stringifySetCookie({ name: attemptName, value, maxAge, path, httpOnly: true, sameSite: 'lax', secure });
  return {
    async write(attempt) {
      if (attempt === null) return set('', 0);
      const token = await new SignJWT({ ...attempt })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(baseUrl)
        .setExpirationTime(new Date(now().getTime() + attemptSeconds * 1000))
        .sign(secret);
      return set(token, attemptSeconds);
    },
    async read({ headers: { cookie } }) {
      const token = typeof cookie === 'string' ? parseCookie(cookie)[attemptName] : undefined;
      if (token === undefined) return null;
      const options = { algorithms: ['HS256'], issuer: baseUrl, currentDate: now(), requiredClaims: ['exp'] };
      const read = await jwtVerify(token, secret, options).catch(() => null);
      const { state, nonce, verifier, next } = read?.payload ?? {};
      if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string') return null;
      return { state, nonce, verifier, next: typeof next === 'string' ? next : undefined };
    },
  };
}
