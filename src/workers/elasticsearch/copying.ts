import { followerName } from '../../../projections/search/copies/behind.js';
import { dueCopies, type Touched } from '../../../projections/search/copies/copies.js';
import { indexInState, type StoredIndex } from '../../../projections/search/copies/indices.js';
import type { Stored } from '../../ledger/entries.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { SendingFollower } from '../follow-chain.js';
import { following } from '../followers.js';
import { createLease, type Lease } from '../lease.js';
import type { Job } from '../loop.js';
import { type Copier, type CopierParts, createCopier } from './copier.js';

export interface CopyingParts extends CopierParts {
  readonly ledger: Pick<Ledger, 'follow'>;
  /** See `createLease`. */
  readonly owner: string;
}

/** How often to look for memories that have become ready, without being woken. */
const lookMs = 250;
/** Memories of one step. */
const dueAtOnce = 64;
/** How often memories are sent again that the cluster has refused. */
const refusedEveryMs = 60_000;
/** After this time without a renewal another process may send memories that became ready. */
const leaseMs = 60_000;

/**
 * Fills the index in this state: it follows the entries about memories, and sends those that become ready later. Indices in
 * other states are the work of another worker, so that a new index does not hold up the one that serves.
 */
export function copying(parts: CopyingParts, state: 'serving' | 'building', wake: () => void): Job {
  const { database, cluster } = parts;
  let current: FilledIndex | null = null;
  return {
    name: `elasticsearch ${state}`,
    napMs: lookMs,
    async work(stopping) {
      const index = await database.read((tx) => indexInState(tx, state));
      if (current && current.number !== index?.number) {
        await current.end();
        current = null;
      }
      if (index?.uuid == null || !(await isAnswering(cluster))) return false;
      current ??= fillIndex(parts, index, wake);
      return current.work(stopping);
    },
    ended: async () => current?.end(),
  };
}

/** While the cluster is away no chain is tried, so none of them waits for longer than necessary when it is back. */
export async function isAnswering(cluster: CopierParts['cluster']): Promise<boolean> {
  if (cluster.isUp()) return true;
  await cluster
    .ask((client) => client.cluster.health({ filter_path: 'status' }, { requestTimeout: 2000 }))
    .catch(() => undefined);
  return cluster.isUp();
}

type FilledIndex = ReturnType<typeof fillIndex>;

function fillIndex(parts: CopyingParts, index: StoredIndex, wake: () => void) {
  const { database, owner } = parts;
  const copier = createCopier(parts, index);
  const ending = new AbortController();
  const follower: SendingFollower = {
    name: followerName,
    version: index.number,
    from: 'begin',
    async send(chain, entries, lost) {
      await copier.follow(chain, ...touchedBy(entries), lost);
      return null;
    },
  };
  const entries = following(parts, follower, wake);
  const lease = createLease(database, `elasticsearch ready ${index.number}`, owner, leaseMs);
  const ready = sendingReady(parts, index, copier, lease, 'ready');
  const refused = sendingReady(parts, index, copier, lease, 'refused');
  let refusedAt = performance.now();
  let signal: AbortSignal | null = null;
  return {
    number: index.number,
    async work(stopping: AbortSignal): Promise<boolean> {
      signal ??= AbortSignal.any([stopping, ending.signal]);
      const more = await entries.work(signal);
      if (performance.now() - refusedAt > refusedEveryMs) {
        refusedAt = performance.now();
        await refused(signal);
      }
      return (await ready(signal)) || more;
    },
    async end(): Promise<void> {
      ending.abort();
      await entries.ended?.();
      await lease.drop();
    },
  };
}

/** Sends a page of the memories that became ready. @returns whether there may be more */
function sendingReady(
  { database }: CopyingParts,
  index: StoredIndex,
  copier: Copier,
  lease: Lease,
  which: 'ready' | 'refused',
): (signal: AbortSignal) => Promise<boolean> {
  let after: string | null = null;
  return async (signal) => {
    const due = await database.read((tx) => dueCopies(tx, index, after, dueAtOnce, which === 'refused'));
    if (due.length > 0 && !(await lease.take())) return false;
    after = due.length < dueAtOnce ? null : (due.at(-1)?.memoryId ?? null);
    for (const chain of new Set(due.map((one) => one.chain))) {
      const ids = due.filter((one) => one.chain === chain).map(({ memoryId }) => memoryId);
      await copier.copyReady(chain, ids, signal);
    }
    return after !== null;
  };
}

/** The memories that entries have written or moved, and those that they have deleted, with the last entry about each. */
function touchedBy(entries: readonly Stored[]): [changed: Touched[], deleted: Touched[]] {
  const changed = new Map<string, number>();
  const deleted = new Map<string, number>();
  for (const { entry } of entries) {
    if (entry.kind === 'memory.write' || entry.kind === 'memory.moved') changed.set(entry.body.memory_id, entry.seq);
    if (entry.kind !== 'memory.delete') continue;
    changed.delete(entry.body.memory_id);
    deleted.set(entry.body.memory_id, entry.seq);
  }
  const listed = (touched: ReadonlyMap<string, number>) => [...touched].map(([memoryId, seq]) => ({ memoryId, seq }));
  return [listed(changed), listed(deleted)];
}
