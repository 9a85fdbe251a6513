import { holdJobs } from '../../projections/ingest/jobs.js';
import { addDocuments, removeDocuments, type SearchDocument } from '../../projections/search/index.js';
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
import type { Database, Transaction } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { alterationOf } from '../ledger/deposits.js';
import { holdAppends } from '../ledger/entries.js';
import { searchDocuments } from '../workers/indexing.js';
import { dropAnd, type OnProgress, type RebuiltCopy } from './rebuilt-copy.js';
import { openShadowSchema } from './shadow-schema.js';

/** A text that is longer than this is added in steps. */
const largeText = 32 * 1024;
/** Rounds of catching up between transactions, before the rest is caught up while all writers wait. */
const maxRounds = 10;

/** Pages begin behind an id. It is said of both tables, or a merge join would read one from its start for every page. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** A text that is not the one that was written stays out of the index. A request for it, and fsck, report that. */
const isGenuine = (memory: ReadyMemory): boolean => alterationOf(memory) === null;

/**
 * Indexes every ready memory again in the schema `schema`, while the pipeline continues to fill the index that serves.
 * The embedder is asked outside of transactions, but for what became ready at the very end.
 */
export async function buildSearchCopy(
  database: Database,
  embedder: Embedder,
  { schema, ddl }: { readonly schema: string; readonly ddl: string },
  onProgress: OnProgress,
): Promise<RebuiltCopy> {
  const schemas = await openShadowSchema(database, ddl, schema);
  const inShadow: InShadow = (work) =>
    database.transaction(async (tx) => {
      // Nothing of a replay outlives a crash, so its commits need not wait for the disk.
      await tx.query('set local synchronous_commit = off');
      await schemas.enter(tx);
      return work(tx);
    });
  await indexAll({ database, embedder, inShadow }, onProgress).catch(dropAnd(schemas));
  return {
    ...schemas,
    async level(work) {
      await catchUpInSteps(embedder, inShadow);
      return database.transaction(async (tx) => {
        // Without the first nothing is deleted, without the second nothing becomes ready.
        await holdAppends(tx);
        await holdJobs(tx);
        await schemas.enter(tx);
        await catchUp(tx, embedder);
        return work(tx);
      });
    },
  };
}

/** Runs work in a transaction in which unqualified names mean the tables that are built. */
type InShadow = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Building {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly inShadow: InShadow;
}

async function indexAll({ database, embedder, inShadow }: Building, onProgress: OnProgress): Promise<void> {
  const total = await database.transaction(countReady);
  let done = 0;
  const batchAfter = async (after: string) => {
    const memories = await database.transaction((tx) => readyMemories(tx, after));
    const documents = await searchDocuments(memories.filter(isGenuine), embedder);
    return { last: memories.at(-1), count: memories.length, documents };
  };
  let ahead = batchAfter(beforeAll);
  for (;;) {
    const { last, count, documents } = await ahead;
    onProgress(done, Math.max(done, last ? total : done));
    if (!last) return;
    // The next texts are cut up while the database takes these in.
    ahead = batchAfter(last.memoryId);
    ahead.catch(() => undefined);
    await write(documents, inShadow);
    done += count;
  }
}

/** Adds documents, a large one in steps. One that is deleted or moved meanwhile is taken out when it is caught up with. */
async function write(documents: readonly SearchDocument[], inShadow: InShadow): Promise<void> {
  const small = documents.filter(({ text }) => text.length <= largeText);
  await inShadow(async (tx) => {
    const kept = await keepMemories(tx, small);
    await addDocuments(
      tx,
      small.filter(({ memoryId }) => kept.has(memoryId)),
    );
  });
  for (const document of documents.filter(({ text }) => text.length > largeText)) {
    const added = await addInSteps(document, inShadow);
    if (added) await inShadow((tx) => finishDocument(tx, document, added));
  }
}

/** Adds the memories that came in while it was built, in short transactions: little is left for the one that holds all writers. */
async function catchUpInSteps(embedder: Embedder, inShadow: InShadow): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    await inShadow(async (tx) => dropDocuments(tx, await goneMeanwhile(tx)));
    await removeAllIn(inShadow);
    const memories = await inShadow((tx) => readyMeanwhile(tx, beforeAll));
    if (memories.length === 0) return;
    await write(await searchDocuments(memories.filter(isGenuine), embedder), inShadow);
  }
}

async function removeAllIn(inShadow: InShadow): Promise<void> {
  for (;;) {
    const left = await inShadow((tx) => leftDocuments(tx));
    if (left.length === 0) return;
    for (const group of removalGroups(left)) await removeLeft(group, inShadow);
  }
}

/** Takes out what was deleted or moved, and adds what became ready. */
async function catchUp(tx: Transaction, embedder: Embedder): Promise<void> {
  await removeDocuments(tx, await goneMeanwhile(tx));
  for (let after = beforeAll; ; ) {
    const memories = await readyMeanwhile(tx, after);
    const last = memories.at(-1);
    if (!last) return;
    await addDocuments(tx, await searchDocuments(memories.filter(isGenuine), embedder));
    after = last.memoryId;
  }
}
