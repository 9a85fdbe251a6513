import { expect } from 'vitest';
import { registryChain } from '../../contracts/chains.js';
import type { Entry, Role } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { atOnce } from '../../src/base/steps.js';
import type { World } from '../../src/base/world.js';
import type { Command } from '../../src/commands/command.js';
import { openWorkspace } from '../../src/commands/open-workspace.js';
import { emptyState, evolve, type WorkspaceState } from '../../src/commands/state/state.js';
import { decideAll, waitingFor } from '../../src/commands/waiting.js';
import type { Caller } from '../../src/domain/caller.js';
import { recordedOf } from '../../src/ledger/apply.js';
import { genesisBytes, genesisHead } from '../../src/ledger/chain.js';

/** When a workspace of these tests was made. */
export const begun = '2026-01-15T12:00:00.000Z';

/** Ids that count up and a clock that stands: the same test makes the same entries. */
export function countingWorld(): World {
  let made = 0;
  const id = () => {
    made += 1;
    return `00000000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
  };
  return {
    now: () => new Date(begun),
    uptime: () => 0,
    doubt: () => null,
    id,
    nonce: id,
    random: (count) => {
      made += 1;
      return new Uint8Array(count).fill(made % 256);
    },
    sleep: async () => undefined,
  };
}

/** Everything that a command has come to: entries and an answer, or a refusal, which may leave entries behind too. */
export interface Outcome<A> {
  readonly entries: readonly Entry[];
  readonly deposits: readonly Deposit[];
  /** @throws the refusal, when the command was refused */
  answer(): A;
  /** Expects entries of these kinds, with at least these members in their bodies, and no others. */
  thenRecorded(...expected: readonly (readonly [Entry['kind'], object])[]): A;
  /** Expects this refusal, and that it left nothing behind but entries of these kinds. */
  thenRefused(code: ErrorCode, details?: object, ...left: readonly Entry['kind'][]): Refusal;
}

type Settled<A> = { readonly answer: A } | { readonly refusal: unknown };

/** A workspace as the commands before have left it: no store, no server, and the clock is an argument. */
export interface Workspace {
  readonly world: World;
  readonly id: string;
  readonly namespaceId: string;
  /** Everything that a command would see now, all of it. */
  state(): WorkspaceState;
  /** Someone signed in, who reaches every namespace that there is. */
  person(role: Role, id?: string): Caller;
  /** A key that is bound to these namespaces, or to the first one. */
  key(namespaceIds?: readonly string[], more?: Partial<Caller['actor']>): Caller;
  /** Decides a command on this state. What it decides is part of the workspace from then on. */
  when<A>(command: Command<A>, afterMs?: number): Outcome<A>;
}

/** The registry of the installation, as the commands before have left it. */
export function givenRegistry() {
  const world = countingWorld();
  return { world, ...chainOf(registryChain, emptyState) };
}

/** A chain without entries, and its state. */
function chainOf(id: string, from: WorkspaceState): Pick<Workspace, 'when' | 'state'> {
  let state = from;
  let head = genesisHead(genesisBytes(id, begun));

  const when: Workspace['when'] = <A>(command: Command<A>, afterMs = 0): Outcome<A> => {
    const settled: Settled<A>[] = [];
    const waiting = waitingFor<A>(
      id,
      command,
      (answer) => settled.push({ answer }),
      (refusal) => settled.push({ refusal }),
    );
    const at = new Date(Date.parse(begun) + afterMs).toISOString();
    const { commits, settlements, end } = atOnce(decideAll([waiting], state, head, at));
    for (const settle of settlements) settle();
    head = end;
    for (const { entries, deposits, answer } of commits) {
      state = evolve(state, recordedOf(entries, deposits));
      for (const { entry } of entries) state = withCounts(state, entry);
      if (answer) state = { ...state, answers: new Map(state.answers).set(answer.requestKey, answer) };
    }
    const entries = commits.flatMap((commit) => commit.entries.map(({ entry }) => entry));
    const deposits = commits.flatMap((commit) => commit.deposits);
    return outcomeOf(entries, deposits, settled[0] ?? { refusal: new Error('the command has no answer') });
  };
  return { when, state: () => state };
}

/** A workspace with an owner, one namespace and one key, and these changes of its state. */
export function given(change: Partial<WorkspaceState> = {}): Workspace {
  const world = countingWorld();
  const id = world.id();
  const { when, state } = chainOf(id, { ...emptyState, ...change });
  when(openWorkspace(world, { email: 'owner@example.org', passwordHash: '' }, 'hash of a key')).answer();
  const namespaceId = state().namespaces[0]?.id ?? '';
  const provenance = { user_id: null, agent_id: null, app_id: null, run_id: null };
  const caller = (actor: Caller['actor'], role: Role | null, namespaceIds: readonly string[]): Caller => ({
    workspaceId: id,
    actor,
    scopes: [],
    namespaceIds,
    agent: null,
    role,
    memoryApi: true,
  });
  return {
    world,
    id,
    namespaceId,
    when,
    state,
    person: (role, person = [...state().members.keys()][0] ?? '') =>
      caller(
        { type: 'person', id: person, ...provenance, user_id: person },
        role,
        state().namespaces.map((one) => one.id),
      ),
    key: (namespaceIds = [namespaceId], more = {}) =>
      caller({ type: 'key', id: [...state().keys.keys()][0] ?? '', ...provenance, ...more }, null, namespaceIds),
  };
}

/** Memories are counted in every namespace, as if someone had asked for that. */
function withCounts(state: WorkspaceState, entry: Entry): WorkspaceState {
  if (entry.kind !== 'namespace.created') return state;
  return { ...state, counts: new Map(state.counts).set(entry.body.namespace_id, 0) };
}

function outcomeOf<A>(entries: readonly Entry[], deposits: readonly Deposit[], settled: Settled<A>): Outcome<A> {
  const answer = (): A => {
    if ('refusal' in settled) throw settled.refusal;
    return settled.answer;
  };
  return {
    entries,
    deposits,
    answer,
    thenRecorded(...expected) {
      const answered = answer();
      expect(entries.map(({ kind, body }) => [kind, body])).toMatchObject(expected);
      return answered;
    },
    thenRefused(code, details, ...left) {
      const refusal = 'refusal' in settled ? settled.refusal : new Error(`it was not refused with ${code}`);
      if (!(refusal instanceof Refusal)) throw refusal;
      expect([refusal.code, entries.map(({ kind }) => kind)]).toEqual([code, left]);
      if (details !== undefined) expect(refusal.details).toMatchObject(details);
      return refusal;
    },
  };
}
