import { createHash } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';
import { type RateLimit, rateLimits } from '../../contracts/limits.js';
import { membersByEmail, personOfSession, type SessionView } from '../../projections/account/queries.js';
import type { Database } from '../adapters/database/database.js';
import { clientOf } from '../api/rate-limits.js';
import type { Caller } from '../domain/caller.js';
import { emailKey } from '../domain/email.js';
import type { World } from '../world.js';
import { type Origin, refuseOtherSites } from './csrf.js';
import { type Identify, type NamedAgent, runOf } from './identify.js';
import type { SessionCookie } from './session-cookie.js';

/** Who calls, and a new cookie for the answer when the session was made longer. */
export interface Identified {
  readonly caller: Caller;
  readonly cookie: string | null;
}

/** Finds out who calls, by key or by cookie. */
export type Credentials = (request: Origin) => Promise<Identified>;

export interface Person {
  /** Of the session. */
  readonly id: string;
  readonly session: SessionView;
  readonly expiresAt: Date;
  readonly cookie: string | null;
}

export interface Sessions {
  /** @throws Refusal invalid_session, account_locked, csrf, rate_limited */
  signIn(request: Origin, ip: string, email: string, password: string): Promise<Person>;
  /** Signs in whoever has this address, for a caller that has made sure of it. @throws Refusal no_workspace */
  signInAs(request: Origin, email: string): Promise<Person>;
  /** @throws Refusal unauthorized, session_expired, csrf */
  who(request: Origin): Promise<Person>;
  /** Ends the session, if there is one. @returns the cookie that removes the cookie */
  signOut(request: Origin): Promise<string>;
}

export interface CountedSignIns {
  /** @returns the seconds to wait, 0 when this one may be made */
  count(limit: RateLimit, who: string): Promise<number>;
  forgive(limit: RateLimit, who: string): Promise<void>;
}

interface SessionsParts {
  readonly database: Database;
  readonly world: World;
  readonly baseUrl: string;
  readonly cookie: SessionCookie;
  readonly attempts: CountedSignIns;
  readonly passwords: {
    /** Which of the hashes the password opens, at the cost of exactly one check. @throws Refusal rate_limited, not_ready */
    opens(hashes: readonly string[], password: string): Promise<readonly boolean[]>;
    /** @throws Refusal rate_limited */
    requireRoom(): void;
  };
}

const lastsMs = 12 * 3_600_000;
/** A session that is in use is made longer when it is older than this, not with every request. */
const slideMs = 10 * 60_000;

/**
 * Sessions of people. The cookie is a signed token (JWT, HS256) that names a row: without the row it is worth nothing, so
 * signing out, leaving the workspace and a change of role take effect with the next request.
 */
export function createSessions(parts: SessionsParts): Sessions {
  const { database, world, baseUrl, cookie } = parts;

  async function open(id: string, session: SessionView): Promise<Person> {
    const expiresAt = new Date(world.now().getTime() + lastsMs);
    return { id, session, expiresAt, cookie: await cookie.write(id, expiresAt) };
  }

  async function begin(request: Origin, memberId: string): Promise<Person> {
    const id = world.id();
    // A browser has one session: the cookie that it brings ends with the new one.
    const before = cookie.is(request) ? await cookie.read(request).catch(() => null) : null;
    const session = await database.transaction(async (tx) => {
      const now = world.now();
      await tx.query('delete from sessions where expires_at < $1', [now.toISOString()]);
      if (before) await tx.query('delete from sessions where id = $1', [before.id]);
      const until = new Date(now.getTime() + lastsMs).toISOString();
      await tx.query('insert into sessions (id, member_id, expires_at, created_at) values ($1, $2, $3, $4)', [
        ...[id, memberId, until, now.toISOString()],
      ]);
      return personOfSession(tx, id, now);
    });
    if (!session) throw new Refusal('invalid_session');
    return open(id, session);
  }

  return {
    async signIn(request, ip, email, password) {
      refuseOtherSites(request, baseUrl);
      const memberId = await memberOf(parts, ip, email, password);
      return begin(request, memberId);
    },

    async signInAs(request, email) {
      const [member] = await database.read((tx) => membersByEmail(tx, email));
      if (!member) throw new Refusal('no_workspace');
      return begin(request, member.id);
    },

    async who(request) {
      const { id, issuedAt, expiresAt } = await cookie.read(request);
      refuseOtherSites(request, baseUrl);
      const now = world.now();
      const session = await database.read((tx) => personOfSession(tx, id, now));
      if (!session) throw new Refusal('session_expired');
      if (now.getTime() - issuedAt.getTime() < slideMs) return { id, session, expiresAt, cookie: null };
      const until = new Date(now.getTime() + lastsMs).toISOString();
      await database.transaction((tx) => tx.query('update sessions set expires_at = $2 where id = $1', [id, until]));
      return open(id, session);
    },

    async signOut(request) {
      const { id } = await cookie.read(request);
      refuseOtherSites(request, baseUrl);
      await database.transaction((tx) => tx.query('delete from sessions where id = $1', [id]));
      return cookie.none;
    },
  };
}

/** A key where there is one, otherwise the cookie of somebody who is signed in. */
export function createCredentials(
  byKey: Identify,
  sessions: Sessions,
  cookies: SessionCookie,
  namedAgent: NamedAgent,
): Credentials {
  return async (request) => {
    const { headers } = request;
    if (headers.authorization !== undefined || !cookies.is(request)) {
      return { caller: await byKey(headers), cookie: null };
    }
    const { session, cookie } = await sessions.who(request);
    const {
      member_id: id,
      workspace_id: workspaceId,
      namespace_ids: namespaceIds,
      role,
      memory_api: memoryApi,
    } = session;
    const agent = await namedAgent(workspaceId, headers);
    const run_id = runOf(headers['x-service-run']);
    const actor = { type: 'person', id, user_id: id, agent_id: agent, app_id: null, run_id } as const;
    return { caller: { workspaceId, actor, scopes: [], namespaceIds, agent, role, memoryApi }, cookie };
  };
}

/**
 * Counts a try to open an account from an address before the password is looked at, so that many guesses at once are not
 * looked at either.
 * @returns forgets the tries, for whoever knew the password. @throws Refusal account_locked
 */
export async function countSignIn(attempts: CountedSignIns, ip: string, email: string): Promise<() => Promise<void>> {
  const who = createHash('sha256')
    .update(`${clientOf(ip)} ${emailKey(email)}`)
    .digest('hex');
  const seconds = await attempts.count(rateLimits.signIns, who);
  if (seconds > 0) {
    throw new Refusal('account_locked', rateLimits.signIns.sentence, { retry_after_seconds: seconds });
  }
  return () => attempts.forgive(rateLimits.signIns, who);
}

/** It takes as long, and costs one check, whether nobody has the address, one person or members of many workspaces. */
async function memberOf({ database, attempts, passwords }: SessionsParts, ip: string, email: string, password: string) {
  // A try that finds no room is none: it is not counted.
  passwords.requireRoom();
  const forgive = await countSignIn(attempts, ip, email);
  const members = await database.read((tx) => membersByEmail(tx, email));
  const hashes = members.map(({ password_hash }) => password_hash);
  const opened = await passwords.opens(hashes, password);
  const member = members.find((_, at) => opened[at]);
  if (!member) throw new Refusal('invalid_session');
  await forgive();
  return member.id;
}
