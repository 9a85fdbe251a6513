import type { Term } from './cached-values.js';
import type { Place } from './place.js';
import type { SearchFilter, VectorQuery } from './search-index.js';

/**
 * A search engine outside the database, which has a copy of the index. It gives places of memories and nothing else: its own
 * scores only decide which places it gives.
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
  /** Null if the arm does not run. */
  readonly vector: VectorQuery | null;
  /** Null if the arm does not run. */
  readonly words: readonly Term[] | null;
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EngineCandidates {
  /** Null if the arm does not run, or could not be answered. */
  readonly vector: EnginePlaces | null;
  readonly words: EnginePlaces | null;
}

export interface EnginePlaces {
  /** Each place once. */
  readonly places: readonly Place[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
}
