import { filterSql } from '../../projections/memory/filter-sql.js';
import {
  type Arm,
  denseArm,
  type Found,
  keywordArm,
  type SearchCache,
  type SearchIndex,
  type SearchQuery,
  type Term,
} from '../../projections/search/queries.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import type { Database, Transaction } from '../../src/database/database.js';
import type { Caller } from '../../src/domain/caller.js';
import { readFilter } from '../../src/domain/filters.js';
import { bm25 } from '../../src/domain/rank/rank.js';
import { termsOf } from './words.js';

export const embedder = lexicalEmbedder();

export interface Searching {
  readonly database: Database;
  readonly index: SearchIndex;
  readonly cache: SearchCache;
  readonly caller: Caller;
}

type Arms = (terms: readonly Term[]) => Pick<SearchQuery, 'vector' | 'words'>;

/** Asks an index for the candidates of a search, and uses them. */
export async function find<T>(
  { database: { read }, index, cache, caller: { namespaceIds, workspaceId } }: Searching,
  given: Record<string, unknown>,
  arms: Arms,
  use: (tx: Transaction, found: Found, query: SearchQuery) => Promise<T>,
  words: readonly string[] = [],
): Promise<T> {
  const tree = readFilter(given);
  const terms = await read((tx) => termsOf(tx, cache, namespaceIds, words));
  const condition = filterSql(tree, undefined);
  const query = { workspaceId, namespaceIds, filter: { tree }, condition, ...arms(terms) };
  return index.find(read, query, (tx, found) => use(tx, found, query));
}

export const wordsArm =
  ({ namespaceIds }: Caller): Arms =>
  (terms) => ({ vector: null, words: { namespaceIds, terms, budget: 1_000_000, bm25 } });

export const vectorArm =
  ({ namespaceIds }: Caller, vector: Float32Array): Arms =>
  () => ({ vector: { namespaceIds, model: embedder.model, vector }, words: null });

const scoresOf = ({ hits }: Arm) => new Map(hits.map(({ memoryId, score }) => [memoryId, score]));

/** The best memories by words, with their scores. */
export const foundByWords = (searching: Searching, words: readonly string[], given = {}, limit = 500) =>
  find(
    searching,
    given,
    wordsArm(searching.caller),
    async (tx, { byWords }, { words: query, condition }) => {
      if (!byWords || !query) throw new Error('the arm has not run');
      return scoresOf(await keywordArm(tx, searching.cache, byWords, query, { condition, limit }));
    },
    words,
  );

/** The nearest memories, with their scores. */
export const foundByVector = (searching: Searching, vector: Float32Array, given = {}, limit = 500) =>
  find(
    searching,
    given,
    vectorArm(searching.caller, vector),
    async (tx, { byVector }, { vector: query, condition }) => {
      if (!byVector || !query) throw new Error('the arm has not run');
      return scoresOf(await denseArm(tx, searching.cache, byVector, query, { condition, limit }));
    },
  );
