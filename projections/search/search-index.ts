import type { Database, Transaction } from '../../src/database/database.js';
import type { Filter } from '../../src/domain/filters.js';
import type { Term } from './cache.js';
import type { SearchDocument } from './document.js';
import type { Filter as Condition, MayPass } from './passing.js';
import type { Place } from './place.js';
import type { Step } from './step.js';
import type { WordQuery } from './tsquery.js';

/**
 * A search index finds the memories that may match a query. It gives candidates only. The service computes the scores from the
 * statistics of the namespace and the stored vectors, reads every candidate from the table of memories, and compares it with
 * the filter there. So even if an index lags behind or finds too much, no answer shows a memory that was deleted or that the
 * filter excludes, and the score of a hit does not depend on the index that found it. A memory that an index does not find is
 * missing in the answer.
 *
 * Every method may run at the same time as every other one. `Writing` prevents that two writers work on one memory.
 */
export interface SearchIndex {
  /**
   * Adds documents. A document that is in the index already is replaced. When the step `writing.last` has ended, searches find
   * the documents, and that is durable. They never find them earlier or in part. An error or a killed process leaves documents
   * that no search finds, and the caller must add or remove them again.
   * @returns false when the caller lost the right to the documents, or they were removed meanwhile
   */
  put(documents: readonly SearchDocument[], writing: Writing): Promise<boolean>;
  /**
   * Removes all data of memories that were deleted or moved. Ids that are not in the index are skipped. When the step
   * `writing.last` has ended, all data is removed, and that is durable. An error or a killed process may leave a part that no
   * search finds, and the caller must remove these memories again.
   * @returns false when the caller lost the right to remove them
   */
  remove(memoryIds: readonly string[], writing: Writing): Promise<boolean>;
  /**
   * Runs `work` in a transaction that only reads, with the candidates of a search. An index outside the database is asked
   * before the transaction begins, so that no transaction waits for it. When `work` chooses more candidates than the index has
   * given, its transaction is given up and `work` runs again with more candidates. So `work` must have no effect but its result.
   */
  find<T>(read: Database['read'], query: SearchQuery, work: (tx: Transaction, found: Found) => Promise<T>): Promise<T>;
  /**
   * The candidates of a search in a transaction that is open. Unset in an index outside of the database.
   * @param state as the transaction has read it
   */
  within?(tx: Transaction, query: SearchQuery, state: { readonly isRebuilding: boolean }): Found;
  /** The memories that may match the query `q` of a list, as the index has them at the moment of the call. */
  byWebQuery(tx: Transaction, query: WebQuery): Promise<ListedCandidates>;
  /**
   * Whether every memory of these namespaces that is ready can be found by words and by vectors of this model. While it is
   * false, answers are marked as incomplete.
   */
  ready(tx: Transaction, namespaceIds: readonly string[], model: string): Promise<boolean>;
}

/**
 * How an index writes for a caller: in transactions, each of which first checks that the caller still has the right to this
 * work.
 */
export interface Writing {
  /** Runs one step of several. */
  readonly step: Step;
  /**
   * Runs the step that ends the work on these memories. An index may end its work on some memories earlier than on other ones.
   * `isHeld` says for which memories the caller still has the right to this work.
   */
  readonly last: (memoryIds: readonly string[], work: LastStep) => Promise<boolean>;
}

export type LastStep = (tx: Transaction, isHeld: (memoryId: string) => boolean) => Promise<boolean>;

/** A filter of memories in the form of the request. Each index compiles what it can of it to its own query language. */
export interface SearchFilter {
  readonly tree: Filter;
  /** Only memories that this agent wrote. */
  readonly agentId?: string | undefined;
}

interface Query {
  readonly namespaceIds: readonly string[];
  readonly filter: SearchFilter;
}

/** A search with one arm or both. */
export interface SearchQuery extends Query {
  readonly workspaceId: string;
  /** The filter, compiled to SQL. */
  readonly condition: Condition;
  /** Null if the arm does not run. */
  readonly vector: VectorQuery | null;
  /** Null if the arm does not run. */
  readonly words: WordsQuery | null;
  /** Aborted when no one waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The candidates of a search. They can be read only in the transaction that they were given with. */
export interface Found {
  /** Null if the query has no such arm, or the index could not answer it. */
  readonly byVector: (() => Promise<RankedCandidates>) | null;
  readonly byWords: (() => Promise<WordCandidates>) | null;
  /** Whether the index may lack memories that are ready, or have the ones of an earlier moment. */
  isBehind(): Promise<boolean>;
}

export interface VectorQuery {
  readonly namespaceIds: readonly string[];
  readonly model: string;
  readonly vector: Float32Array;
}

export interface WordsQuery {
  readonly namespaceIds: readonly string[];
  /** The words of the query, with the statistics of each namespace that is searched. */
  readonly terms: readonly Term[];
  /**
   * The largest number of postings that are added up, besides those of the rarest word. 200,000 is a good limit, because looking
   * up the words of unread lists costs more than reading them: at 100,000 memories, a limit of 20,000 took 53 ms and no limit
   * took 42 ms (p50, busy machine).
   */
  readonly budget: number;
  readonly bm25: Bm25;
}

export interface Bm25 {
  /** How soon further occurrences of a word stop adding to the score. */
  readonly k1: number;
  /** How much the score of long documents is reduced, 0 to 1. */
  readonly b: number;
}

/** The query `q` of a list: words, phrases, `OR`, and `-` before what must be missing. */
export interface WebQuery extends Query {
  /** The query in the text configuration of each namespace. */
  readonly compiled: readonly CompiledQuery[];
  /** Only memories written before this one. */
  readonly beforeSeq: number | null;
}

export interface CompiledQuery {
  readonly namespaceId: string;
  /** By this the memories are found that may match. */
  readonly query: WordQuery;
  /** The comparison of a memory: a query for its words in the index, or a regular expression for its text. */
  readonly test: { readonly tsquery: string } | { readonly pattern: string };
}

/** Documents ranked by the index. The best of them can be chosen several times. */
export interface RankedCandidates {
  readonly namespaceIds: readonly string[];
  /** The number of all documents of these namespaces, ranked or not. */
  readonly documents: number;
  /** The `size` best documents that may pass the filter, in order. If fewer are returned, there are no more. */
  choose(size: number, mayPass?: MayPass): Promise<readonly Place[]>;
}

export interface WordCandidates extends RankedCandidates {
  /** The words whose postings were not read: `sumsAt` does not include their part of the score. */
  readonly unread: readonly Term[];
  /** The sums of the BM25 of the words that were read. */
  sumsAt(places: readonly Place[]): Promise<readonly number[]>;
}

/** Documents in the order of writing, newest first. */
export interface ListedCandidates {
  /** No document that matches has a larger number. */
  readonly last: number;
  /** The next documents that may pass the filter: at most `size`. An empty list means that there are no more. */
  next(size: number, mayPass?: MayPass): Promise<readonly Place[]>;
}
