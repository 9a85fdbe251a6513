import { createHash } from 'node:crypto';
import type { Plan } from '../../../contracts/entries/entry.js';
import { Refusal } from '../../../contracts/errors.js';
import { type RateLimit, rateLimits } from '../../../contracts/limits.js';
import { endGuest, guestSessionById, guestWith } from '../../../projections/account/guests.js';
import { peopleByEmail, peopleWith } from '../../../projections/account/people.js';
import {
  endSession,
  endSessionOf,
  endSessionsOf,
  extendSession,
  insertSession,
  lastWorkspaceOf,
  moveSession,
  rememberWorkspace,
  type SessionView,
  sessionById,
} from '../../../projections/account/sessions.js';
import { moveAccount } from '../../../projections/terminal/rows.js';
import { certainTime, isUuid, type World } from '../../base/world.js';
import type { Database, Transaction } from '../../database/database.js';
import { emailKey } from '../../domain/email.js';
import { type Membership, type Person, passwordOf } from '../../domain/person.js';
import { clientOf } from '../rate-limits.js';

/** The token of a client that names its session: genuine, but the session may have ended. */
export interface SessionToken {
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** A session that lasts: whose it is, and the workspace that it is in. */
export interface OpenSession {
  readonly id: string;
  readonly person: SessionView;
  readonly expiresAt: Date;
  /** Whether it has begun or was extended just now, so that the client needs a new token. */
  readonly renewed: boolean;
}

/** An address, a password and where the request came from. Without a workspace the session begins in the one that the person used last. */
export interface SignIn {
  readonly address: string;
  readonly browser: string | null;
  readonly email: string;
  readonly password: string;
  readonly workspaceId?: string | undefined;
}

/** A session of a person, who may be a guest: a member of no workspace. */
export interface PersonSession {
  readonly id: string;
  readonly personId: string;
  /** Of the workspace that the session is in; null for a guest. */
  readonly plan: Plan | null;
  readonly expiresAt: Date;
  readonly renewed: boolean;
}

export interface Sessions {
  /**
   * @param earlier the session that the client already has, which ends
   * @throws Refusal invalid_session, account_locked, rate_limited, no_workspace, member_not_found
   */
  signIn(signIn: SignIn, earlier: SessionToken | null): Promise<OpenSession>;
  /** Signs in the person with this address, for a caller that has verified it. @throws Refusal no_workspace */
  signInAs(email: string, browser: string | null, earlier: SessionToken | null): Promise<OpenSession>;
  /** Signs in a person who is a member of no workspace, for a caller that has verified the address. */
  signInGuest(email: string, browser: string | null, earlier: SessionToken | null): Promise<PersonSession>;
  /** The session of a token; one that is in use is extended now and then. @throws Refusal session_expired, no_workspace */
  find(token: SessionToken): Promise<OpenSession>;
  /** The same, also for guests. @throws Refusal session_expired */
  person(token: SessionToken): Promise<PersonSession>;
  /** Moves a session to another workspace of its person. @throws Refusal member_not_found, session_expired */
  move(session: OpenSession, workspaceId: string): Promise<OpenSession>;
  /** Ends the session, if it still lasts. */
  end(id: string): Promise<void>;
  /** Ends a session of this person. @returns whether there was one with that id */
  endOf(personId: string, id: string): Promise<boolean>;
  /** Ends all sessions of the person but one. */
  endOthers(personId: string, currentId: string): Promise<void>;
}

export interface SignInAttempts {
  /** @returns the seconds to wait, 0 when this one may be made */
  count(limit: RateLimit, who: string): Promise<number>;
  forgive(limit: RateLimit, who: string): Promise<void>;
}

export interface Passwords {
  /** Which of the hashes the password opens, at the cost of exactly one check. @throws Refusal rate_limited, not_ready */
  opens(owner: string, hashes: readonly string[], password: string): Promise<readonly boolean[]>;
  /** @param like a hash whose salt is used again. @throws Refusal rate_limited, not_ready */
  hash(owner: string, password: string, like?: string): Promise<string>;
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

  async function begin(
    personId: string,
    { verified, confirmedEmail, workspaceId, browser, earlier }: Beginning,
  ): Promise<OpenSession> {
    const id = world.id();
    const begun = await database.transaction(async (tx) => {
      const from = certainTime(world);
      const [person] = await peopleWith(tx, { ids: [personId] });
      // A password that was changed while this one was being checked is not the one that was checked.
      if (verified !== null && (!person || passwordOf(person)?.passwordHash !== verified)) return 'another password';
      const membership = person && (await membershipFor(tx, person, workspaceId));
      if (!membership) return null;
      if (earlier) await endSession(tx, earlier.id);
      if (confirmedEmail !== undefined) await endBeingGuest(tx, confirmedEmail, personId);
      await insertSession(tx, { id, personId, memberId: membership.id, from, until: endAfter(from), browser });
      await rememberWorkspace(tx, personId, membership.workspaceId);
      return (await sessionById(tx, id, from)) ?? null;
    });
    if (begun === 'another password') throw new Refusal('invalid_session');
    if (begun === null) throw workspaceId === undefined ? new Refusal('no_workspace') : notYours();
    return { id, person: begun, expiresAt: endAfter(world.now()), renewed: true };
  }

