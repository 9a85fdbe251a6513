import type { Logger } from 'pino';
import { outdatedDocuments, replaceVectors } from '../../projections/search/models.js';
import type { Database } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { Vault } from '../commands/vault.js';
import type { Prepare } from '../domain/prepared.js';
import type { World } from '../world.js';
import { searchDocuments } from './indexing.js';

/** Small, so that searches and writes on the embedded database wait for 64 vectors at most. */
const batchSize = 64;
const retryMs = 5000;

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
}): Reembedding {
  const { database, embedder, prepare, vault, world, log } = parts;
  const stopping = new AbortController();
  let underWay = true;

  async function batch(after: string | null): Promise<string | null> {
    const documents = await database.transaction((tx) => outdatedDocuments(tx, embedder.model, after, batchSize));
    if (documents.length === 0) return null;
    const embedded = await searchDocuments(await vault.genuine(documents), embedder, prepare);
    await database.transaction((tx) => replaceVectors(tx, embedded));
    return documents.at(-1)?.memoryId ?? null;
  }

  const running = (async () => {
    let after: string | null = null;
    let done = 0;
    while (!stopping.signal.aborted) {
      try {
        after = await batch(after);
        if (after === null) break;
        done += batchSize;
        if (done % 6400 === 0) log.info({ model: embedder.model, done }, 'embedding again with another model');
      } catch (error) {
        log.warn({ err: error }, 'embedding again failed; it goes on in five seconds');
        await world.sleep(retryMs, stopping.signal);
      }
    }
    underWay = stopping.signal.aborted;
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
