import type { Logger } from 'pino';
import { isLarge, type SearchDocument } from '../../projections/search/document.js';
import { nextRebuild } from '../../projections/search/due.js';
import { type Encoded, encodedDocuments } from '../../projections/search/encoded.js';
import { addEncoded } from '../../projections/search/index.js';
import {
  endPage,
  lockUnmoved,
  nextPage,
  type RebuildPage,
  rebuildLeft,
} from '../../projections/search/rebuild-progress.js';
import { missingAmong } from '../../projections/search/rebuild-rows.js';
import { type Step, withoutVectors } from '../../projections/search/step.js';
import { addInSteps, finishDocument } from '../../projections/search/steps.js';
import { tables } from '../../projections/search/tables.js';
import type { Vault } from '../commands/vault.js';
import type { Database, Transaction } from '../database/database.js';
import type { Prepare } from '../domain/prepared.js';
import type { Embedding } from './embedding.js';
import { searchDocuments } from './indexing.js';
import { createLease } from './lease.js';
import type { DueJob } from './lookout.js';

/** Of one slice: requests on the embedded database wait for its transaction. */
const slice = { memories: 128, bytes: 64 * 1024 };
/** A lost process's work is taken over after this; each step renews the lease. */
const leaseMs = 60_000;
/** How often to look: the start of another process may have begun a rebuild. */
const lookMs = 1000;
/** How often the log says how far it has come. */
const reportMs = 10_000;

interface RebuildingParts {
  readonly database: Database;
  readonly embedding: Embedding;
  readonly prepare: Prepare;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'info'>;
  /** See `removing`. */
  readonly owner: string;
  /** Memories were indexed without vectors, which must be made later. */
  readonly unembedded: () => void;
}

/**
 * Indexes the memories that a start has found in an index of another version, while the service answers. Memories that are written
 * meanwhile are indexed by their jobs, and entries remove and move what is in the index already. The place is stored with each slice,
 * and what is in the index is skipped, so a killed process loses one slice at most.
 */
export function rebuildingSearch(parts: RebuildingParts): DueJob {
  const { database, log, owner } = parts;
  const lease = createLease(database, 'rebuilding search', owner, leaseMs);
  const step: Step = (work) => database.transaction(async (tx) => (await lease.keep(tx)) && (await work(tx)));
  let isBegun = false;
  let reportedAt = performance.now();

  async function end(): Promise<boolean> {
    if (isBegun) {
      // The tables were empty when the planner last looked.
      for (const table of tables) await database.maintain(`analyze ${table}`);
      log.info({}, 'the search index is rebuilt');
    }
    isBegun = false;
    await lease.drop();
    return false;
  }

  async function report(): Promise<void> {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    log.info({ left: await database.read(rebuildLeft) }, 'the search index is being rebuilt');
  }

  return {
    name: 'rebuilding search',
    due: nextRebuild,
    napMs: lookMs,
    lease,
    async work() {
      const page = await database.read((tx) => nextPage(tx, slice));
      if (!page) return end();
      if (!(await lease.take())) return false;
      isBegun = true;
      const isAdded = await addPage(parts, step, page);
      await report();
      return isAdded;
    },
  };
}

/** @returns false when a memory was changed meanwhile, or the lease was lost, so that the same page must be read again */
async function addPage(parts: RebuildingParts, step: Step, page: RebuildPage): Promise<boolean> {
  const { database, embedding, prepare, vault, unembedded } = parts;
  const missing = await database.read((tx) => missingAmong(tx, page.memoryIds));
  // A text that is not the one that was written is not indexed. Requests for it, and fsck, report it.
  const documents = await searchDocuments(await vault.genuine(missing), embedding.soon, prepare);
  for (const document of documents.filter(isLarge)) if (!(await addLarge(document, step))) return false;
  const small = documents.filter((document) => !isLarge(document));
  const encoded = await encodedDocuments(database.read, small);
  const isAdded = await step((tx) => addSmall(tx, encoded, page));
  if (documents.some(({ model }) => model === withoutVectors)) unembedded();
  return isAdded;
}

async function addSmall(tx: Transaction, documents: readonly Encoded[], page: RebuildPage): Promise<boolean> {
  const unmoved = await lockUnmoved(tx, documents);
  await addEncoded(
    tx,
    documents.filter(({ memoryId }) => unmoved.has(memoryId)),
  );
  const isAdded = unmoved.size === documents.length;
  if (isAdded) await endPage(tx, page);
  return isAdded;
}

async function addLarge(document: SearchDocument, step: Step): Promise<boolean> {
  const unmoved: Step = (work) =>
    step(async (tx) => (await lockUnmoved(tx, [document])).has(document.memoryId) && (await work(tx)));
  const added = await addInSteps(document, unmoved);
  return added !== null && unmoved((tx) => finishDocument(tx, document, added));
}
