import { holdJobs } from '../../projections/ingest/jobs.js';
import { reachDdl } from '../../projections/search/counts.js';
import { isLarge, type SearchDocument } from '../../projections/search/document.js';
import { type Encoded, encodedDocuments } from '../../projections/search/encoded.js';
import { addDocuments, addEncoded, removeDocuments } from '../../projections/search/index.js';
import {
  countReady,
  goneMeanwhile,
  keepMemories,
  type ReadyMemory,
  readyMeanwhile,
  readyMemories,
} from '../../projections/search/rebuild-rows.js';
import { dropDocuments, leftDocuments, removalGroups, removeLeft } from '../../projections/search/removal.js';
import { addInSteps, finishDocument } from '../../projections/search/steps.js';
import { yieldToOthers } from '../base/steps.js';
import type { Database, Transaction } from '../database/database.js';
import { alterationOf } from '../ledger/deposits.js';
import { holdAppends } from '../ledger/entries.js';
import { type Embedding, unembedded } from '../workers/embedding.js';
import { searchDocuments } from '../workers/indexing.js';
import { dropAnd, type OnProgress, type RebuiltCopy } from './rebuilt-copy.js';
import { openShadowSchema } from './shadow-schema.js';

/** The number of rounds in short transactions at most. After these, the remaining changes are applied while all writers wait. */
const maxRounds = 10;

/** The id before all ids: the first page begins after it. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** A text that is not the one that was written is not indexed. Requests for it, and fsck, report it. */
const isGenuine = (memory: ReadyMemory): boolean => alterationOf(memory) === null;

/**
 * Indexes every ready memory again in the schema `schema`, while the pipeline continues to fill the live index. While the embedder
 * is away memories are indexed by their words, and the service adds the vectors later.
 */
export async function buildSearchCopy(
  database: Database,
  embedding: Embedding,
  { schema, ddl }: { readonly schema: string; readonly ddl: string },
  onProgress: OnProgress,
): Promise<RebuiltCopy> {
  const schemas = await openShadowSchema(database, `${ddl}${reachDdl}`, schema);
  const inShadow: InShadow = (work) =>
    database.transaction(async (tx) => {
      // A crash discards the whole replay, so its commits need not wait for the disk.
      await tx.query('set local synchronous_commit = off');
      await schemas.enter(tx);
      return work(tx);
    });
  await indexAll({ database, embedding, inShadow }, onProgress).catch(dropAnd(schemas));
  return {
    ...schemas,
    async level(work) {
      await catchUpInSteps(embedding, inShadow);
      return database.transaction(async (tx) => {
        // The first lock prevents that memories are deleted, and the second one that memories become ready.
        await holdAppends(tx);
        await holdJobs(tx);
        await schemas.enter(tx);
        await catchUp(tx, embedding);
        return work(tx);
      });
    },
  };
}

/** Runs work in a transaction in which unqualified names mean the tables that are built. */
type InShadow = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Building {
  readonly database: Database;
  readonly embedding: Embedding;
  readonly inShadow: InShadow;
}

async function indexAll(building: Building, onProgress: OnProgress): Promise<void> {
  const { database, embedding, inShadow } = building;
  const total = await database.transaction(countReady);
  let done = 0;
  const batchAfter = async (after: string) => {
    const memories = await database.read((tx) => readyMemories(tx, after));
    const documents = await searchDocuments(memories.filter(isGenuine), embedding.soon);
    const small = documents.filter((document) => !isLarge(document));
    const encoded = await encodedDocuments(database.read, small);
    return { last: memories.at(-1), count: memories.length, encoded, large: documents.filter(isLarge) };
  };
  let nextBatch = batchAfter(beforeAll);
  for (;;) {
    const { last, count, encoded, large } = await nextBatch;
    onProgress(done, Math.max(done, last ? total : done));
    if (!last) return;
    // The next texts are read while this batch is written, and prepared while the database stores it: the request leaves this
    // thread before it is busy.
    nextBatch = batchAfter(last.memoryId);
    nextBatch.catch(() => undefined);
    await yieldToOthers();
    await writeTogether(inShadow, encoded);
    await writeLarge(large, inShadow);
    done += count;
  }
}

/** Documents that are deleted or moved meanwhile are removed when the copy catches up. */
const writeTogether = (inShadow: InShadow, documents: readonly Encoded[]) =>
  inShadow(async (tx) => {
    // Nothing waits for the answer: the rows of memories that are gone are not there for the next statement either.
    await Promise.all([keepMemories(tx, documents), addEncoded(tx, documents)]);
  });

/** Adds documents, large ones in steps. */
async function write(documents: readonly SearchDocument[], inShadow: InShadow): Promise<void> {
  const small = documents.filter((document) => !isLarge(document));
  await inShadow(async (tx) => {
    const existing = await keepMemories(tx, small);
    await addDocuments(
      tx,
      small.filter(({ memoryId }) => existing.has(memoryId)),
    );
  });
  await writeLarge(documents.filter(isLarge), inShadow);
}

async function writeLarge(documents: readonly SearchDocument[], inShadow: InShadow): Promise<void> {
  for (const document of documents) {
    const added = await addInSteps(document, inShadow);
    if (added) await inShadow((tx) => finishDocument(tx, document, added));
  }
}

/** Adds memories that became ready meanwhile, in short transactions, so that the transaction that stops all writers is short. */
async function catchUpInSteps(embedding: Embedding, inShadow: InShadow): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    await inShadow(async (tx) => dropDocuments(tx, await goneMeanwhile(tx)));
    await removeAllIn(inShadow);
    const memories = await inShadow((tx) => readyMeanwhile(tx, beforeAll));
    if (memories.length === 0) return;
    await write(await searchDocuments(memories.filter(isGenuine), embedding.soon), inShadow);
  }
}

async function removeAllIn(inShadow: InShadow): Promise<void> {
  for (;;) {
    const left = await inShadow((tx) => leftDocuments(tx));
    if (left.length === 0) return;
    for (const group of removalGroups(left)) await removeLeft(group, inShadow);
  }
}

/**
 * Removes memories that were deleted or moved, and adds memories that became ready. All writers wait meanwhile, and they do not wait
 * for a server.
 */
async function catchUp(tx: Transaction, embedding: Embedding): Promise<void> {
  await removeDocuments(tx, await goneMeanwhile(tx));
  const embed = embedding.repeatable ? embedding.soon : unembedded;
  for (let after = beforeAll; ; ) {
    const memories = await readyMeanwhile(tx, after);
    const last = memories.at(-1);
    if (!last) return;
    await addDocuments(tx, await searchDocuments(memories.filter(isGenuine), embed));
    after = last.memoryId;
  }
}
