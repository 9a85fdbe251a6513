import { createHash } from 'node:crypto';
import { Refusal } from '../../../contracts/errors.js';
import { type RateLimit, rateLimits } from '../../../contracts/limits.js';
import { membersByEmail, personOfSession, type SessionView } from '../../../projections/account/queries.js';
import {
  beginSession,
  dropExpiredSessions,
  endOtherSessions,
  endSession,
  endSessionOf,
  extendSession,
} from '../../../projections/account/sessions.js';
import type { Database } from '../../adapters/database/database.js';
import { emailKey } from '../../domain/email.js';
import type { World } from '../../world.js';
import { isUuid } from '../input.js';
import { clientOf } from '../rate-limits.js';

/** The token of a client that names its session: genuine, but the session may have ended. */
export interface SessionToken {
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** A session that lasts, and whose it is. */
export interface OpenSession {
  readonly id: string;
  readonly person: SessionView;
  readonly expiresAt: Date;
  /** Whether it has begun or was extended just now, so that the client needs a new token. */
  readonly renewed: boolean;
}

export interface Sessions {
  /**
   * @param earlier the session that the client already has, which ends
   * @throws Refusal invalid_session, account_locked, rate_limited
   */
  signIn(address: string, email: string, password: string, earlier: SessionToken | null): Promise<OpenSession>;
  /** Signs in the member with this address, for a caller that has verified it. @throws Refusal no_workspace */
  signInAs(email: string, earlier: SessionToken | null): Promise<OpenSession>;
  /** The session of a token; one that is in use is extended now and then. @throws Refusal session_expired */
  find(token: SessionToken): Promise<OpenSession>;
  /** Ends the session, if it still lasts. */
  end(id: string): Promise<void>;
  /** Ends a session of this member. @returns whether there was one with that id */
  endOf(memberId: string, id: string): Promise<boolean>;
  /** Ends all sessions of the member but one. */
  endOthers(memberId: string, currentId: string): Promise<void>;
}

export interface SignInAttempts {
  /** @returns the seconds to wait, 0 when this one may be made */
  count(limit: RateLimit, who: string): Promise<number>;
  forgive(limit: RateLimit, who: string): Promise<void>;
}

export interface Passwords {
  /** Which of the hashes the password opens, at the cost of exactly one check. @throws Refusal rate_limited, not_ready */
  opens(hashes: readonly string[], password: string): Promise<readonly boolean[]>;
  /** @param like a hash whose salt is used again. @throws Refusal rate_limited, not_ready */
  hash(password: string, like?: string): Promise<string>;
  /** @throws Refusal rate_limited when too many checks wait already */
  requireRoom(): void;
}

interface SessionsParts {
  readonly database: Database;
  readonly world: World;
  readonly attempts: SignInAttempts;
  readonly passwords: Pick<Passwords, 'opens' | 'requireRoom'>;
}

const lastsMs = 12 * 3_600_000;
/** A session that is in use is extended when its token is older than this, not with every request. */
const slideMs = 10 * 60_000;

/**
 * Sessions of people. A session is a row: without the row its token is worth nothing, so signing out, leaving the workspace
 * and a change of role take effect with the next request.
 */
export function createSessions(parts: SessionsParts): Sessions {
  const { database, world } = parts;
  const later = () => new Date(world.now().getTime() + lastsMs);

  async function begin(memberId: string, earlier: SessionToken | null): Promise<OpenSession> {
    const id = world.id();
    const person = await database.transaction(async (tx) => {
      const now = world.now();
      await dropExpiredSessions(tx, now);
      if (earlier) await endSession(tx, earlier.id);
      await beginSession(tx, { id, memberId, expiresAt: new Date(now.getTime() + lastsMs), now });
      return personOfSession(tx, id, now);
    });
    if (!person) throw new Refusal('invalid_session');
    return { id, person, expiresAt: later(), renewed: true };
  }

  return {
    async signIn(address, email, password, earlier) {
      return begin(await memberOf(parts, address, email, password), earlier);
    },

    async signInAs(email, earlier) {
      const [member] = await database.read((tx) => membersByEmail(tx, email));
      if (!member) throw new Refusal('no_workspace');
      return begin(member.id, earlier);
    },

    async find({ id, issuedAt, expiresAt }) {
      const now = world.now();
      const person = await database.read((tx) => personOfSession(tx, id, now));
      if (!person) throw new Refusal('session_expired');
      if (now.getTime() - issuedAt.getTime() < slideMs) return { id, person, expiresAt, renewed: false };
      const until = new Date(now.getTime() + lastsMs).toISOString();
      await database.transaction((tx) => extendSession(tx, id, until));
      return { id, person, expiresAt: later(), renewed: true };
    },

    async end(id) {
      await database.transaction((tx) => endSession(tx, id));
    },

    async endOf(memberId, id) {
      return isUuid(id) && (await database.transaction((tx) => endSessionOf(tx, memberId, id)));
    },

    async endOthers(memberId, currentId) {
      await database.transaction((tx) => endOtherSessions(tx, memberId, currentId));
    },
  };
}

/**
 * Counts an attempt to open an account from an address before the password is checked, so that simultaneous guesses are not
 * checked either.
 * @returns forgets the attempts, once the password was right. @throws Refusal account_locked
 */
export async function countSignIn(
  attempts: SignInAttempts,
  address: string,
  email: string,
): Promise<() => Promise<void>> {
  const who = createHash('sha256')
    .update(`${clientOf(address)} ${emailKey(email)}`)
    .digest('hex');
  const seconds = await attempts.count(rateLimits.signIns, who);
  if (seconds > 0) {
    throw new Refusal('account_locked', rateLimits.signIns.sentence, { retry_after_seconds: seconds });
  }
  return () => attempts.forgive(rateLimits.signIns, who);
}

/** It takes as long, and costs one check, whether the address is of no member, of one or of members of many workspaces. */
async function memberOf(
  { database, attempts, passwords }: SessionsParts,
  address: string,
  email: string,
  password: string,
): Promise<string> {
  // An attempt that finds no room is not counted.
  passwords.requireRoom();
  const forgive = await countSignIn(attempts, address, email);
  const members = await database.read((tx) => membersByEmail(tx, email));
  const hashes = members.map(({ password_hash }) => password_hash);
  const opened = await passwords.opens(hashes, password);
  const member = members.find((_, at) => opened[at]);
  if (!member) throw new Refusal('invalid_session');
  await forgive();
  return member.id;
}
