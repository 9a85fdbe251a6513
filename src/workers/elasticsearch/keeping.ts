import { followerName } from '../../../projections/search/copies/behind.js';
import {
  beginIndex,
  forgetCopies,
  forgetIndex,
  noteMade,
  retireIndex,
  type StoredIndex,
  serveIndex,
  storedIndices,
} from '../../../projections/search/copies/indices.js';
import { isCaughtUp } from '../../../projections/search/copies/progress.js';
import { ElasticsearchFault } from '../../adapters/elasticsearch/client.js';
import type { FoundIndex, Indices } from '../../adapters/elasticsearch/indices.js';
import { documentVersion } from '../../adapters/elasticsearch/mapping.js';
import { forgetFollower } from '../../ledger/positions.js';
import { positionsName } from '../follow-chain.js';
import { createLease, type Lease } from '../lease.js';
import type { Job } from '../loop.js';
import { type CopyingParts, isAnswering } from './copying.js';

export interface KeepingParts extends Omit<CopyingParts, 'indices'> {
  readonly indices: Indices;
  /** The id of this store, by which its indices are known. */
  readonly store: string;
  /** The model of the embedder. */
  readonly model: string;
  /** The beginning of the names of new indices. */
  readonly names: string;
}

const lookMs = 1000;
const leaseMs = 60_000;

/**
 * Keeps one index that serves. A new one is built beside it when the documents or the model have another version, when the cluster
 * has lost the index or has an older copy of it, or when the operator asks for it. When it is complete, the alias is switched and
 * the old index is deleted. Each step may be repeated, so a killed process leaves nothing undone.
 */
export function keepingIndices(parts: KeepingParts): Job {
  const { cluster, log } = parts;
  const lease = leaseOfIndices(parts);
  let reported = '';
  return {
    name: 'elasticsearch indices',
    napMs: lookMs,
    lease,
    async work() {
      if (!(await isAnswering(cluster)) || !(await lease.take())) return false;
      try {
        await keepIndices(parts);
        reported = '';
      } catch (error) {
        if (!(error instanceof ElasticsearchFault)) throw error;
        if (reported !== error.message) log.warn({ err: error }, 'the indices in Elasticsearch cannot be kept');
        reported = error.message;
      }
      return false;
    },
  };
}

/**
 * The lease of the process that keeps the indices. Two processes that keep them at the same time could delete the index that the
 * other one has just made, and what is being sent to it would fail.
 */
export const leaseOfIndices = ({ database, owner }: KeepingParts): Lease =>
  createLease(database, 'elasticsearch indices', owner, leaseMs);

/** One round. The caller holds the lease. */
export async function keepIndices(parts: KeepingParts): Promise<void> {
  const { database, indices, model, names } = parts;
  const stored = await database.read(storedIndices);
  const found = await indices.find();
  for (const index of stored) await keepIndex(parts, index, found.find(({ name }) => name === index.name) ?? null);
  const kept = await database.read(storedIndices);
  for (const unknown of unknownAmong(parts, kept, found)) await indices.remove(unknown.name);
  const wanted = { version: documentVersion, model };
  const newest = kept.findLast(({ state }) => state !== 'retired');
  const isCurrent = newest?.version === wanted.version && newest.model === wanted.model;
  if (!isCurrent) await database.transaction((tx) => beginIndex(tx, names, wanted));
  // The last step, so that a cluster that refuses it holds up nothing else.
  const serving = kept.find(({ state }) => state === 'serving');
  const served = found.find(({ name }) => name === serving?.name);
  if (served) await indices.replicate(served);
}

/** Indices of this store that it does not know: a database that was restored from an older copy has forgotten them. */
const unknownAmong = ({ store }: KeepingParts, stored: readonly StoredIndex[], found: readonly FoundIndex[]) =>
  found.filter((one) => one.store === store && !stored.some(({ name }) => name === one.name));

async function keepIndex(parts: KeepingParts, index: StoredIndex, found: FoundIndex | null): Promise<void> {
  const { database, indices, log } = parts;
  if (index.state === 'retired') return removeIndex(parts, index, found);
  if (index.uuid === null) return makeIndex(parts, index, found);
  const problem = await problemOf(parts, index, found);
  if (problem !== null) {
    log.warn({ index: index.name }, `the index in Elasticsearch ${problem}: a new one is built`);
    await database.transaction((tx) => retireIndex(tx, index.number));
    return;
  }
  if (index.state === 'building') {
    if (!(await database.read((tx) => isCaughtUp(tx, index)))) return;
    await indices.serve(index.name);
    await database.transaction((tx) => serveIndex(tx, index.number));
    // What was sent between the last refresh and the transaction was confirmed without one.
    await indices.refresh(index.name);
    log.info({ index: index.name }, 'searches use this index in Elasticsearch now');
  } else if (!(await indices.isServed(index.name))) {
    await indices.serve(index.name);
  }
}

async function makeIndex(
  { database, indices, store, log }: KeepingParts,
  index: StoredIndex,
  found: FoundIndex | null,
) {
  if (found !== null && found.store !== store) {
    log.error(
      { index: index.name },
      'an index with this name belongs to another store: set another ELASTICSEARCH_INDEX_PREFIX',
    );
    await database.transaction((tx) => retireIndex(tx, index.number));
    return;
  }
  // The database does not know what a process that was killed, or another copy of the database, has sent to it.
  if (found !== null) await indices.remove(index.name);
  await indices.make({ ...index, store });
  const made = (await indices.find()).find(({ name }) => name === index.name);
  if (!made) return;
  await database.transaction((tx) => noteMade(tx, index.number, made.uuid));
  log.info({ index: index.name, model: index.model }, 'building an index in Elasticsearch');
}

async function problemOf(
  { indices }: KeepingParts,
  index: StoredIndex,
  found: FoundIndex | null,
): Promise<string | null> {
  if (found === null) return 'is missing';
  if (found.uuid !== index.uuid) return 'was restored from another copy';
  const operations = await indices.operations(index.name, found.shards);
  if (operations !== null && operations < index.operations) return 'was restored from an older copy';
  return null;
}

async function removeIndex({ database, indices, store }: KeepingParts, index: StoredIndex, found: FoundIndex | null) {
  if (found?.store === store) await indices.remove(index.name);
  while (await database.transaction((tx) => forgetCopies(tx, index.number)));
  const name = positionsName({ name: followerName, version: index.number, from: 'begin' });
  await database.transaction(async (tx) => {
    await forgetFollower(tx, name);
    await forgetIndex(tx, index.number);
  });
}
