import type { Logger } from 'pino';
import { type Outdated, outdatedDocuments, replaceVectors } from '../../projections/search/models.js';
import type { Step } from '../../projections/search/step.js';
import type { Database } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { Vault } from '../commands/vault.js';
import type { Prepare } from '../domain/prepared.js';
import { searchDocuments } from './indexing.js';
import { createLease } from './lease.js';
import type { Job } from './loop.js';

/** Of one batch; searches and writes on the embedded database wait for 64 vectors at most. */
const batch = { limit: 64, bytes: 256 * 1024 };
/** Each step renews it. */
const leaseMs = 5 * 60_000;
const retryMs = 5000;
/** Memories between two lines of the log. */
const reportEvery = 6400;

export interface ReembeddingParts {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly prepare: Prepare;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'info'>;
  /** See `removing`. */
  readonly owner: string;
}

/**
 * Gives every memory vectors of the embedder's model. The row of a memory names the model of its vectors, so a restart
 * continues where it was, and memories that are ingested meanwhile are right from the start.
 */
export function reembedding(parts: ReembeddingParts, watch: ModelWatch): Job {
  const { database, embedder, prepare, vault, log, owner } = parts;
  const lease = createLease(database, 'reembedding', owner, leaseMs);
  const step: Step = (work) => database.transaction(async (tx) => (await lease.keep(tx)) && (await work(tx)));
  let after: string | null = null;
  let done = 0;

  async function embedAgain(documents: readonly Outdated[]): Promise<boolean> {
    // Two processes at one document would mix their steps. An embedder may take longer than the lease is given for.
    if (!(await lease.take())) return false;
    const embedded = await searchDocuments(await vault.genuine(documents), embedder, prepare);
    if (!(await lease.take())) return false;
    await replaceVectors(embedded, step);
    return true;
  }

  return {
    name: 're-embedding',
    napMs: retryMs,
    lease,
    async work() {
      if (!watch.inProgress()) return false;
      const documents = await database.read((tx) => outdatedDocuments(tx, embedder.model, after, batch));
      const last = documents.at(-1);
      if (!last) {
        watch.end();
        await lease.drop();
        if (done > 0) log.info({ model: embedder.model }, 'every memory has vectors of this model');
        return false;
      }
      if (!(await embedAgain(documents))) return false;
      after = last.memoryId;
      const before = done;
      done += documents.length;
      if (Math.floor(before / reportEvery) < Math.floor(done / reportEvery)) {
        log.info({ model: embedder.model, done }, 'embedding again with another model');
      }
      return true;
    },
  };
}

/** Whether some memories may still have vectors of another model only. */
export interface ModelWatch {
  inProgress(): boolean;
  end(): void;
}

export function createModelWatch(): ModelWatch {
  let inProgress = true;
  return {
    inProgress: () => inProgress,
    end: () => {
      inProgress = false;
    },
  };
}

/** Looks whether another process has come to the end of re-embedding, for a process that does not do it itself. */
export function watchingModels(database: Database, model: string, watch: ModelWatch): Job {
  return {
    name: 'watching re-embedding',
    napMs: retryMs,
    async work() {
      if (!watch.inProgress()) return false;
      const outdated = await database.read((tx) => outdatedDocuments(tx, model, null, { limit: 1, bytes: 1 }));
      if (outdated.length === 0) watch.end();
      return false;
    },
  };
}
