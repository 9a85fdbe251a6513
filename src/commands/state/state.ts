import { kindsOf } from '../../../contracts/entries/by-kind.js';
import { catalogue, type EntryKind } from '../../../contracts/entries/catalogue.js';
import type { Recorded } from '../../../contracts/entries/recorded.js';
import type { Database, Transaction } from '../../database/database.js';
import type { Head } from '../../ledger/chain.js';
import { readHead } from '../../ledger/entries.js';
import { agents, handles } from './agents.js';
import { answers } from './answers.js';
import { attestationKeys, signers } from './attestation-keys.js';
import { closes } from './closes.js';
import { decisions } from './decisions.js';
import { emissions, erc8004Links } from './erc8004-links.js';
import { governance } from './governance.js';
import { grants } from './grants.js';
import { identities } from './identities.js';
import { agentKeys, keys } from './keys.js';
import { memories } from './memories.js';
import { counts, namespaces } from './namespaces.js';
import { members, people } from './people.js';
import type { Loading, Slice } from './slice.js';
import { statements, tasks } from './tasks.js';
import { listeners, webhooks } from './webhooks.js';

const all = {
  namespaces,
  memories,
  counts,
  answers,
  keys,
  agents,
  agentKeys,
  erc8004Links,
  grants,
  handles,
  attestationKeys,
  signers,
  webhooks,
  listeners,
  governance,
  members,
  people,
  tasks,
  decisions,
  statements,
  identities,
  closes,
  emissions,
};

type Name = keyof typeof all;
type ReadsOf<T> = T extends Slice<infer R, infer _> ? R : never;
type StateOf<T> = T extends Slice<infer _, infer S> ? S : never;

type AllReads = { readonly [N in Name]: ReadsOf<(typeof all)[N]> };

/** The parts that a command must see before it can be decided. Nothing else is loaded for it. */
export type Reads = Partial<AllReads> & {
  /** Where the chain ends now, and not where this process last left it. A command that reads a slice gets that as well. */
  readonly head?: true;
};

/** The parts of a workspace that a batch of commands reads, as of one position of its chain. */
export type WorkspaceState = { readonly [N in Name]: StateOf<(typeof all)[N]> };

/** The state that a batch is decided on, and the position of the chain it is not older than. */
export interface Loaded {
  readonly head: Head;
  readonly state: WorkspaceState;
}

const slices: { readonly [N in Name]: Slice<AllReads[N], WorkspaceState[N]> } = all;
const names = Object.keys(all).filter((name): name is Name => Object.hasOwn(all, name));

export const emptyState: WorkspaceState = {
  namespaces: namespaces.empty,
  memories: memories.empty,
  counts: counts.empty,
  answers: answers.empty,
  keys: keys.empty,
  agents: agents.empty,
  agentKeys: agentKeys.empty,
  erc8004Links: erc8004Links.empty,
  grants: grants.empty,
  handles: handles.empty,
  attestationKeys: attestationKeys.empty,
  signers: signers.empty,
  webhooks: webhooks.empty,
  listeners: listeners.empty,
  governance: governance.empty,
  members: members.empty,
  people: people.empty,
  tasks: tasks.empty,
  decisions: decisions.empty,
  statements: statements.empty,
  identities: identities.empty,
  closes: closes.empty,
  emissions: emissions.empty,
};

/** Whether commands that read this can be decided without a look at the store. */
export const readsNothing = (reads: Reads): boolean => Object.keys(reads).length === 0;

/** By the kind of an entry: the slices that it changes. */
export const slicesChangedBy: ReadonlyMap<EntryKind, readonly Name[]> = new Map(
  kindsOf(catalogue).map((kind) => [kind, names.filter((name) => slices[name].evolve.kinds.includes(kind))]),
);

/** The state after the entries of a command, so that the next command of the batch sees what it has done. */
export function evolve(state: WorkspaceState, recorded: readonly Recorded[]): WorkspaceState {
  const changed = new Set(recorded.flatMap(({ entry }) => slicesChangedBy.get(entry.kind) ?? []));
  return [...changed].reduce((before, name) => evolveOne(name, before, recorded), state);
}

function evolveOne<N extends Name>(name: N, state: WorkspaceState, recorded: readonly Recorded[]): WorkspaceState {
  return { ...state, [name]: slices[name].evolve.after(state[name], recorded) };
}

/** Loads what a batch of commands reads of its workspace, in this transaction or in one of its own. */
export type Load = (workspaceId: string, reads: readonly Reads[], tx?: Transaction) => Promise<Loaded>;

export function stateLoader(database: Database, now: () => Date): Load {
  return (workspaceId, reads, tx) => {
    const load = (within: Transaction) => loadState(within, workspaceId, reads, now());
    return tx ? load(tx) : database.read(load);
  };
}

/** Loads the parts of a workspace that commands read, and the end of its chain. */
export async function loadState(
  tx: Transaction,
  workspaceId: string,
  reads: readonly Reads[],
  now: Date,
): Promise<Loaded> {
  const loading = { tx, workspaceId, now };
  // The head first: a state that is newer than it ends in a conflict, one that is older would go unnoticed.
  const [head, ...parts] = await Promise.all([
    readHead(tx, workspaceId),
    ...names.map((name) => loadOne(name, loading, reads)),
  ]);
  let state = emptyState;
  for (const part of parts) state = { ...state, ...part };
  return { head, state };
}

async function loadOne<N extends Name>(
  name: N,
  loading: Loading,
  reads: readonly Partial<AllReads>[],
): Promise<Partial<WorkspaceState>> {
  const wanted = given<AllReads[N]>(reads.map((one) => one[name]));
  return wanted.length === 0 ? {} : { [name]: await slices[name].load(loading, wanted) };
}

function given<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}
