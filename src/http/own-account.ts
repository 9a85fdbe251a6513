import { Refusal } from '../../contracts/errors.js';
import { passwordHashOf, type SessionRow, saltedLike, sessionsOf } from '../../projections/account/queries.js';
import type { Database } from '../adapters/database/database.js';
import { isUuid } from '../api/input.js';
import { changePassword } from '../commands/members.js';
import type { Run } from '../commands/run.js';
import type { World } from '../world.js';
import type { Origin } from './csrf.js';
import { type CountedSignIns, countSignIn, type Person, type Sessions } from './sessions.js';

/** What people do with their own sessions and password. All throw what `Sessions.who` does. */
export interface OwnAccount {
  sessions(request: Origin): Promise<{ person: Person; rows: readonly SessionRow[] }>;
  /** @throws Refusal session_not_found */
  end(request: Origin, id: string): Promise<Person>;
  /**
   * Changes the password and ends all other sessions of the person.
   * @param read reads the body, once it is known who sends it
   * @returns the receipt's id. @throws Refusal invalid_session, account_locked, rate_limited, receipt_unavailable
   */
  changePassword(request: Origin, ip: string, read: () => Passwords): Promise<{ person: Person; receiptId: string }>;
}

interface Passwords {
  readonly old_password: string;
  readonly new_password: string;
}

interface Parts {
  readonly database: Database;
  readonly world: World;
  readonly run: Run;
  readonly sessions: Pick<Sessions, 'who'>;
  readonly attempts: CountedSignIns;
  readonly passwords: {
    opens(hashes: readonly string[], password: string): Promise<readonly boolean[]>;
    hash(password: string, like?: string): Promise<string>;
    requireRoom(): void;
  };
}

export function createOwnAccount({ database, world, run, sessions, attempts, passwords }: Parts): OwnAccount {
  return {
    async sessions(request) {
      const person = await sessions.who(request);
      const rows = await database.read((tx) => sessionsOf(tx, person.session.member_id, world.now()));
      return { person, rows };
    },

    async end(request, id) {
      const person = await sessions.who(request);
      const { member_id } = person.session;
      const ended = isUuid(id)
        ? await database.transaction((tx) =>
            tx.query('delete from sessions where id = $1::uuid and member_id = $2 returning 1', [id, member_id]),
          )
        : [];
      if (ended.length === 0) throw new Refusal('session_not_found');
      return person;
    },

    async changePassword(request, ip, read) {
      const person = await sessions.who(request);
      const { old_password: from, new_password: to } = read();
      const { member_id: memberId, workspace_id: workspaceId, email } = person.session;
      passwords.requireRoom();
      // A stolen cookie is no way to guess the password: it counts as signing in does.
      const forgive = await countSignIn(attempts, ip, email);
      const { old, like } = await database.read(async (tx) => ({
        old: await passwordHashOf(tx, memberId),
        like: await saltedLike(tx, email),
      }));
      const [right] = await passwords.opens([old], from);
      if (!right) throw new Refusal('invalid_session', 'The old password is not right.');
      await forgive();
      const hash = await passwords.hash(to, like);
      const actor = {
        type: 'person',
        id: memberId,
        user_id: memberId,
        agent_id: null,
        app_id: null,
        run_id: null,
      } as const;
      const receiptId = await run(workspaceId, changePassword(world, actor, memberId, hash));
      await database.transaction((tx) =>
        tx.query('delete from sessions where member_id = $1 and id <> $2::uuid', [memberId, person.id]),
      );
      return { person, receiptId };
    },
  };
}
