import { setTimeout as pause } from 'node:timers/promises';
import { beginIndex, indexInState } from '../../projections/search/copies/indices.js';
import { progressOf } from '../../projections/search/copies/progress.js';
import { documentVersion } from '../adapters/elasticsearch/mapping.js';
import { copying } from '../workers/elasticsearch/copying.js';
import { expungeAll, expungingMs } from '../workers/elasticsearch/expunging.js';
import { type KeepingParts, keepIndices, leaseOfIndices } from '../workers/elasticsearch/keeping.js';
import type { Job } from '../workers/loop.js';
import type { MaintenanceCommand } from './command.js';

const lookMs = 250;

/** Opens the connection to Elasticsearch for a command. @throws when the settings name no cluster */
export type OpenSearchEngine = () => Promise<KeepingParts>;

/**
 * Builds a new index in Elasticsearch beside the one that serves, until searches use it. A service that runs does a part of the
 * work, and continues if this process ends.
 */
export function rebuildSearchEngine(open: OpenSearchEngine): MaintenanceCommand {
  return (_args, onProgress) =>
    withEngine(open, async (parts) => {
      const { database, names, model } = parts;
      const job = copying(parts, 'building', () => undefined);
      const lease = leaseOfIndices(parts);
      const stopping = new AbortController();
      try {
        await database.transaction((tx) => beginIndex(tx, names, { version: documentVersion, model }));
        for (;;) {
          if (await lease.take()) await keepIndices(parts);
          const index = await database.read((tx) => indexInState(tx, 'building'));
          if (!index) break;
          const { done, total } = await database.read((tx) => progressOf(tx, index));
          onProgress('elasticsearch', done, total);
          if (!(await job.work(stopping.signal))) await pause(lookMs);
        }
      } finally {
        stopping.abort();
        await job.ended?.();
        await lease.drop();
      }
      const index = await database.read((tx) => indexInState(tx, 'serving'));
      if (!index) return { ok: false, text: 'The index in Elasticsearch was lost while it was built.' };
      return { ok: true, text: `elasticsearch: searches use the index ${index.name} now` };
    });
}

/** Removes the bytes of deleted memories from the files of Elasticsearch. It gives up after `patienceMs`. */
export function scrubSearchEngine(open: OpenSearchEngine, patienceMs = expungingMs): MaintenanceCommand {
  return () =>
    withEngine(open, async (parts) => {
      const over = AbortSignal.timeout(patienceMs);
      const job = copying(parts, 'serving', () => undefined);
      const lease = leaseOfIndices(parts);
      try {
        const fault = await expungeAll(parts, over, async () => {
          if (await lease.take()) await keepIndices(parts);
          await sendAll(job, over);
        });
        if (fault !== null) return { ok: false, remains: true, text: fault };
        return { ok: true, text: 'The files of Elasticsearch hold nothing of what was deleted.' };
      } finally {
        await job.ended?.();
        await lease.drop();
      }
    });
}

/** Sends the deletions that no service has sent yet. */
async function sendAll(job: Job, over: AbortSignal): Promise<void> {
  try {
    while (!over.aborted && (await job.work(over)));
  } catch (error) {
    // What was not sent is reported as not confirmed.
    if (!over.aborted) throw error;
  }
}

async function withEngine<T>(open: OpenSearchEngine, work: (parts: KeepingParts) => Promise<T>): Promise<T> {
  const parts = await open();
  try {
    await parts.cluster.ask((client) => client.cluster.health({ filter_path: 'status' }));
    return await work(parts);
  } finally {
    await parts.cluster.close();
  }
}
