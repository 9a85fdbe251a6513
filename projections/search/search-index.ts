import type { Transaction } from '../../src/adapters/database/database.js';
import type { Filter } from '../../src/domain/filters.js';
import type { SearchDocument } from './index.js';
import type { MayPass } from './passing.js';
import type { Place } from './scope.js';
import type { Step } from './step.js';
import type { Term } from './terms.js';

/**
 * What finds the memories that a query may be about. An index gives candidates only. Scores are computed by the service, from
 * the statistics of the namespace and the stored vectors, and every candidate is read from the table of memories and compared
 * with the filter there. So an index may lag behind or find too much, and no answer shows a memory that is gone or that the
 * filter excludes, and the score of a hit does not depend on the index that found it. What an index does not find is missing.
 *
 * Every method may run at the same time as every other one. Two writers of one memory are kept apart by `Writing`.
 */
export interface SearchIndex {
  /**
   * Adds documents; one that is in the index already is replaced. Documents are found, and that is durable, when the step
   * `writing.last` has ended; never earlier, and not in part. An error or a killed process leaves documents that nothing
   * finds: putting them again, or removing them, completes the work. The caller retries.
   * @returns false when the caller lost the right to the documents, or they were removed meanwhile
   */
  put(documents: readonly SearchDocument[], writing: Writing): Promise<boolean>;
  /**
   * Removes all that the index holds of memories that were deleted or moved; ids that it does not know are passed over. Nothing
   * of them is left, and that is durable, when the step `writing.last` has ended. An error or a killed process leaves a part
   * of them, which nothing finds: the caller removes them again.
   * @returns false when the caller lost the right to remove them
   */
  remove(memoryIds: readonly string[], writing: Writing): Promise<boolean>;
  /**
   * The memories that a query may be about, as the index knows them at the moment of the call. They write nothing.
   * @throws when the index cannot answer; then another index may be asked, or the search continues without this arm
   */
  readonly candidates: {
    byVector(tx: Transaction, query: VectorQuery): Promise<VectorCandidates>;
    byWords(tx: Transaction, query: WordsQuery): Promise<WordCandidates>;
    byWebQuery(tx: Transaction, query: WebQuery): Promise<ListedCandidates>;
  };
  /**
   * Whether every memory of these namespaces that is ready can be found by words and by vectors of this model. While it is
   * false, answers are marked as incomplete.
   */
  ready(tx: Transaction, namespaceIds: readonly string[], model: string): Promise<boolean>;
}

/** How a caller allows an index to write: in transactions of its own, each of which makes sure that the work is still the caller's. */
export interface Writing {
  /** Runs one step of several. */
  readonly step: Step;
  /**
   * Runs the step that ends the work on these memories; an index may end its work on some memories before that on others.
   * `isHeld` says for which of them the caller still has the right to it.
   */
  readonly last: (memoryIds: readonly string[], work: LastStep) => Promise<boolean>;
}

export type LastStep = (tx: Transaction, isHeld: (memoryId: string) => boolean) => Promise<boolean>;

/** A filter of memories as the request has it. Each index compiles it to what it can ask for; it may also leave it out. */
export interface SearchFilter {
  readonly tree: Filter;
  /** Only what this agent wrote. */
  readonly agentId?: string | undefined;
}

interface Query {
  readonly namespaceIds: readonly string[];
  readonly filter: SearchFilter;
}

export interface VectorQuery extends Query {
  readonly model: string;
  readonly vector: Float32Array;
}

export interface WordsQuery extends Query {
  /** The words of the query as each namespace to search knows them. */
  readonly terms: readonly Term[];
  /**
   * Postings added up at most, besides those of the rarest word. 200,000 is a good bound: looking up the words that were not
   * read costs more than reading them (100,000 memories: 53 ms at 20,000 against 42 without a bound, p50, busy machine).
   */
  readonly budget: number;
  readonly bm25: Bm25;
}

export interface Bm25 {
  /** How soon more occurrences of a word stop to matter. */
  readonly k1: number;
  /** How much long documents are held back, 0 to 1. */
  readonly b: number;
}

/** A query in the syntax of web searches: words, phrases, `or`, and `-` before what must be missing. */
export interface WebQuery extends Query {
  readonly q: string;
  /** The query in the text configuration of each namespace, as PostgreSQL writes a `tsquery`. */
  readonly compiled: readonly CompiledQuery[];
  /** Only memories written before this one. */
  readonly beforeSeq: number | null;
}

export interface CompiledQuery {
  readonly namespaceId: string;
  readonly tsquery: string;
}

/** Documents in an order of the index, from which the best can be chosen again and again. */
export interface RankedCandidates {
  readonly namespaceIds: readonly string[];
  /** How many documents these namespaces have, with a rank or without. */
  readonly documents: number;
  /** The `size` best of those that may pass the filter, in order. Fewer mean that there are no more. */
  choose(size: number, mayPass?: MayPass): Promise<readonly Place[]>;
}

export interface VectorCandidates extends RankedCandidates {
  /** About the cosine of the nearest chunk, by the codes of the vectors; −∞ where there is none. */
  cosineAt(place: Place): number;
}

export interface WordCandidates extends RankedCandidates {
  /** Words whose share in the score is missing from `sumAt`; the shares of all other words are complete. */
  readonly unread: readonly Term[];
  /** The sum of the BM25 of the words that were read. */
  sumAt(place: Place): number;
}

/** Documents in the order of writing, newest first. */
export interface ListedCandidates {
  /** No document that matches has a larger number. */
  readonly last: number;
  /** The next of those that may pass the filter: at most `size`, and none only when there are no more. */
  next(size: number, mayPass?: MayPass): Promise<readonly Place[]>;
}