  return {
    async signIn(signIn, earlier) {
      const { person, passwordHash } = await openedBy(parts, signIn);
      const { workspaceId, browser } = signIn;
      return begin(person.id, { verified: passwordHash, workspaceId, browser, earlier });
    },

    async signInAs(email, browser, earlier) {
      const [person] = await database.readEach((tx) => peopleByEmail(tx, email));
      if (!person) throw new Refusal('no_workspace');
      return begin(person.id, { verified: null, confirmedEmail: email, workspaceId: undefined, browser, earlier });
    },

    signInGuest: (...given) => beginGuest(parts, ...given),
    find: (token) => findSession(parts, token),
    person: (token) => findPerson(parts, token),

    async move(session, workspaceId) {
      const { person_id: personId } = session.person;
      const moved = await database.transaction(async (tx) => {
        const [person] = await peopleWith(tx, { ids: [personId] });
        const membership = person?.memberships.find((one) => one.workspaceId === workspaceId);
        if (!membership) return null;
        await rememberWorkspace(tx, personId, workspaceId);
        await moveSession(tx, session.id, membership.id);
        return (await sessionById(tx, session.id, world.now())) ?? 'ended';
      });
      if (moved === null) throw notYours();
      if (moved === 'ended') throw new Refusal('session_expired');
      return { ...session, person: moved };
    },

    end: (id) => database.transaction((tx) => endSession(tx, id)),

    async endOf(personId, id) {
      return isUuid(id) && database.transaction((tx) => endSessionOf(tx, personId, id));
    },

    endOthers: (personId, currentId) => database.transaction((tx) => endSessionsOf(tx, [personId], currentId)),
  };
}

async function beginGuest(
  { database, world }: SessionsParts,
  email: string,
  browser: string | null,
  earlier: SessionToken | null,
) {
  const [id, from] = [world.id(), certainTime(world)];
  const until = endAfter(from);
  const personId = await database.transaction(async (tx) => {
    if (earlier) await endSession(tx, earlier.id);
    const guest = await guestWith(tx, email, world.id(), from);
    await insertSession(tx, { id, personId: guest, memberId: null, from, until, browser });
    return guest;
  });
  return { id, personId, plan: null, expiresAt: until, renewed: true };
}

async function findSession(parts: SessionsParts, token: SessionToken): Promise<OpenSession> {
  const { database, world } = parts;
  const now = world.now();
  const person = await database.readEach((tx) => sessionById(tx, token.id, now));
  if (person) return { id: token.id, person, ...(await extended(parts, token, now)) };
  const guest = await database.readEach((tx) => guestSessionById(tx, token.id, now));
  throw new Refusal(guest ? 'no_workspace' : 'session_expired');
}

async function findPerson(parts: SessionsParts, token: SessionToken): Promise<PersonSession> {
  const { database, world } = parts;
  const now = world.now();
  const member = await database.readEach((tx) => sessionById(tx, token.id, now));
  const found = member ?? (await database.readEach((tx) => guestSessionById(tx, token.id, now)));
  if (!found) throw new Refusal('session_expired');
  const plan = member?.plan ?? null;
  return { id: token.id, personId: found.person_id, plan, ...(await extended(parts, token, now)) };
}

async function extended({ database, world }: SessionsParts, { id, issuedAt, expiresAt }: SessionToken, now: Date) {
  if (now.getTime() - issuedAt.getTime() < slideMs || world.doubt() !== null) return { expiresAt, renewed: false };
  const until = endAfter(now);
  await database.transaction((tx) => extendSession(tx, id, until));
  return { expiresAt: until, renewed: true };
}

interface Beginning {
  /** The hash that the password was checked against; null where a provider has verified the address. */
  readonly verified: string | null;
  /** The address, where a provider has verified it. */
  readonly confirmedEmail?: string;
  readonly workspaceId: string | undefined;
  readonly browser: string | null;
  readonly earlier: SessionToken | null;
}

/** The account of a guest stays with the person. A provider must have verified the address: no one else becomes that person. */
async function endBeingGuest(tx: Transaction, email: string, personId: string): Promise<void> {
  const guestId = await endGuest(tx, email);
  if (guestId !== undefined) await moveAccount(tx, guestId, personId);
}

/** The membership that a new session is for: in the named workspace, else in the one used last, else the oldest one. */
async function membershipFor(
  tx: Transaction,
  { id, memberships }: Person,
  workspaceId: string | undefined,
): Promise<Membership | undefined> {
  const wanted = workspaceId ?? (await lastWorkspaceOf(tx, id));
  const found = memberships.find((one) => one.workspaceId === wanted);
  return workspaceId === undefined ? (found ?? memberships[0]) : found;
}

const notYours = () => new Refusal('member_not_found', 'You are not a member of a workspace with that id.');

const endAfter = (from: Date) => new Date(from.getTime() + lastsMs);

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

/**
 * The person whose password it is. It takes as long and costs one check, whether the address is unknown or of a member of
 * many workspaces. Only accounts of earlier versions can be several people with one address; their hashes share a salt, so
 * the one check covers all of them.
 */
async function openedBy({ database, attempts, passwords }: SessionsParts, { address, email, password }: SignIn) {
  // An attempt that finds no room is not counted.
  passwords.requireRoom();
  const forgive = await countSignIn(attempts, address, email);
  const people = (await database.readEach((tx) => peopleByEmail(tx, email))).flatMap((person) => {
    const { passwordHash } = passwordOf(person) ?? {};
    return passwordHash === undefined ? [] : [{ person, passwordHash }];
  });
  const hashes = people.map(({ passwordHash }) => passwordHash);
  const opened = await passwords.opens(clientOf(address), hashes, password);
  const found = people.find((_, at) => opened[at]);
  if (!found) throw new Refusal('invalid_session');
  await forgive();
  return found;
}
