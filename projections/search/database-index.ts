import type { Transaction } from '../../src/database/database.js';
import type { SearchCache } from './cache.js';
import { isLarge, type SearchDocument } from './document.js';
import { addDocuments } from './index.js';
import { anyOfOtherModels } from './models.js';
import { isRebuilding } from './rebuild-progress.js';
import { leftOf, removalGroups, removeLeft } from './removal.js';
import type { Found, SearchIndex, SearchQuery, Writing } from './search-index.js';
import { stepWith } from './step.js';
import { addInSteps, finishDocument } from './steps.js';
import { vectorCandidates } from './vector-candidates.js';
import { webCandidates } from './web-candidates.js';
import { wordCandidates } from './word-candidates.js';

interface DatabaseIndexParts {
  readonly cache: SearchCache;
  /** Whether some memories may still have no vectors of the model in use. */
  reembedding(): boolean;
}

/** The search index in the tables of the search read model. */
export function databaseIndex({ cache, reembedding }: DatabaseIndexParts): SearchIndex {
  const found = (tx: Transaction, { vector, words }: SearchQuery, isBehind: Found['isBehind']): Found => ({
    byVector: vector && (() => vectorCandidates(tx, cache, vector)),
    byWords: words && (() => wordCandidates(words)),
    isBehind,
  });
  return {
    ...databaseWriter,
    find: (read, query, work) =>
      read((tx) =>
        work(
          tx,
          found(tx, query, () => isRebuilding(tx, query.workspaceId)),
        ),
      ),
    within: (tx, query, state) => found(tx, query, async () => state.isRebuilding),
    byWebQuery: (tx, query) => webCandidates(tx, cache, query),
    ready: async (tx, namespaceIds, model) => !reembedding() || !(await anyOfOtherModels(tx, namespaceIds, model)),
  };
}

/** The part of the index that the ingest pipeline and the removal of deleted memories need. */
export const databaseWriter: Pick<SearchIndex, 'put' | 'remove'> = { put, remove };

async function put(documents: readonly SearchDocument[], writing: Writing): Promise<boolean> {
  const small = documents.filter((document) => !isLarge(document));
  const outcomes = small.length > 0 ? [await putAtOnce(small, writing)] : [];
  for (const document of documents.filter(isLarge)) outcomes.push(await putInSteps(document, writing));
  return outcomes.every((done) => done);
}

function putAtOnce(documents: readonly SearchDocument[], { last }: Writing): Promise<boolean> {
  return last(idsOf(documents), async (tx, isHeld) => {
    await addDocuments(
      tx,
      documents.filter(({ memoryId }) => isHeld(memoryId)),
    );
    return true;
  });
}

async function putInSteps(document: SearchDocument, { step, last }: Writing): Promise<boolean> {
  const added = await addInSteps(document, step);
  return added !== null && last([document.memoryId], (tx) => finishDocument(tx, document, added));
}

async function remove(memoryIds: readonly string[], { step, last }: Writing): Promise<boolean> {
  const left = await stepWith(step, (tx) => leftOf(tx, memoryIds));
  if (left === null) return false;
  const outcomes: boolean[] = [];
  for (const group of removalGroups(left)) {
    outcomes.push(await removeLeft(group, step, (work) => last(idsOf(group), work)));
  }
  return outcomes.every((done) => done);
}

const idsOf = (documents: readonly { readonly memoryId: string }[]): string[] =>
  documents.map(({ memoryId }) => memoryId);
