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

/**
 * The cookies in which a browser keeps the secrets of its sign-ins with a provider until it returns: one for each of them, because
 * people open several tabs. The browser keeps the last three.
 */
export interface AttemptCookie {
  /** The headers that set the cookie of an attempt, and remove those of earlier ones. */
  begin(attempt: SignInAttempt, request: Origin): Promise<string[]>;
  /** The header that removes the cookie of the attempt with this state. */
  end(state: string): string;
  /** @returns null where there is none with this state, it is not of this service or it has ended */
  read(request: Origin, state: string): Promise<SignInAttempt | null>;
}

const prefix = 'service_sign_in_';
const attemptSeconds = 600;
const mostAttempts = 3;
/** The beginning of a state is enough to find its cookie, and shows nothing of the rest. */
const stateCharacters = 12;

const nameOf = (state: string): string => `${prefix}${state.slice(0, stateCharacters)}`;

/** @param secret another than that of sessions, so that neither token is ever taken for the other */
export function createAttemptCookie(secret: Uint8Array, baseUrl: string, path: string, now: () => Date): AttemptCookie {
  const secure = baseUrl.startsWith('https:');
  const set = (name: string, value: string, maxAge: number) =>
    // Lax and not strict: the browser comes back from the site of the provider.
    stringifySetCookie({ name, value, maxAge, path, httpOnly: true, sameSite: 'lax', secure });

  async function payloadOf(token: string) {
    const options = { algorithms: ['HS256'], issuer: baseUrl, currentDate: now(), requiredClaims: ['exp'] };
    return (await jwtVerify(token, secret, options).catch(() => null))?.payload ?? null;
  }

  /** The names of the cookies that make room for another one: those that have ended, then the oldest. */
  async function superfluous(request: Origin): Promise<string[]> {
    const names = Object.entries(cookiesOf(request)).filter(([name]) => name.startsWith(prefix));
    const ends = await Promise.all(
      names.map(async ([name, token = '']) => ({ name, at: (await payloadOf(token))?.exp ?? 0 })),
    );
    return ends
      .sort((one, other) => other.at - one.at)
      .slice(mostAttempts - 1)
      .map(({ name }) => name);
  }

  return {
    async begin(attempt, request) {
      const token = await new SignJWT({ ...attempt })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(baseUrl)
        .setExpirationTime(new Date(now().getTime() + attemptSeconds * 1000))
        .sign(secret);
      const removed = (await superfluous(request)).map((name) => set(name, '', 0));
      return [set(nameOf(attempt.state), token, attemptSeconds), ...removed];
    },
    end: (state) => set(nameOf(state), '', 0),
    async read(request, state) {
      const token = cookiesOf(request)[nameOf(state)];
      if (token === undefined || state === '') return null;
      const { state: own, nonce, verifier, next } = (await payloadOf(token)) ?? {};
      if (own !== state || typeof nonce !== 'string' || typeof verifier !== 'string') return null;
      return { state, nonce, verifier, next: typeof next === 'string' ? next : undefined };
    },
  };
}

const cookiesOf = ({ headers: { cookie } }: Origin) => (typeof cookie === 'string' ? parseCookie(cookie) : {});
