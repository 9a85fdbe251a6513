import type { Term } from './cache.js';
import type { Place, ScoredPlace } from './place.js';
import type { SearchFilter } from './search-index.js';

/**
 * A search engine outside the database, which has a copy of the index. It gives candidates: its scores decide which memories are
 * candidates, and are no part of the score of a hit.
 */
export interface SearchEngine {
  /**
   * The best places of each arm, `size` of each namespace at most.
   * @throws EngineUnavailable when it does not answer in time, or refuses
   */
  candidates(query: EngineQuery): Promise<EngineCandidates>;
}

export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

export interface EngineQuery {
  /** The name of the index that has the copy. */
  readonly index: string;
  readonly workspaceId: string;
  readonly namespaceIds: readonly string[];
  /** The engine applies what it can of it. A memory that passes must never be left out. */
  readonly filter: SearchFilter;
  /** Only memories with these numbers, if it is not null. */
  readonly among: readonly number[] | null;
  /** The weights of the query (see `codeQuery`), which are compared with the levels of codes; null if the arm does not run. */
  readonly vector: readonly number[] | null;
  /** Null if the arm does not run. */
  readonly words: readonly Term[] | null;
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EngineCandidates {
  /** Null if the arm does not run, or could not be answered. */
  readonly vector: NearPlaces | null;
  readonly words: EnginePlaces | null;
}

export interface NearPlaces {
  /** Each place once, with the similarity of its nearest code as `similarityOfCodes` has it. */
  readonly places: readonly ScoredPlace[];
  /** The largest similarity that a memory may have that is not among them; −∞ if there are no others. */
  readonly rest: number;
}

export interface EnginePlaces {
  /** Each place once. */
  readonly places: readonly Place[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
}
