import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peopleByEmail, peopleWithOutdated } from '../../../projections/account/people.js';
import { accountProjection } from '../../../projections/account/projection.js';
import { project } from '../../../projections/all.js';
import { createSessions, type OpenSession } from '../../../src/api/session/sessions.js';
import { realWorld as world } from '../../../src/base/world.js';
import type { Command } from '../../../src/commands/command.js';
import { agreeOnFirst, unusedCredentials } from '../../../src/commands/first-credentials.js';
import { addMember, removeMember } from '../../../src/commands/members.js';
import { system } from '../../../src/commands/open-workspace.js';
import { createPeople, resetPassword } from '../../../src/commands/people.js';
import type { Run } from '../../../src/commands/run.js';
import type { Caller } from '../../../src/domain/caller.js';
import { passwordOf } from '../../../src/domain/person.js';
import { commit } from '../../../src/ledger/chain.js';
import { readRecorded } from '../../../src/ledger/check/batches.js';
import { databaseLedger } from '../../../src/ledger/engines/database.js';
import { readConfig } from '../../../src/settings/config.js';
import { bootstrap } from '../../../src/wiring/start/bootstrap.js';
import { notingFirstUse } from '../../../src/wiring/start/noting-first-use.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { stores } from '../../support/stores.js';

/** People with memberships in several workspaces, and what chains that know nothing of each other say about them. */
describe.each(stores)('people in several workspaces on %s', () => {
  let store: Store;
  const callers: Caller[] = [];
  beforeAll(async () => {
    store = await newStore();
    for (let i = 0; i < 3; i += 1) {
      const caller = await store.openWorkspace();
      callers.push({ ...caller, role: 'owner', actor: { ...caller.actor, type: 'person', id: world.id() } });
    }
  });
  afterAll(() => store.close());

  const person = async (email: string) => (await store.database.read((tx) => peopleByEmail(tx, email)))[0];
  const passwordsOf = async (email: string) =>
    (await person(email))?.memberships.map(({ passwordHash }) => passwordHash) ?? [];
  const valid = async (email: string) => passwordOf((await person(email)) ?? { memberships: [] })?.passwordHash;
  const removal = (caller: Caller, id: string): Command<string> => removeMember(world, caller, id);

  /** A person in all of these workspaces, with this password. @returns the memberships */
  async function joined(email: string, passwordHash: string, into: readonly Caller[] = callers) {
    const memberships: { id: string; workspaceId: string }[] = [];
    for (const caller of into) {
      const added = await store.run(
        caller.workspaceId,
        addMember(world, caller, { email, role: 'member', passwordHash, isReserved: false }),
      );
      memberships.push({ id: added.id, workspaceId: caller.workspaceId });
    }
    return memberships;
  }

  /** A member as an earlier version added one: the account says nothing about other workspaces. */
  async function addedByEarlier(workspaceId: string, email: string): Promise<void> {
    const [receiptId, salt, id] = [world.id(), world.random(32), world.id()];
    const content = JSON.stringify({ email, password_hash: `of ${workspaceId}` });
    const body = { member_id: id, role: 'member', account_commitment: commit(salt, content) } as const;
    await store.run(workspaceId, {
      actor: system,
      reads: {},
      decide: () => ({
        drafts: [{ kind: 'member.added', receipt_id: receiptId, body }],
        deposits: [{ receiptId, salt, texts: { content } }],
        answer: () => undefined,
      }),
    });
  }

  /** Allows this number of commands through and then fails, as a process that is killed between two appends. */
  function killedAfter(commands: number): Run {
    let left = commands;
    return (workspaceId, command) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : store.run(workspaceId, command);
    };
  }
  const peopleOf = (run: Run = store.run) => {
    const incomplete: unknown[] = [];
    const made = createPeople({ read: store.database.read, run, world }, (error) => incomplete.push(error));
    return { ...made, incomplete };
  };

  const first = <T>([one]: readonly T[]): T => {
    if (one === undefined) throw new Error('there is none');
    return one;
  };

  // @covers PEOPLE-ONE-PASSWORD
  it('have one password, that of the first workspace', async () => {
    await joined('one@example.org', 'first');
    expect(await passwordsOf('ONE@example.org')).toEqual(['first', 'first', 'first']);
    expect((await store.database.read((tx) => peopleByEmail(tx, 'one@example.org'))).length).toBe(1);
  });

  // @covers PEOPLE-PASSWORD-EVERYWHERE
  it('change it in all of them', async () => {
    const memberships = await joined('change@example.org', 'first');
    const { changePassword, incomplete } = peopleOf();
    await changePassword(memberships[1] ?? first(memberships), 'second');
    expect(await passwordsOf('change@example.org')).toEqual(['second', 'second', 'second']);
    expect(incomplete).toEqual([]);
  });

  // @covers PEOPLE-PASSWORD-CRASH
  it.each([
    1, 2,
  ])('have the new password after a crash behind %i of its entries, and everywhere with the next start', async (n) => {
    const email = `crash-${n}@example.org`;
    const killed = peopleOf(killedAfter(n));
    await killed.changePassword(first(await joined(email, 'old')), 'new');
    expect(killed.incomplete).toHaveLength(1);
    expect((await passwordsOf(email)).filter((hash) => hash === 'old').length).toBeGreaterThan(0);
    expect(await valid(email)).toBe('new');
    await peopleOf().completeAll();
    expect(await passwordsOf(email)).toEqual(['new', 'new', 'new']);
    expect(await store.database.read((tx) => peopleWithOutdated(tx, 10))).toEqual([]);
  });

  // @covers PEOPLE-PASSWORD-CRASH
  it('have the new password everywhere after a start of the service', async () => {
    const email = 'start@example.org';
    await peopleOf(killedAfter(1)).changePassword(first(await joined(email, 'old')), 'new');
    const { database, run } = store;
    const parts = { ledger: databaseLedger(database, project), database, run, people: peopleOf(), world };
    const log = { warn: (line: unknown) => expect(line).toBeUndefined() };
    expect(await bootstrap({ ...parts, log }, readConfig({ DATA_DIR: store.directory }))).toBeNull();
    expect(await passwordsOf(email)).toEqual(['new', 'new', 'new']);
  });

  it('have used the first credentials when they sign in anywhere', async () => {
    const [here, there] = callers.map(({ workspaceId }) => workspaceId);
    if (here === undefined || there === undefined) throw new Error('there are two workspaces');
    const email = 'owner@example.org';
    await joined(email, 'generated');
    await agreeOnFirst(store.database, here);
    const unknown = async () => {
      throw new Error('not called here');
    };
    const [person_id] = [(await person(email))?.id ?? ''];
    const signIn = async () => sessionOf(person_id, there);
    const sessions = {
      signIn,
      signInAs: signIn,
      signInGuest: unknown,
      find: unknown,
      person: unknown,
      move: unknown,
      end: unknown,
      endOf: unknown,
      endOthers: unknown,
    };
    const credentials = {
      caller: unknown,
      session: unknown,
      person: unknown,
      token: unknown,
      requireSameSite: () => undefined,
    };
    const noting = await notingFirstUse(store.database, { sessions, credentials });
    expect((await unusedCredentials(store.database))?.workspaceId).toBe(here);
    await noting.sessions.signInAs(email, null, null);
    expect(await unusedCredentials(store.database)).toBeNull();
  });

  it('have the newest password after a crash and another change', async () => {
    const memberships = await joined('again@example.org', 'old');
    await peopleOf(killedAfter(1)).changePassword(first(memberships), 'new');
    await peopleOf().changePassword(memberships[2] ?? first(memberships), 'newest');
    expect(await passwordsOf('again@example.org')).toEqual(['newest', 'newest', 'newest']);
  });

  // @covers PEOPLE-PASSWORD-STAYS
  it('do not get an older password back when the membership with the new one is removed', async () => {
    const email = 'removed@example.org';
    const memberships = await joined(email, 'old');
    await peopleOf(killedAfter(1)).changePassword(first(memberships), 'new');
    const caller = first(callers);
    await peopleOf().removing(first(memberships).id, () =>
      store.run(caller.workspaceId, removal(caller, first(memberships).id)),
    );
    expect(await passwordsOf(email)).toEqual(['new', 'new']);
  });

  /** Sessions with this check of passwords. */
  const sessionsWith = (opens: (hashes: readonly string[]) => Promise<readonly boolean[]>) =>
    createSessions({
      database: store.database,
      world,
      attempts: { count: async () => 0, forgive: async () => undefined },
      passwords: { requireRoom: () => undefined, opens: (_owner, hashes) => opens(hashes) },
    });

  it('are not signed in by a password that was changed while it was being checked', async () => {
    const email = 'slow@example.org';
    const memberships = await joined(email, 'old');
    const sessions = sessionsWith(async (hashes) => {
      await peopleOf().changePassword(first(memberships), 'new');
      return hashes.map((hash) => hash === 'old');
    });
    const signIn = sessions.signIn({ address: '203.0.113.1', browser: null, email, password: 'old' }, null);
    await expect(signIn).rejects.toMatchObject({ code: 'invalid_session' });
  });

  // @covers ERR-no_workspace
  it('have no workspace after the end of their last membership, where a provider confirms the address', async () => {
    const email = 'last@example.org';
    const caller = first(callers);
    const { id } = first(await joined(email, 'password', [caller]));
    const sessions = sessionsWith(async (hashes) => hashes.map(() => true));
    expect((await sessions.signInAs(email, null, null)).person.member_id).toBe(id);
    await store.run(caller.workspaceId, removal(caller, id));
    await expect(sessions.signInAs(email, null, null)).rejects.toMatchObject({ code: 'no_workspace' });
    const signIn = sessions.signIn({ address: '203.0.113.1', browser: null, email, password: 'password' }, null);
    await expect(signIn).rejects.toMatchObject({ code: 'invalid_session' });
  });

  // @covers PEOPLE-EARLIER PEOPLE-RESET
  it('of an earlier version become one person when the operator gives them a password', async () => {
    const email = 'earlier@example.org';
    const inserted = callers.slice(0, 2).map(({ workspaceId }) => addedByEarlier(workspaceId, email));
    await Promise.all(inserted);
    expect(await store.database.read((tx) => peopleByEmail(tx, email))).toHaveLength(2);
    await resetPassword({ read: store.database.read, run: store.run, world }, email, 'by the operator');
    expect(await store.database.read((tx) => peopleByEmail(tx, email))).toHaveLength(1);
    expect(await passwordsOf(email)).toEqual(['by the operator', 'by the operator']);
  });

  // @covers PEOPLE-ORDER
  it('are the same in any order the chains are replayed', async () => {
    const live = await membershipRows(store);
    const chains = callers.map(({ workspaceId }) => workspaceId);
    for (const order of [chains, [...chains].reverse()]) {
      const rolledBack = new Error('looked at');
      const replayed = store.database.transaction(async (tx) => {
        await tx.query('delete from members');
        for (const chain of order) {
          const recorded = await readRecorded(tx, chain, 0, 10_000);
          await accountProjection.fold.apply(
            tx,
            recorded.filter(({ entry }) => entry.kind.startsWith('member.')),
          );
        }
        expect(await tx.query('select m::text as row from members m order by id')).toEqual(live);
        throw rolledBack;
      });
      await expect(replayed).rejects.toBe(rolledBack);
    }
  });

  const sessionOf = (person_id: string, workspace_id: string): OpenSession => ({
    id: world.id(),
    person: {
      person_id,
      member_id: person_id,
      workspace_id,
      role: 'owner',
      email: 'owner@example.org',
      workspace: 'My workspace',
      plan: 'enterprise',
      memory_api: true,
      namespace_ids: [],
    },
    expiresAt: world.now(),
    renewed: true,
  });

  const membershipRows = ({ sql }: Store) => sql('select m::text as row from members m order by id');
});
