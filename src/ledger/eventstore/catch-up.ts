import type { Database, Transaction } from '../../database/database.js';
import { apply, type Project } from '../apply.js';
import { follow, type Head, type Linked } from '../chain.js';
import { hasEntry, insertChain } from '../entries.js';
import { type Commit, linkedOf } from '../ledger.js';
import { chainOf, entryOf, genesisOf, streamOf } from './events.js';
import { writeHome } from './home.js';
import { dropApplied, dropLost, type PendingAppend, pendingOf } from './pending.js';
import { allPlaces } from './position.js';
import { type StreamPosition, type Streams, StreamsUnavailable } from './streams.js';

/** The parts that are needed to bring the tables up to date with the streams. */
export interface CatchUpParts {
  readonly database: Database;
  readonly project: Project;
  readonly streams: Streams;
  readonly prefix: string;
}

/** Entries that are applied in one transaction at most, unless one append has more. */
const pageEntries = 256;

/** A stream does not continue the chain in the tables: it is of another cluster, or was restored to another state. */
export class ForkedStream extends StreamsUnavailable {
  override name = 'ForkedStream';
}

/**
 * Applies what the stream of a chain holds and the tables do not. Deposits and answers come from the staged rows of those who
 * appended. An entry whose staged row is lost, because the database is older than the stream, is applied without its deposit.
 * Staged rows whose place was taken by another entry are removed: the stream was read there, on the leader.
 * @returns the end of the chain, and how many entries were applied here
 * @throws ForkedStream
 */
export async function catchUp(parts: CatchUpParts, chain: string): Promise<{ head: Head; applied: number }> {
  const { database, streams, prefix } = parts;
  let applied = 0;
  for (let limit = pageEntries; ; ) {
    const head = (await database.read((tx) => findHead(tx, chain))) ?? (await begin(parts, chain));
    const events = await streams.read(streamOf(prefix, chain), head.seq + 1, limit);
    if (events.length === 0) return { head, applied };
    const entries = events.map(entryOf);
    requireContinuation(chain, head, entries);
    const done = await database.transaction((tx) => applyPage(tx, parts.project, chain, head, entries));
    if (done.applied === 0 && done.wanted > entries.length && limit >= done.wanted) {
      const name = streamOf(prefix, chain);
      throw new ForkedStream(
        `the stream ${name} ends within an append of ${done.wanted} entries, at ${entries.length}`,
      );
    }
    applied += done.applied;
    limit = Math.max(pageEntries, done.wanted);
  }
}

/** Makes a chain readable that the tables do not have. Both processes that begin one get the genesis that was first. */
export async function begin({ database, streams, prefix }: CatchUpParts, chain: string): Promise<Head> {
  const [first] = await streams.read(streamOf(prefix, chain), 0, 1);
  if (!first) throw new StreamsUnavailable(`there is no stream ${streamOf(prefix, chain)}`);
  const { genesis, tagKey } = genesisOf(first);
  return database.transaction(async (tx) => {
    await insertChain(tx, chain, genesis, tagKey);
    await writeHome(tx, { prefix });
    const head = await findHead(tx, chain);
    if (!head) throw new Error(`there is no chain ${chain}`);
    return head;
  });
}

/** The end of a chain in the tables; null where they have no such chain. */
export async function findHead(tx: Transaction, chain: string, lock: '' | 'for update' = ''): Promise<Head | null> {
  const [row] = await tx.query<{ seq: number; hash: string }>(
    `select head_seq as seq, encode(head_hash, 'hex') as hash from chains where chain = $1 ${lock}`,
    [chain],
  );
  return row ?? null;
}

function requireContinuation(chain: string, head: Head, entries: readonly Linked[]): void {
  let at: Head | string = head;
  for (const { entry, bytes, hash } of entries) {
    at = follow(chain, at, { seq: entry.seq, bytes, hash });
    if (typeof at === 'string') throw new ForkedStream(`the stream does not continue the database: ${at}`);
  }
}

