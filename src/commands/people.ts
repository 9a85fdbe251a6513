import type { Actor } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { peopleByEmail, peopleWith, peopleWithOutdated } from '../../projections/account/people.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { outdated, type Person, passwordOf } from '../domain/person.js';
import { PasswordNotCopied } from './members.js';
import { system } from './open-workspace.js';
import { changePassword, copyPassword, type PersonalPassword } from './passwords.js';
import type { Run } from './run.js';

interface Parts {
  readonly read: Database['read'];
  readonly run: Run;
  readonly world: World;
}

/** From whom the entry for a membership is. */
type ActorOf = (membershipId: string) => Actor;

/**
 * Changes that concern a person and not one membership. Chains are independent, so each is a sequence of appends: the first
 * one makes the new password valid, and those that a crash prevents are made by the next change, removal or start.
 */
export interface People {
  /**
   * Changes the password of the person of a membership, in all workspaces of the person.
   * @param membership where the first entry is made
   * @returns the receipt of that entry. @throws Refusal member_not_found, receipt_unavailable
   */
  changePassword(membership: { id: string; workspaceId: string }, passwordHash: string, by?: ActorOf): Promise<string>;
  /** Runs a removal. Where it would make an older password valid again, the valid one is copied first. */
  removing<A>(membershipId: string, removal: () => Promise<A>): Promise<A>;
  /** Completes the changes of passwords that a crash has left unfinished. */
  completeAll(): Promise<void>;
}

/** More changes of a password than these do not come between while one membership is being removed. */
const mostTries = 8;
const pageOfPeople = 100;

/** @param onIncomplete called when a new password is valid but was not copied to all memberships */
export function createPeople(parts: Parts, onIncomplete: (error: unknown) => void): People {
  const { read, run, world } = parts;
  const withMembership = (id: string) => read((tx) => peopleWith(tx, { memberIds: [id] }));

  return {
    async changePassword({ id, workspaceId }, passwordHash, by = personAs) {
      const changed = await run(workspaceId, changePassword(world, by(id), id, passwordHash));
      try {
        for (const person of await withMembership(id)) await copyTo(parts, person, changed.password, by);
      } catch (error) {
        // The new password is valid all the same, so the person is not refused.
        onIncomplete(error);
      }
      return changed.receiptId;
    },

    async removing(membershipId, removal) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await removal();
        } catch (error) {
          if (!(error instanceof PasswordNotCopied)) throw error;
          if (tries === mostTries) throw new Refusal('receipt_unavailable', undefined, {}, { cause: error });
          for (const person of await withMembership(membershipId)) await complete(parts, person);
        }
      }
    },

    async completeAll() {
      for (;;) {
        const people = await read((tx) => peopleWithOutdated(tx, pageOfPeople));
        if (people.length === 0) return;
        for (const person of people) await complete(parts, person);
      }
    },
  };
}

/**
 * Gives the person with this address a password, by order of the operator. Accounts of earlier versions that share the
 * address become one person.
 * @returns the people who had the address before; empty where the address is unknown
 */
export async function resetPassword(parts: Parts, email: string, passwordHash: string): Promise<readonly Person[]> {
  const { read, run, world } = parts;
  const before = await read((tx) => peopleByEmail(tx, email));
  const [membership] = before[0]?.memberships ?? [];
  if (!membership) return [];
  const { id, workspaceId } = membership;
  const { password } = await run(workspaceId, changePassword(world, system, id, passwordHash));
  for (const person of await read((tx) => peopleByEmail(tx, email))) {
    await copyTo(parts, person, password, () => system);
  }
  return before;
}

async function complete(parts: Parts, person: Person): Promise<void> {
  const password = passwordOf(person);
  if (!password) return;
  const { passwordHash, passwordSetAt } = password;
  const behind = { id: person.id, memberships: outdated(person) };
  await copyTo(parts, behind, { personId: person.id, passwordHash, passwordSetAt }, () => system);
}

async function copyTo({ run, world }: Parts, person: Person, password: PersonalPassword, by: ActorOf): Promise<void> {
  for (const { id, workspaceId } of person.memberships) {
    await run(workspaceId, copyPassword(world, by(id), id, password));
  }
}

function personAs(membershipId: string): Actor {
  return { type: 'person', id: membershipId, user_id: membershipId, agent_id: null, app_id: null, run_id: null };
}
