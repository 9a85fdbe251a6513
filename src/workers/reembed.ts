import type { Logger } from 'pino';
import { outdatedDocuments, replaceVectors } from '../../projections/search/models.js';
import type { Step } from '../../projections/search/step.js';
import type { Database } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { Vault } from '../commands/vault.js';
import type { Prepare } from '../domain/prepared.js';
import type { World } from '../world.js';
import { searchDocuments } from './indexing.js';
import { dropLease, keepLease, takeLease } from './lease.js';

/** Of one batch; searches and writes on the embedded database wait for 64 vectors at most. */
const batch = { limit: 64, bytes: 256 * 1024 };
const lease = 'reembedding';
/** Each step renews it. */
const leaseMs = 5 * 60_000;
const retryMs = 5000;

/** The last memory of a batch, and how many it had. */
interface Passed {
  readonly last: string;
  readonly count: number;
}

export interface Reembedding {
  /** Whether some memories may still have vectors of another model only. */
  underWay(): boolean;
  stop(): Promise<void>;
}

/**
 * Gives every memory vectors of the embedder's model. What a memory's vectors are of stands in its row, so a restart goes
 * on where it was, and memories that are ingested meanwhile are right from the start. It ends when none is left.
 */
export function startReembedding(parts: {
  database: Database;
  embedder: Embedder;
  prepare: Prepare;
  vault: Vault;
  world: World;
  log: Logger;
  /** See RemovingParts. */
  owner: string;
}): Reembedding {
  const { database, embedder, prepare, vault, world, log, owner } = parts;
  const stopping = new AbortController();
  let underWay = true;

  const step: Step = (work) =>
    database.transaction(async (tx) => (await keepLease(tx, lease, owner, leaseMs)) && (await work(tx)));

  async function next(after: string | null): Promise<'all done' | 'others are at it' | Passed> {
    const documents = await database.read((tx) => outdatedDocuments(tx, embedder.model, after, batch));
    const last = documents.at(-1);
    if (!last) return 'all done';
    // Two processes at one document would mix their steps. An embedder may take longer than the lease is given for.
    const take = () => takeLease(database, lease, owner, leaseMs);
    if (!(await take())) return 'others are at it';
    const embedded = await searchDocuments(await vault.genuine(documents), embedder, prepare);
    if (!(await take())) return 'others are at it';
    await replaceVectors(embedded, step);
    return { last: last.memoryId, count: documents.length };
  }

  const running = (async () => {
    let after: string | null = null;
    let done = 0;
    while (!stopping.signal.aborted) {
      try {
        const passed = await next(after);
        if (passed === 'all done') break;
        if (passed === 'others are at it') {
          await world.sleep(retryMs, stopping.signal);
          continue;
        }
        after = passed.last;
        if (Math.floor(done / 6400) < Math.floor((done + passed.count) / 6400)) {
          log.info({ model: embedder.model, done: done + passed.count }, 'embedding again with another model');
        }
        done += passed.count;
      } catch (error) {
        log.warn({ err: error }, 'embedding again failed; it goes on in five seconds');
        await world.sleep(retryMs, stopping.signal);
      }
    }
    underWay = stopping.signal.aborted;
    await dropLease(database, lease, owner).catch(() => undefined);
    if (done > 0 && !underWay) log.info({ model: embedder.model }, 'every memory has vectors of this model');
  })();

  return {
    underWay: () => underWay,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