/**
 * The row of the chain is locked first, so the staged rows are neither applied nor removed by others meanwhile.
 * @returns how many entries were applied, and how many must be read to apply more
 */
async function applyPage(
  tx: Transaction,
  project: Project,
  chain: string,
  from: Head,
  entries: readonly Linked[],
): Promise<{ applied: number; wanted: number }> {
  const head = await findHead(tx, chain, 'for update');
  if (head?.seq !== from.seq || head.hash !== from.hash) return { applied: 0, wanted: 0 };
  const pending = await pendingOf(tx, chain);
  const { commits, staged, wanted } = commitsOf(entries, pending);
  const linked = linkedOf(commits);
  if (linked.length > 0) await apply(tx, project, [{ chain, expected: from, commits }]);
  await dropApplied(
    tx,
    chain,
    staged.map(({ lastHash }) => lastHash),
  );
  const lost = pending.filter((one) => !staged.includes(one) && isTaken(one, entries.slice(0, linked.length)));
  await dropLost(
    tx,
    chain,
    lost.map(({ lastHash }) => lastHash),
  );
  return { applied: linked.length, wanted };
}

/** Whether another entry is where this append begins. */
function isTaken({ expectedSeq, commits }: PendingAppend, entries: readonly Linked[]): boolean {
  const there = entries.find(({ entry }) => entry.seq === expectedSeq + 1);
  return there !== undefined && there.hash !== linkedOf(commits)[0]?.hash;
}

/** Entries that were staged together are applied together, with their deposits and answers. */
function commitsOf(entries: readonly Linked[], pending: readonly PendingAppend[]) {
  const commits: Commit[] = [];
  const staged: PendingAppend[] = [];
  for (let at = 0; at < entries.length; ) {
    const entry = entries[at];
    if (!entry) break;
    const append = pending.find((one) => linkedOf(one.commits)[0]?.hash === entry.hash);
    if (!append) {
      commits.push({ entries: [entry], deposits: [], answer: null });
      at += 1;
      continue;
    }
    const count = append.lastSeq - append.expectedSeq;
    // The server stores all events of an append or none, so the rest of them can be read too.
    if (at + count > entries.length) return { commits, staged, wanted: count };
    commits.push(...append.commits);
    staged.push(append);
    at += count;
  }
  return { commits, staged, wanted: 0 };
}

/**
 * Looks at the staged appends of a chain whose place the tables have passed: they were applied, or lost to another entry.
 * A row goes only when the stream was read at its place, on the leader, and holds another entry, or when its entries are in the tables.
 */
export async function resolvePending(parts: CatchUpParts, chain: string): Promise<Head> {
  const { database, streams, prefix } = parts;
  const { head } = await catchUp(parts, chain);
  for (const append of await database.read((tx) => pendingOf(tx, chain))) {
    const [there] = await streams.read(streamOf(prefix, chain), append.expectedSeq + 1, 1);
    if (!there) continue;
    const isOther = entryOf(there).hash !== linkedOf(append.commits)[0]?.hash;
    await database.transaction(async (tx) => {
      await findHead(tx, chain, 'for update');
      const applied = await hasEntry(tx, chain, { seq: append.lastSeq, hash: append.lastHash });
      if (applied) await dropApplied(tx, chain, [append.lastHash]);
      else if (isOther) await dropLost(tx, chain, [append.lastHash]);
    });
  }
  return head;
}

/** Catches up every chain of which the streams hold entries behind the last known position. @returns the position after it */
export async function catchUpAfter(
  { streams, prefix }: CatchUpParts,
  after: StreamPosition | null,
  onChain: (chain: string) => Promise<void>,
): Promise<StreamPosition | null> {
  let position = after;
  for await (const places of allPlaces(streams, after)) {
    const chains = new Set(places.flatMap(({ stream }) => chainOf(prefix, stream) ?? []));
    for (const chain of chains) await onChain(chain);
    position = places.at(-1)?.position ?? position;
  }
  return position;
}
