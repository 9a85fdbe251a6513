import type { Transaction } from '../../src/database/database.js';
import { rarestFirst } from './bm25.js';
import { codeQuery } from './code-query.js';
import { engineVectors, engineWords, TooFewCandidates } from './engine-candidates.js';
import { fewPassing } from './passing.js';
import { type EngineCandidates, EngineUnavailable, type NearPlaces, type SearchEngine } from './search-engine.js';
import type { Found, SearchIndex, SearchQuery } from './search-index.js';
import { hasDirection } from './vector-index.js';

/** The number of candidates that an engine must give of each arm and namespace: at first, and at most. */
const [firstSize, mostSize] = [200, 10_000];

/** The copy of the index that an engine has. */
export interface EngineCopy {
  /** The name of the index that answers searches; null before there is one. */
  readonly index: string | null;
  /** The model of its vectors. */
  readonly model: string;
  /** Whether a memory of the searched namespaces is ready in the database and is not in the copy as the database has it. */
  readonly isBehind: boolean;
}

interface EngineIndexParts {
  readonly engine: SearchEngine;
  copyOf(tx: Transaction, namespaceIds: readonly string[]): Promise<EngineCopy>;
  /** The index in the tables of the database. It is written first, answers lists, and computes all scores. */
  readonly database: SearchIndex;
  /** Whether the database's index answers while the engine is away or behind. */
  readonly fallback: boolean;
}

/**
 * A search index whose candidates come from an engine outside the database. Everything else comes from the database: the
 * statistics and texts by which words are scored, the vectors, and the rows of the memories. So a hit has the same score as
 * with the database's index, a memory that was deleted or moved meanwhile is never found, and a filter that the engine does not
 * know excludes what it must.
 */
export function engineIndex(parts: EngineIndexParts): SearchIndex {
  const { copyOf, database, fallback } = parts;
  return {
    put: database.put,
    remove: database.remove,
    byWebQuery: database.byWebQuery,
    async find(read, query, work) {
      const copy = await read((tx) => copyOf(tx, query.namespaceIds));
      if (fallback && !hasAll(copy, query)) return database.find(read, query, work);
      let among = await read((tx) => fewPassing(tx, query.namespaceIds, query.condition, 'listed'));
      for (let size = firstSize; ; ) {
        const given = await ask(parts, copy, query, among, size);
        if (fallback && lacks(given, query)) return database.find(read, query, work);
        try {
          return await read((tx) => work(tx, foundOf(tx, given, query, copy.isBehind)));
        } catch (error) {
          if (!(error instanceof TooFewCandidates)) throw error;
          // All candidates were read that an engine gives. The database's index has no such limit.
          if (size === mostSize) return database.find(read, query, work);
          size = Math.min(mostSize, Math.max(4 * size, error.size));
          among ??= await read((tx) => fewPassing(tx, query.namespaceIds, query.condition, 'compared'));
        }
      }
    },
    ready: async (tx, namespaceIds, model) => {
      const copy = await copyOf(tx, namespaceIds);
      const isComplete = copy.index !== null && copy.model === model && !copy.isBehind;
      return (isComplete || fallback) && database.ready(tx, namespaceIds, model);
    },
  };
}

const hasAll = ({ index, model, isBehind }: EngineCopy, { vector }: SearchQuery): boolean =>
  index !== null && !isBehind && (vector === null || vector.model === model);

/** Whether an arm that should run was not answered. */
const lacks = (given: EngineCandidates, query: SearchQuery): boolean =>
  (query.vector !== null && given.vector === null) || (query.words !== null && given.words === null);

const nothing: EngineCandidates = { vector: null, words: null };
const noPlaces: NearPlaces = { places: [], rest: Number.NEGATIVE_INFINITY };

async function ask(
  { engine }: EngineIndexParts,
  copy: EngineCopy,
  { workspaceId, namespaceIds, filter, vector, words, signal }: SearchQuery,
  among: readonly number[] | null,
  size: number,
): Promise<EngineCandidates> {
  if (copy.index === null) return nothing;
  const vectorOfCopy = vector?.model === copy.model ? vector : null;
  const asked = vectorOfCopy && weightsOf(vectorOfCopy.vector);
  const terms = words && rarestFirst(words.terms);
  const query = {
    index: copy.index,
    workspaceId,
    namespaceIds,
    filter,
    among,
    vector: asked,
    words: terms,
    size,
    signal,
  };
  try {
    const given = await engine.candidates(query);
    // A vector without a direction is near to nothing.
    return vectorOfCopy && !asked ? { ...given, vector: noPlaces } : given;
  } catch (error) {
    if (error instanceof EngineUnavailable) return nothing;
    throw error;
  }
}

/** The weights of a query; null if it has no direction, or none in the components that codes have. */
function weightsOf(vector: Float32Array): readonly number[] | null {
  if (!hasDirection(vector)) return null;
  const { weights, squares } = codeQuery(vector);
  return squares === 0 ? null : Array.from(weights);
}

function foundOf(tx: Transaction, given: EngineCandidates, { vector, words }: SearchQuery, isBehind: boolean): Found {
  const { vector: byVector, words: byWords } = given;
  return {
    byVector: vector && byVector && (() => engineVectors(tx, byVector, vector.namespaceIds)),
    byWords: words && byWords && (async () => engineWords(tx, byWords, words)),
    isBehind: async () => isBehind,
  };
}
